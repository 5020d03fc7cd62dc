# SPDX-License-Identifier: GPL-3.0-or-later
"""What `make` keeps up to date equals what setting up computes, and `unmake` leaves no trace."""

import chess
import pytest
from hypothesis import given, settings

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.rules.layout import SEARCH_PLIES
from kingcobra.kernel.objects import LoadedObject
from tests.core.rules.invariants import (
    memory_up_to_now,
    require_as_if_set_up,
    require_moves_leave_no_trace,
)
from tests.core.rules.reference import (
    any_starts,
    board_like,
    crowded_boards,
    example_boards,
    moves_to_choose,
    walk,
)


@pytest.mark.parametrize("reference", example_boards(), ids=chess.Board.fen)
def test_every_move_of_examples(core: LoadedObject, reference: chess.Board) -> None:
    require_moves_leave_no_trace(core, board_like(core, reference))


@settings(max_examples=60)
@given(start=any_starts(), choices=moves_to_choose(40))
def test_every_move_in_games(core: LoadedObject, start: chess.Board, choices: list[int]) -> None:
    for ply, (board, _reference) in enumerate(walk(core, start, choices)):
        require_as_if_set_up(core, board)
        if ply % 4 == 0:
            require_moves_leave_no_trace(core, board)


@settings(max_examples=100)
@given(reference=crowded_boards())
def test_every_move_on_crowded_boards(core: LoadedObject, reference: chess.Board) -> None:
    require_moves_leave_no_trace(core, board_like(core, reference))


def make_line(
    core: LoadedObject, board: PositionHandle, choices: list[int]
) -> list[tuple[int, bytes]]:
    """Makes moves, and passes where a choice is a multiple of 8 and the side is not in check;
    gives each with the memory before it. 0 stands for a pass."""
    line = []
    for choice in choices:
        moves = board.moves()
        may_pass = not board.is_check() and choice % 8 == 0
        if not moves and not may_pass:
            break
        move = 0 if may_pass else moves[choice % len(moves)]
        line.append((move, memory_up_to_now(board)))
        if may_pass:
            core.make_null(board.address)
        else:
            core.make(board.address, move)
    return line


def unmake_line(core: LoadedObject, board: PositionHandle, line: list[tuple[int, bytes]]) -> None:
    """Takes the line back, comparing the memory at every step."""
    for move, memory in reversed(line):
        if move:
            core.unmake(board.address, move)
        else:
            core.unmake_null(board.address)
        assert memory_up_to_now(board) == memory


@settings(max_examples=100)
@given(start=any_starts(), choices=moves_to_choose(100))
def test_lines_with_passes_are_taken_back(
    core: LoadedObject, start: chess.Board, choices: list[int]
) -> None:
    board = board_like(core, start)
    line = make_line(core, board, choices)
    require_as_if_set_up(core, board)
    unmake_line(core, board, line)


def test_line_as_long_as_the_capacity(core: LoadedObject) -> None:
    """A search may go SEARCH_PLIES beyond a game whose past is as long as it can be."""
    board = PositionHandle(core)
    shuffle = ("g1f3", "g8f6", "f3g1", "f6g8")
    longest = 0
    for ply in range(600):
        board.play(shuffle[ply % 4])
        longest = max(longest, board.record.ply)
    while board.record.ply < longest:
        board.play(shuffle[board.record.game_ply % 4])
    line = make_line(core, board, [1] * SEARCH_PLIES)
    assert len(line) == SEARCH_PLIES
    require_as_if_set_up(core, board)
    unmake_line(core, board, line)
