# SPDX-License-Identifier: GPL-3.0-or-later
"""Which lines of a search a growing book takes: those that were compared at one depth."""

from types import SimpleNamespace

from kingcobra.books.searching import DeepestLines
from kingcobra.core.search.layout import EXACT, LOWER

A, B, C = 100, 200, 300


def moves_after(*reports):
    """The first moves of the lines after reports of depth, place and move, exact unless it says
    otherwise."""
    listener = DeepestLines()
    for depth, number, move, *bound in reports:
        listener.on_line(
            SimpleNamespace(
                depth=depth, number=number, moves=[move], bound=bound[0] if bound else EXACT
            )
        )
    return [report.moves[0] for report in listener.lines]


FINISHED = ((5, 1, A), (5, 2, B), (5, 3, C))


def test_the_deepest_finished_depth_counts():
    assert moves_after((4, 1, C), (4, 2, A), (4, 3, B), *FINISHED) == [A, B, C]


def test_lines_of_a_depth_that_was_not_finished_do_not_count():
    """Nor do older ones that come again in another place."""
    assert moves_after(*FINISHED, (6, 1, B), (5, 2, A)) == [A, B, C]
    assert moves_after(*FINISHED, (6, 1, C), (6, 2, A), (5, 3, A)) == [A, B, C]


def test_bounds_do_not_count():
    assert moves_after(*FINISHED, (6, 1, B, LOWER), (5, 2, A)) == [A, B, C]


def test_a_position_with_fewer_moves_than_lines():
    assert moves_after((1, 1, A), (2, 1, A)) == [A]
    assert moves_after() == []
