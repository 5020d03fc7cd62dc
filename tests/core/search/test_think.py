# SPDX-License-Identifier: GPL-3.0-or-later
"""How a search deepens, and what it answers when it is stopped, in plain Python."""

import pytest

from kingcobra.core.rules.basics import NO_MOVE
from kingcobra.core.search import think
from kingcobra.core.search.layout import EXACT, UPPER, SearchWorker
from kingcobra.core.search.scores import mated_in
from kingcobra.core.search.tunables import DEFAULTS

BEST, OTHER, REPLY = 100, 200, 300
STEADY = 20
LOST, LOST_SOONER = mated_in(6), mated_in(4)
FINISHED_DEPTH = 7


@pytest.fixture
def worker():
    """A search that was stopped in its eighth iteration. After the seventh its first move was
    best; nothing has happened since."""
    record = SearchWorker()
    for name, value in DEFAULTS.items():
        setattr(record.params, name, value)
    record.lines = 1
    record.root_count = 2
    record.root_depth, record.completed_depth = FINISHED_DEPTH + 1, FINISHED_DEPTH
    set_root(record.root[0], BEST, STEADY)
    set_root(record.root[1], OTHER, STEADY - 5)
    set_root(record.finished_best, BEST, STEADY)
    record.stopped = 1
    return record


def set_root(root_move, move, score, bound=EXACT):
    root_move.move, root_move.score, root_move.mean_score = move, score, score
    root_move.bound = bound
    root_move.pv[0], root_move.pv[1] = move, REPLY
    root_move.pv_length = 2


def last_report(worker):
    return worker.reports[worker.reports_written - 1]


# --- what is answered -------------------------------------------------------------------------


def test_nothing_new_is_not_reported_again(worker):
    think.finish(worker)
    assert worker.reports_written == 0
    assert (worker.root[0].move, worker.root[0].score) == (BEST, STEADY)


def test_another_best_move_is_reported(worker):
    set_root(worker.root[0], OTHER, STEADY + 10)
    think.finish(worker)
    assert worker.reports_written == 1
    report = last_report(worker)
    assert (report.pv[0], report.score, report.depth) == (OTHER, STEADY + 10, FINISHED_DEPTH + 1)


def test_a_loss_that_may_not_be_one_is_taken_back(worker):
    """Also where a report has said so already."""
    set_root(worker.root[0], BEST, LOST, UPPER)
    think.report_line(worker, think.BEST_LINE, FINISHED_DEPTH + 1)
    think.finish(worker)
    assert (worker.root[0].move, worker.root[0].score) == (BEST, STEADY)
    assert worker.reports_written == 2
    report = last_report(worker)
    assert (report.pv[0], report.score, report.bound) == (BEST, STEADY, EXACT)
    assert report.depth == FINISHED_DEPTH


def another_move_loses_more_slowly(worker):
    set_root(worker.root[0], OTHER, LOST)
    set_root(worker.root[1], BEST, LOST_SOONER)


def it_lost_before(worker):
    worker.finished_best.score = LOST_SOONER


def it_is_no_mate(worker):
    worker.root[0].score = -STEADY


def other_lines_were_begun(worker):
    worker.line = 1


def all_moves_were_looked_at(worker):
    worker.completed_depth = worker.root_depth


def nothing_was_finished(worker):
    worker.root_depth, worker.completed_depth = 1, 0
    worker.finished_best.move = NO_MOVE


@pytest.mark.parametrize(
    "happens",
    [
        another_move_loses_more_slowly,
        it_lost_before,
        it_is_no_mate,
        other_lines_were_begun,
        all_moves_were_looked_at,
        nothing_was_finished,
    ],
)
def test_what_is_known_stands(worker, happens):
    set_root(worker.root[0], BEST, LOST)
    happens(worker)
    before = (worker.root[0].move, worker.root[0].score)
    think.finish(worker)
    assert (worker.root[0].move, worker.root[0].score) == before


# --- windows ----------------------------------------------------------------------------------


@pytest.fixture
def windows(worker, monkeypatch):
    """The windows of a search whose first one fails low."""
    tried = []

    def search_root(_worker, alpha, beta, _depth):
        tried.append((alpha, beta))
        return alpha - 1 if len(tried) == 1 else alpha + 1

    monkeypatch.setattr(think, "search_root", search_root)
    worker.stopped = 0
    worker.line_end = worker.root_count
    return tried


@pytest.mark.parametrize(("line", "ends"), [(0, 0), (1, 1)])
def test_a_best_move_that_fails_low_needs_another_look_after_ponderhit(worker, windows, line, ends):
    """A worse line that fails low changes nothing of what was found."""
    worker.lines = 2
    worker.line = line
    worker.ends_at_ponderhit = 1
    think.aspire(worker, FINISHED_DEPTH)
    assert worker.ends_at_ponderhit == ends
    first, second = windows
    assert second[0] < first[0]
