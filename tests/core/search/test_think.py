# SPDX-License-Identifier: GPL-3.0-or-later
"""How a search deepens, and what it answers when it is stopped, in plain Python."""

import pytest

from kingcobra.core.rules.basics import NO_MOVE
from kingcobra.core.search import think
from kingcobra.core.search.layout import EXACT, UPPER, SearchWorker
from kingcobra.core.search.scores import INFINITE, mated_in
from kingcobra.core.search.tunables import DEFAULTS

BEST, OTHER, REPLY, THIRD = 100, 200, 300, 400
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
    set_root(record.root[0], BEST, STEADY, depth=FINISHED_DEPTH)
    set_root(record.root[1], OTHER, STEADY - 5, depth=FINISHED_DEPTH)
    set_root(record.finished_best, BEST, STEADY, depth=FINISHED_DEPTH)
    record.stopped = 1
    return record


def set_root(root_move, move, score, bound=EXACT, depth=FINISHED_DEPTH + 1):
    root_move.move, root_move.score, root_move.mean_score = move, score, score
    root_move.line_score = score
    root_move.bound, root_move.depth = bound, depth
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
    think.report_line(worker, think.BEST_LINE)
    think.finish(worker)
    assert (worker.root[0].move, worker.root[0].score) == (BEST, STEADY)
    assert worker.reports_written == 2
    report = last_report(worker)
    assert (report.pv[0], report.score, report.bound) == (BEST, STEADY, EXACT)
    assert report.depth == FINISHED_DEPTH


def test_a_loss_that_comes_sooner_than_known_may_not_be_one_either(worker):
    worker.finished_best.score = LOST
    set_root(worker.root[0], BEST, LOST_SOONER)
    think.finish(worker)
    assert (worker.root[0].score, worker.root[0].depth) == (LOST, FINISHED_DEPTH)


@pytest.fixture
def several_lines(worker):
    """Three lines that have been reported; then the second move became the best of a new
    iteration, and it was stopped while a second line was looked for."""
    worker.lines = worker.root_count = 3
    set_root(worker.root[2], THIRD, STEADY - 9, depth=FINISHED_DEPTH)
    think.clear_reported(worker)
    think.report_lines(worker)
    think.copy_root(worker.spare_root, worker.root[0])
    set_root(worker.root[0], OTHER, STEADY + 3)
    think.copy_root(worker.root[1], worker.spare_root)
    worker.root[1].score = -INFINITE
    return worker


def test_lines_that_have_changed_are_reported_at_the_end(several_lines):
    """With the depth and the score that they have had since; no move stands in two places."""
    before = several_lines.reports_written
    think.finish(several_lines)
    first, second = several_lines.reports[before], several_lines.reports[before + 1]
    assert several_lines.reports_written == before + 2
    assert (first.line, first.pv[0], first.depth) == (1, OTHER, FINISHED_DEPTH + 1)
    assert (second.line, second.pv[0], second.depth) == (2, BEST, FINISHED_DEPTH)
    assert (first.score, second.score) == (STEADY + 3, STEADY)


def test_a_move_without_a_line_is_not_reported(several_lines):
    several_lines.root[1].line_score = -INFINITE
    before = several_lines.reports_written
    think.report_news(several_lines)
    assert several_lines.reports_written == before + 1


def test_nothing_is_news_twice(several_lines):
    think.report_news(several_lines)
    before = several_lines.reports_written
    think.report_news(several_lines)
    assert several_lines.reports_written == before


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
