# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys: equal exactly when what they stand for is equal."""

from collections.abc import Callable, Hashable, Iterator
from itertools import product

import chess
from hypothesis import given, settings
from hypothesis import strategies as st

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.rules.layout import State
from kingcobra.kernel.objects import LoadedObject
from tests.core.rules.reference import (
    any_starts,
    board_like,
    crowded_boards,
    double_chess960_start,
    moves_to_choose,
    walk,
)

KeyOf = Callable[[State], int]
MeaningOf = Callable[[chess.Board], Hashable]


def _men(reference: chess.Board, colour: chess.Color, kinds: str) -> tuple[int, ...]:
    return tuple(int(reference.pieces(chess.PIECE_SYMBOLS.index(kind), colour)) for kind in kinds)


def _both(kinds: str) -> MeaningOf:
    return lambda reference: tuple(_men(reference, colour, kinds) for colour in chess.COLORS)


# Each key with the part of a python-chess board that it stands for.
KEYS: dict[str, tuple[KeyOf, MeaningOf]] = {
    "key": (lambda state: state.key, lambda reference: reference._transposition_key()),
    "pawn_key": (lambda state: state.pawn_key, _both("p")),
    "minor_key": (lambda state: state.minor_key, _both("nbk")),
    "white_non_pawn_key": (
        lambda state: state.non_pawn_key[0],
        lambda reference: _men(reference, chess.WHITE, "nbrqk"),
    ),
    "black_non_pawn_key": (
        lambda state: state.non_pawn_key[1],
        lambda reference: _men(reference, chess.BLACK, "nbrqk"),
    ),
}


class KeyLedger:
    """All keys seen with all meanings seen: neither may ever go with two of the other."""

    def __init__(self) -> None:
        self._meanings: dict[str, dict[int, Hashable]] = {name: {} for name in KEYS}
        self._keys: dict[str, dict[Hashable, int]] = {name: {} for name in KEYS}

    def add(self, board: PositionHandle, reference: chess.Board) -> None:
        for name, (key_of, meaning_of) in KEYS.items():
            key, meaning = key_of(board.state), meaning_of(reference)
            assert self._meanings[name].setdefault(key, meaning) == meaning, (name, reference)
            assert self._keys[name].setdefault(meaning, key) == key, (name, reference)

    def count(self, name: str) -> int:
        return len(self._keys[name])


def test_keys_in_games(core: LoadedObject) -> None:
    """One ledger for all games, so that different games are compared too."""
    ledger = KeyLedger()

    @settings(max_examples=300)
    @given(start=any_starts(), choices=moves_to_choose(80))
    def games(start: chess.Board, choices: list[int]) -> None:
        for board, reference in walk(core, start, choices):
            ledger.add(board, reference)

    games()
    assert ledger.count("key") > 1000


def test_keys_of_crowded_boards(core: LoadedObject) -> None:
    ledger = KeyLedger()

    @settings(max_examples=500)
    @given(reference=crowded_boards())
    def boards(reference: chess.Board) -> None:
        ledger.add(board_like(core, reference), reference)

    boards()
    assert ledger.count("key") > 100


def all_games(reference: chess.Board, plies: int) -> Iterator[chess.Board]:
    """The board after every sequence of that many legal moves, and on the way there."""
    yield reference
    if plies:
        for move in list(reference.legal_moves):
            reference.push(move)
            yield from all_games(reference, plies - 1)
            reference.pop()


def test_keys_of_transpositions(core: LoadedObject) -> None:
    """Small trees, full of moves in another order: rights lost and kept, pawns pushed once twice
    and twice once, en-passant squares that can be used and that cannot."""
    ledger = KeyLedger()
    trees = (
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", False, 3),
        ("4k3/3p4/8/4P3/4p3/8/3P4/4K3 w - - 0 1", False, 5),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", False, 3),
        ("1r2k1r1/8/8/8/8/8/8/RRK2R1R w HA - 0 1", True, 3),
        ("1r2k1r1/8/8/8/8/8/8/RRK2R1R w FB - 0 1", True, 3),
    )
    positions = 0
    for fen, chess960, plies in trees:
        for reference in all_games(chess.Board(fen, chess960=chess960), plies):
            ledger.add(board_like(core, reference), reference)
            positions += 1
    assert ledger.count("key") < positions, "no two games met"


def test_keys_tell_castling_rooks_apart(core: LoadedObject) -> None:
    """The same men, and rights with one rook or the other of each wing."""
    ledger = KeyLedger()
    placement = "rr2k1rr/8/8/8/8/8/8/RR2K1RR"
    for white_a, white_h, black_a, black_h in product(
        ("", "A", "B"), ("", "G", "H"), ("", "a", "b"), ("", "g", "h")
    ):
        castling = white_a + white_h + black_a + black_h or "-"
        reference = chess.Board(f"{placement} w {castling} - 0 1", chess960=True)
        # python-chess takes the outermost of the rooks that have rights.
        board = PositionHandle(core, f"{placement} w {castling} - 0 1", True)
        ledger.add(board, reference)
    assert ledger.count("key") == 3**4


def test_en_passant_square_counts_only_when_it_can_be_used(core: LoadedObject) -> None:
    """A pawn that could capture but is pinned makes no other position; one that can does."""
    usable = "4k3/8/8/3pP3/8/8/8/4K3 w - {} 0 2"
    pinned = "4r1k1/8/8/3pP3/8/8/8/4K3 w - {} 0 2"
    none_near = "4k3/8/8/3p3P/8/8/8/4K3 w - {} 0 2"
    assert (
        PositionHandle(core, usable.format("d6")).key
        != PositionHandle(core, usable.format("-")).key
    )
    assert (
        PositionHandle(core, pinned.format("d6")).key
        == PositionHandle(core, pinned.format("-")).key
    )
    assert (
        PositionHandle(core, none_near.format("d6")).key
        == PositionHandle(core, none_near.format("-")).key
    )


@settings(max_examples=100)
@given(white=st.integers(0, 959), black=st.integers(0, 959))
def test_flipping_twice_changes_nothing(core: LoadedObject, white: int, black: int) -> None:
    board = board_like(core, double_chess960_start(white, black))
    fen, key = board.fen(), board.key
    board.flip()
    assert board.key != key
    mirrored = chess.Board(fen, chess960=True).mirror()
    assert board.fen().split()[:4] == mirrored.shredder_fen().split()[:4]
    board.flip()
    assert (board.fen(), board.key) == (fen, key)
