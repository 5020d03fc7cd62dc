# SPDX-License-Identifier: GPL-3.0-or-later
"""Repetitions, in games of any length, the fifty-move rule, and material that cannot mate."""

import random
from collections import Counter
from collections.abc import Hashable

import chess
import pytest
from hypothesis import given, settings

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.rules.draws import FIFTY_MOVES_PLIES
from kingcobra.core.rules.layout import GAME_HISTORY_PLIES
from kingcobra.kernel.objects import LoadedObject
from tests.core.rules.positions import START
from tests.core.rules.reference import any_starts, board_like, moves_to_choose, reference_fen


def shuffling_move(reference: chess.Board, choice: int) -> chess.Move:
    """A legal move; three times in four the one that takes the side's last move back."""
    moves = sorted(reference.legal_moves, key=chess.Move.uci)
    if choice % 4 and len(reference.move_stack) >= 2:
        last = reference.move_stack[-2]
        back = chess.Move(last.to_square, last.from_square)
        if back in moves:
            return back
    return moves[choice // 4 % len(moves)]


@settings(max_examples=200)
@given(start=any_starts(), choices=moves_to_choose(100))
def test_repetitions_in_games(core: LoadedObject, start: chess.Board, choices: list[int]) -> None:
    board = board_like(core, start)
    for choice in choices:
        if not any(start.legal_moves):
            break
        move = shuffling_move(start, choice)
        board.play(start.uci(move))
        start.push(move)
        found = board.earlier_occurrences()
        assert start.is_repetition(found + 1)
        assert not start.is_repetition(found + 2)


class Chronicle:
    """Counts every position of a game, and those within the horizon of the fifty-move rule."""

    def __init__(self, reference: chess.Board) -> None:
        self._keys: list[Hashable] = [reference._transposition_key()]
        self._ever: Counter[Hashable] = Counter(self._keys)

    def add(self, reference: chess.Board) -> tuple[int, int]:
        """Earlier occurrences of the new position: within the horizon, and ever."""
        key = reference._transposition_key()
        near = self._keys[-FIFTY_MOVES_PLIES:].count(key)
        ever = self._ever[key]
        self._keys.append(key)
        self._ever[key] += 1
        return near, ever


def require_right_repetitions(board: PositionHandle, near: int, ever: int) -> None:
    """What lies within the horizon is never forgotten, and nothing is made up."""
    assert near <= board.earlier_occurrences() <= ever


def test_six_thousand_reversible_plies(core: LoadedObject) -> None:
    """Kings wander over a board on which nothing else can move: positions return rarely, often,
    soon and late."""
    fen = "8/4k3/8/p1p1p1p1/P1P1P1P1/8/4K3/8 w - - 0 1"
    choose = random.Random(6000)
    board, reference = PositionHandle(core, fen), chess.Board(fen)
    chronicle = Chronicle(reference)
    repeated = set()
    for ply in range(6000):
        pawns_stay = [move for move in reference.legal_moves if not reference.is_zeroing(move)]
        move = pawns_stay[choose.randrange(min(len(pawns_stay), 2 + ply // 1000))]
        board.play(move.uci())
        reference.push(move)
        reference.clear_stack()
        require_right_repetitions(board, *chronicle.add(reference))
        repeated.add(board.earlier_occurrences())
        assert board.record.ply <= GAME_HISTORY_PLIES
    assert board.fen() == reference.fen()
    assert board.state.fifty_plies == 6000
    assert {0, 1, 2} <= repeated


def test_six_thousand_plies_of_two_knights(core: LoadedObject) -> None:
    """The shortest possible cycle, all the way: a repetition is never missed."""
    board = PositionHandle(core)
    shuffle = ("g1f3", "g8f6", "f3g1", "f6g8")
    for ply in range(6000):
        board.play(shuffle[ply % 4])
        seen_before = (ply + 1) // 4
        within_horizon = min(seen_before, FIFTY_MOVES_PLIES // 4)
        assert within_horizon <= board.earlier_occurrences() <= seen_before
    assert board.fen() == START.replace("0 1", "6000 3001")


@pytest.mark.parametrize("seed", range(6))
def test_long_games(core: LoadedObject, seed: int) -> None:
    """Whole games with captures and pawn moves between long stretches without."""
    choose = random.Random(seed)
    reference = chess.Board()
    board = PositionHandle(core)
    chronicle = Chronicle(reference)
    for _ in range(700):
        moves = list(reference.legal_moves)
        if not moves:
            break
        calm = [move for move in moves if not reference.is_zeroing(move)]
        move = choose.choice(calm if calm and choose.random() < 0.97 else moves)
        board.play(move.uci())
        reference.push(move)
        reference.clear_stack()
        near, ever = chronicle.add(reference)
        require_right_repetitions(board, near, ever)
        assert board.fen() == reference_fen(reference)


def test_past_before_an_irreversible_move_is_forgotten(core: LoadedObject) -> None:
    board = PositionHandle(core)
    for text in ("g1f3", "g8f6", "f3g1", "f6g8"):
        board.play(text)
    assert (board.record.ply, board.earlier_occurrences()) == (4, 1)
    board.play("e2e4")
    assert (board.record.ply, board.earlier_occurrences()) == (0, 0)
    assert board.record.game_ply == 5


def test_a_pass_ends_the_search_for_repetitions(core: LoadedObject) -> None:
    board = PositionHandle(core)
    for text in ("g1f3", "g8f6", "f3g1", "f6g8"):
        board.play(text)
    assert board.earlier_occurrences() == 1
    core.make_null(board.address)
    core.make_null(board.address)
    assert board.key == PositionHandle(core).key
    assert board.earlier_occurrences() == 0


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("4k3/8/8/8/8/8/4R3/4K3 b - - 97 80", ("e8d8", "e2e3", "d8c8", "e3e4")),
        # The hundredth ply mates, or takes.
        ("k7/8/1K6/8/8/8/8/7R w - - 99 80", ("h1h8",)),
        ("k7/8/1K6/8/8/8/7p/7R w - - 99 80", ("h1h2", "a8b8")),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 100 80", ("e2e3",)),
        ("3k4/8/8/8/8/8/4R3/4K3 w - - 150 80", ("e2e3",)),
    ],
)
def test_fifty_moves(core: LoadedObject, fen: str, moves: tuple[str, ...]) -> None:
    board, reference = PositionHandle(core, fen), chess.Board(fen)
    assert board.is_fifty_moves() == reference.is_fifty_moves()
    for move in moves:
        board.play(move)
        reference.push_uci(move)
        assert board.is_fifty_moves() == reference.is_fifty_moves(), reference.fen()


@pytest.mark.parametrize(
    ("men", "insufficient"),
    [
        ("4k3/8/8/8/8/8/8/4K3", True),
        ("4k3/8/8/8/8/8/8/4KN2", True),
        ("4k3/8/8/8/8/8/8/4KB2", True),
        ("4k1b1/8/8/8/8/8/8/4KB2", True),
        ("2b1k3/8/8/8/8/8/8/2B1K3", False),
        ("4k3/8/8/8/8/8/8/2B1KB2", False),
        ("4k3/8/8/8/8/8/8/2N1KN2", False),
        ("4kn2/8/8/8/8/8/8/4KN2", False),
        ("4kn2/8/8/8/8/8/8/4KB2", False),
        ("4k3/8/8/8/8/8/4P3/4K3", False),
        ("4k3/8/8/8/8/8/8/4K2R", False),
        ("4k3/8/8/8/8/8/8/3QK3", False),
        ("4k3/8/8/1B1B4/2B1B3/8/8/4K3", True),
    ],
)
def test_insufficient_material(core: LoadedObject, men: str, insufficient: bool) -> None:
    fen = f"{men} b - - 0 1"
    assert PositionHandle(core, fen).is_insufficient_material() == insufficient
    assert chess.Board(fen).is_insufficient_material() == insufficient
