# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiled reading and writing of moves beside their plain twin."""

import chess
from hypothesis import given, settings
from hypothesis import strategies as st

from kingcobra.board.move_text import MoveError, format_move
from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.rules.basics import SQUARES
from kingcobra.kernel.objects import LoadedObject
from tests.board import plain_moves
from tests.board.plain_fen import square_name
from tests.core.rules.reference import (
    any_starts,
    board_like,
    crowded_boards,
    example_boards,
    moves_to_choose,
    walk,
)


def outcome(read, *arguments: object) -> object:
    """What a reader makes of a text: a move, or the words of its error."""
    try:
        return read(*arguments)
    except MoveError as error:
        return str(error)


def plain_uci(board: PositionHandle, text: str) -> object:
    """The twin's reading of UCI text."""
    return outcome(plain_moves.match_move, text, board.moves(), board.record)


def test_all_texts_of_two_squares(core: LoadedObject) -> None:
    """In each position that the tests hold: every pair of squares, some with a promotion."""
    texts = [
        square_name(origin) + square_name(target)
        for origin in range(SQUARES)
        for target in range(SQUARES)
    ]
    for reference in example_boards():
        board = board_like(core, reference)
        legal = {text: plain_uci(board, text) for text in texts if text in board.legal_moves()}
        found = {text: outcome(board.parse_move, text) for text in texts}
        moves = {text: move for text, move in found.items() if isinstance(move, int)}
        # Castling in Chess960 has two spellings.
        extra = {text: plain_uci(board, text) for text in moves if text not in legal}
        assert moves == legal | extra
        assert not extra or board.chess960


@settings(max_examples=150)
@given(start=any_starts() | crowded_boards(), choices=moves_to_choose(20))
def test_lists_of_moves(core: LoadedObject, start: chess.Board, choices: list[int]) -> None:
    for board, reference in walk(core, start, choices):
        expected = [format_move(move, board.record) for move in board.moves()]
        assert board.legal_moves() == expected
        assert set(expected) == set(map(reference.uci, reference.legal_moves))
        for text, move in zip(expected, board.moves(), strict=True):
            assert board.parse_move(text) == move == plain_uci(board, text)


@settings(max_examples=300)
@given(start=any_starts(), text=st.text("abcdefgh12345678nbrqNQKx=é \0", max_size=7))
def test_noise_as_uci(core: LoadedObject, start: chess.Board, text: str) -> None:
    board = board_like(core, start)
    assert outcome(board.parse_move, text) == plain_uci(board, text)
