# SPDX-License-Identifier: GPL-3.0-or-later
"""The generators against each other, and the test of one move against them."""

import chess
import pytest
from hypothesis import given, settings

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.rules.basics import MOVE_CODES
from kingcobra.kernel.objects import LoadedObject
from tests.core.rules.invariants import require_generators_agree, require_legal_codes_are_the_moves
from tests.core.rules.positions import perft_positions
from tests.core.rules.reference import (
    any_starts,
    board_like,
    crowded_boards,
    example_boards,
    moves_to_choose,
    walk,
)

ALL_CODES = range(MOVE_CODES)
# One in so many of a file's positions has all of its codes tried.
SAMPLING = {"standard.epd": 4, "chess960.epd": 4, "tricky.epd": 1}


@settings(max_examples=200)
@given(start=any_starts(), choices=moves_to_choose(80))
def test_generators_in_games(core: LoadedObject, start: chess.Board, choices: list[int]) -> None:
    for board, _reference in walk(core, start, choices):
        require_generators_agree(board)


@settings(max_examples=500)
@given(reference=crowded_boards())
def test_generators_on_crowded_boards(core: LoadedObject, reference: chess.Board) -> None:
    board = board_like(core, reference)
    assert sorted(board.legal_moves()) == sorted(map(reference.uci, reference.legal_moves))
    require_generators_agree(board)


@pytest.mark.parametrize("reference", example_boards(), ids=chess.Board.fen)
def test_all_codes_in_examples(core: LoadedObject, reference: chess.Board) -> None:
    board = board_like(core, reference)
    require_generators_agree(board)
    require_legal_codes_are_the_moves(board, ALL_CODES)


@pytest.mark.parametrize("name", SAMPLING)
def test_all_codes_in_perft_positions(core: LoadedObject, name: str) -> None:
    for position in perft_positions(name)[:: SAMPLING[name]]:
        board = PositionHandle(core, position.fen, position.chess960)
        require_legal_codes_are_the_moves(board, ALL_CODES)


@settings(max_examples=100)
@given(start=any_starts(), choices=moves_to_choose(80))
def test_all_codes_at_the_end_of_games(
    core: LoadedObject, start: chess.Board, choices: list[int]
) -> None:
    *_, (board, _reference) = walk(core, start, choices)
    require_legal_codes_are_the_moves(board, ALL_CODES)


@settings(max_examples=150)
@given(reference=crowded_boards())
def test_all_codes_on_crowded_boards(core: LoadedObject, reference: chess.Board) -> None:
    require_legal_codes_are_the_moves(board_like(core, reference), ALL_CODES)
