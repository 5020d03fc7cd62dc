# SPDX-License-Identifier: GPL-3.0-or-later
"""UCI move text: both spellings of castling, and text that means no move."""

import re

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kingcobra.board.move_text import MoveError, format_move
from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.rules.basics import CASTLING, move_kind
from kingcobra.kernel.objects import LoadedObject
from tests.core.rules.positions import START
from tests.core.rules.reference import (
    any_starts,
    board_like,
    chess960_starts,
    moves_to_choose,
    walk,
)

ROOKS = "r3k2r/8/8/8/8/8/8/R3K2R {} KQkq - 0 1"


SPELLINGS = pytest.mark.parametrize(
    ("side", "standard", "king_takes_rook"),
    [("w", "e1g1", "e1h1"), ("w", "e1c1", "e1a1"), ("b", "e8g8", "e8h8"), ("b", "e8c8", "e8a8")],
)


@SPELLINGS
def test_chess960_reads_castling_in_both_spellings(
    core: LoadedObject, side: str, standard: str, king_takes_rook: str
) -> None:
    board = PositionHandle(core, ROOKS.format(side), chess960=True)
    move = board.parse_move(standard)
    assert move_kind(move) == CASTLING
    assert board.parse_move(king_takes_rook) == move
    assert format_move(move, board.record) == king_takes_rook


@SPELLINGS
def test_standard_chess_reads_castling_in_its_own_spelling_only(
    core: LoadedObject, side: str, standard: str, king_takes_rook: str
) -> None:
    board = PositionHandle(core, ROOKS.format(side))
    move = board.parse_move(standard)
    assert move_kind(move) == CASTLING
    assert format_move(move, board.record) == standard
    with pytest.raises(MoveError, match=f"illegal move '{king_takes_rook}'"):
        board.parse_move(king_takes_rook)


def test_king_step_is_not_taken_for_castling(core: LoadedObject) -> None:
    """In Chess960 a king may castle to the square beside it: its step keeps that spelling."""
    board = PositionHandle(core, "4k3/8/8/8/8/8/8/5K1R w H - 0 1", True)
    assert move_kind(board.parse_move("f1g1")) != CASTLING
    assert move_kind(board.parse_move("f1h1")) == CASTLING


@settings(max_examples=100)
@given(start=chess960_starts(), choices=moves_to_choose(40))
def test_castling_in_chess960_games(
    core: LoadedObject, start: chess.Board, choices: list[int]
) -> None:
    """The other variant's spelling means castling unless it already means a king's step."""
    for board, reference in walk(core, start, choices):
        texts = set(board.legal_moves())
        for move in board.moves():
            if move_kind(move) != CASTLING:
                continue
            twin = reference.parse_uci(format_move(move, board.record))
            side = "g" if reference.is_kingside_castling(twin) else "c"
            other = chess.square_name(twin.from_square)
            other += side + other[1]
            if other not in texts:
                assert board.parse_move(other) == move


@pytest.mark.parametrize("text", ["a7a8q", "a7a8Q"])
def test_promotion_letter_may_be_a_capital(core: LoadedObject, text: str) -> None:
    board = PositionHandle(core, "8/P6k/8/8/8/8/8/K7 w - - 0 1")
    assert format_move(board.parse_move(text), board.record) == "a7a8q"


@pytest.mark.parametrize(
    ("fen", "text"),
    [
        (START, "e2e5"),
        (START, "e7e5"),
        (START, "e1g1"),
        (START, "E2E4"),
        (START, "e2e4q"),
        (START, "e2"),
        (START, ""),
        (START, "0000"),
        (START, "e2e4 "),
        (START, "ｅ２ｅ４"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8k"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8p"),
        # The way is blocked, attacked, or the right is gone.
        ("4k3/8/8/8/8/8/8/R2QK2R w KQ - 0 1", "e1c1"),
        ("4k3/8/8/8/8/8/5r2/R3K2R w KQ - 0 1", "e1g1"),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "e1h1"),
    ],
)
def test_text_that_means_no_move(core: LoadedObject, fen: str, text: str) -> None:
    board = PositionHandle(core, fen)
    before = bytes(board.record)
    with pytest.raises(MoveError, match=f"^{re.escape(f'illegal move {text!r}')}$"):
        board.play(text)
    assert bytes(board.record) == before


def test_long_noise_is_quoted_briefly(core: LoadedObject) -> None:
    with pytest.raises(MoveError) as raised:
        PositionHandle(core).play("e2e4" * 2500)
    assert len(str(raised.value)) < 100
    assert "10000 characters" in str(raised.value)


@settings(max_examples=500)
@given(start=any_starts(), text=st.text("abcdefgh12345678nbrqNQ", max_size=6))
def test_noise_means_no_move_or_a_legal_one(
    core: LoadedObject, start: chess.Board, text: str
) -> None:
    board = board_like(core, start)
    try:
        move = board.parse_move(text)
    except MoveError:
        assert text not in set(map(start.uci, start.legal_moves))
        return
    assert move in board.moves()
    assert start.parse_uci(text.lower()) == start.parse_uci(format_move(move, board.record))
