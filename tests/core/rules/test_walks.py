# SPDX-License-Identifier: GPL-3.0-or-later
"""Random games compared with python-chess after every move, in both variants."""

import ctypes
import re
from collections.abc import Iterable

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kingcobra.board.move_text import MoveError, format_move
from kingcobra.board.position_handle import CHECK, CHECKMATE, NOTHING, PositionHandle
from kingcobra.core.rules.layout import Position, State
from kingcobra.kernel.objects import LoadedObject
from kingcobra.text_values import quoted
from tests.board.plain_moves import format_san, parse_san
from tests.core.rules.positions import PERFT_FILES, START, perft_positions
from tests.core.rules.reference import (
    any_starts,
    board_like,
    chess960_starts,
    example_boards,
    moves_to_choose,
    reference_fen,
    standard_starts,
    walk,
)


def require_same_position(board: PositionHandle, reference: chess.Board) -> None:
    assert board.fen() == reference_fen(reference)
    assert sorted(board.legal_moves()) == sorted(map(reference.uci, reference.legal_moves))
    assert board.checkers() == sorted(reference.checkers())
    assert board.is_check() == reference.is_check()
    assert board.is_insufficient_material() == reference.is_insufficient_material()
    assert board.state.fifty_plies == reference.halfmove_clock
    for square in chess.SQUARES:
        piece = reference.piece_at(square)
        expected = piece.piece_type | (0 if piece.color else 8) if piece else 0
        assert board.piece_at(square) == expected


def require_same_game(core: LoadedObject, start: chess.Board, choices: Iterable[int]) -> None:
    for board, reference in walk(core, start, choices):
        require_same_position(board, reference)


@settings(max_examples=300)
@given(start=standard_starts(), choices=moves_to_choose(120))
def test_standard_games(core: LoadedObject, start: chess.Board, choices: list[int]) -> None:
    require_same_game(core, start, choices)


@settings(max_examples=300)
@given(start=chess960_starts(), choices=moves_to_choose(120))
def test_chess960_games(core: LoadedObject, start: chess.Board, choices: list[int]) -> None:
    require_same_game(core, start, choices)


@pytest.mark.parametrize("name", PERFT_FILES)
@settings(max_examples=150)
@given(index=st.integers(0, 959), choices=moves_to_choose(40))
def test_games_from_perft_positions(
    core: LoadedObject, name: str, index: int, choices: list[int]
) -> None:
    positions = perft_positions(name)
    position = positions[index % len(positions)]
    start = chess.Board(position.fen, chess960=position.chess960)
    require_same_game(core, start, choices)


# --- notation and what moves do ---------------------------------------------------------------


def effect_in(reference: chess.Board, move: chess.Move) -> int:
    """What python-chess says the move does to the opponent's king."""
    reference.push(move)
    effect = NOTHING
    if reference.is_check():
        effect = CHECKMATE if reference.is_checkmate() else CHECK
    reference.pop()
    return effect


def require_same_notation(board: PositionHandle, reference: chess.Board) -> None:
    """Every legal move: SAN both ways, UCI text both ways, and what the move does."""
    before = bytes(board.record)
    for move in board.moves():
        text = format_move(move, board.record)
        twin = reference.parse_uci(text)
        assert board.parse_move(text) == move
        san = format_san(board, move)
        assert san == reference.san(twin)
        assert parse_san(board, san) == move
        assert board.effect_of(move) == effect_in(reference, twin)
        assert board.is_capture(move) == reference.is_capture(twin)
    # Only the state above the present one is scratch.
    present = Position.states.offset + (board.record.ply + 1) * ctypes.sizeof(State)
    assert bytes(board.record)[:present] == before[:present]


@settings(max_examples=120)
@given(start=any_starts(), choices=moves_to_choose(48))
def test_notation_in_games(core: LoadedObject, start: chess.Board, choices: list[int]) -> None:
    for board, reference in walk(core, start, choices):
        require_same_notation(board, reference)


@pytest.mark.parametrize("reference", example_boards(), ids=chess.Board.fen)
def test_notation_of_examples(core: LoadedObject, reference: chess.Board) -> None:
    require_same_notation(board_like(core, reference), reference)


# Many like pieces that reach one square: file, rank and whole square as the distinction.
CROWDED = (
    "7k/7p/6pr/1Q1Q4/8/1Q1Q4/8/7K w - - 0 1",
    "6k1/8/2N1N3/8/2N1N3/8/8/K7 w - - 0 1",
    "1k6/8/8/R2R3R/8/3R4/8/6K1 w - - 0 1",
    "1k6/8/8/8/B1B5/8/B1B5/6K1 w - - 0 1",
    # One rival is pinned: it needs no distinction.
    "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1",
    "3k4/1P1P4/8/8/8/8/8/R3K2R w KQ - 0 1",
)


@pytest.mark.parametrize("fen", CROWDED)
def test_san_tells_like_pieces_apart(core: LoadedObject, fen: str) -> None:
    require_same_notation(PositionHandle(core, fen), chess.Board(fen))


@pytest.mark.parametrize(
    ("fen", "san", "uci"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "0-0", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O-O", "e1c1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "0-0-0!?", "e8c8"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8=N", "a7a8n"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8Q", "a7a8q"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", "e5d6"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", " Ra1b1 ", "a1b1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "Rh1-h8+!!", "h1h8"),
    ],
)
def test_san_as_people_write_it(core: LoadedObject, fen: str, san: str, uci: str) -> None:
    board = PositionHandle(core, fen)
    assert format_move(parse_san(board, san), board.record) == uci


@pytest.mark.parametrize(
    ("fen", "san", "message"),
    [
        (START, "Nf4", "illegal move 'Nf4'"),
        (START, "O-O", "illegal move 'O-O'"),
        (START, "", "illegal move ''"),
        (START, "e9", "illegal move 'e9'"),
        (START, "e4e5e6", "illegal move 'e4e5e6'"),
        ("4k3/8/8/5p2/4P3/8/8/4K3 w - - 0 1", "f5", "illegal move 'f5'"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8", "illegal move 'a8'"),
        ("4k3/8/8/8/8/8/8/R4RK1 w - - 0 1", "Rd1", "ambiguous move 'Rd1'"),
        ("3n4/2P1P3/8/8/8/8/k7/4K3 w - - 0 1", "d8=Q", "illegal move 'd8=Q'"),
    ],
)
def test_san_that_means_no_move(core: LoadedObject, fen: str, san: str, message: str) -> None:
    with pytest.raises(MoveError, match=f"^{re.escape(message)}$"):
        parse_san(PositionHandle(core, fen), san)


@settings(max_examples=300)
@given(
    start=any_starts(),
    text=st.text(max_size=12) | st.text("abcdefgh12345678NBRQKxO-=+#", max_size=8),
)
def test_san_noise_is_refused_or_understood_alike(
    core: LoadedObject, start: chess.Board, text: str
) -> None:
    board = board_like(core, start)
    message = None
    try:
        move = parse_san(board, text)
    except MoveError as error:
        message = str(error)
    if message is not None:
        assert quoted(text) in message
        return
    bare = text.strip().rstrip("!?+#").replace("0", "O")
    assert format_move(move, board.record) == start.uci(start.parse_san(bare))
