# SPDX-License-Identifier: GPL-3.0-or-later
"""The evaluation taken apart: its parts make the whole."""

import pytest
from hypothesis import given, settings

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.classical import terms
from kingcobra.engine.classical_breakdown import GROUPS, break_down
from tests.core.classical.classical_evaluator import ClassicalEvaluator
from tests.core.rules.positions import CHESS960, STANDARD
from tests.core.rules.reference import moves_to_choose, standard_starts, walk


def test_every_term_is_in_one_group():
    grouped = [term for group in GROUPS.values() for term in group]
    assert sorted(grouped) == sorted(name for name, _size in terms.TERMS)


def require_the_whole(core, board):
    mover = ClassicalEvaluator(core).value(board)
    assert break_down(board).white_units == (mover if board.record.side == 0 else -mover)


@pytest.mark.parametrize("fen", STANDARD)
def test_the_parts_make_the_compiled_evaluation(core, fen):
    require_the_whole(core, PositionHandle(core, fen))


@pytest.mark.parametrize("fen", CHESS960)
def test_of_chess960_too(core, fen):
    require_the_whole(core, PositionHandle(core, fen, chess960=True))


@settings(max_examples=15)
@given(start=standard_starts(), choices=moves_to_choose(40))
def test_the_parts_make_the_compiled_evaluation_in_games(core, start, choices):
    boards = [board for board, _reference in walk(core, start, choices)]
    require_the_whole(core, boards[-1])


@settings(max_examples=15)
@given(start=standard_starts(), choices=moves_to_choose(40))
def test_a_mirror_exchanges_the_sides(core, start, choices):
    *_, (board, reference) = walk(core, start, choices)
    here = break_down(board)
    there = break_down(PositionHandle(core, reference.mirror().fen()))
    assert here.phase == there.phase
    for name in GROUPS:
        assert here.groups[name] == there.groups[name][::-1]
