# SPDX-License-Identifier: GPL-3.0-or-later
"""Which thread's move is played."""

from types import SimpleNamespace

import pytest

from kingcobra.core.search.scores import TABLE_WIN, mated_in, mating_in
from kingcobra.engine.choice import elected_thread

A, B = 100, 200
DEPTH = 20


def thread(move, score, depth=DEPTH, finished_score=None):
    """A thread that has ended; its last whole iteration had the same score unless one is given."""
    finished = score if finished_score is None else finished_score
    record = SimpleNamespace(
        root=[SimpleNamespace(move=move, score=score)],
        finished_best=SimpleNamespace(move=move, score=finished),
        completed_depth=depth,
        lines=1,
        limits=SimpleNamespace(depth=0, mate=0),
    )
    return SimpleNamespace(record=record)


def elected(*threads):
    """The number of the thread that is chosen."""
    return threads.index(elected_thread(SimpleNamespace(main=threads[0], members=list(threads))))


def test_most_votes_win():
    assert elected(thread(A, 20), thread(B, 20), thread(B, 20)) in (1, 2)
    assert elected(thread(A, 20), thread(B, 60)) == 1
    assert elected(thread(A, 20, depth=30), thread(B, 20)) == 0


def test_a_thread_that_finished_nothing_has_no_vote():
    assert elected(thread(A, 20), thread(B, 900, depth=0), thread(A, 10)) == 0


@pytest.mark.parametrize("limit", ["depth", "mate"])
def test_what_was_asked_of_the_main_thread_is_its_answer(limit):
    main = thread(A, 20)
    setattr(main.record.limits, limit, DEPTH)
    assert elected(main, thread(B, 60), thread(B, 60)) == 0


def test_several_lines_are_the_main_threads():
    main = thread(A, 20)
    main.record.lines = 2
    assert elected(main, thread(B, 60)) == 0


def test_the_nearest_win_beats_all_votes():
    table_win, slow, fast = TABLE_WIN - 3, mating_in(9), mating_in(5)
    assert elected(thread(A, 900, depth=40), thread(B, table_win)) == 1
    assert elected(thread(A, table_win), thread(B, slow), thread(A, fast)) == 2


def test_a_proven_loss_beats_all_votes():
    """Those who see none have not looked far enough."""
    assert elected(thread(A, -300, depth=40), thread(B, mated_in(12), depth=9)) == 1
    assert elected(thread(A, mated_in(20)), thread(B, mated_in(12)), thread(B, -500)) == 1
    assert elected(thread(A, mated_in(6)), thread(B, mating_in(9))) == 1


def test_a_loss_of_an_unfinished_iteration_proves_nothing():
    doubtful = thread(B, mated_in(6), finished_score=-100)
    assert elected(thread(A, -100), doubtful) == 0
