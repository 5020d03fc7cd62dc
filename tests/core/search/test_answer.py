# SPDX-License-Identifier: GPL-3.0-or-later
"""What a search answers when it is stopped, and what it then still reports, in plain Python."""

import pytest

from kingcobra.core.rules.basics import NO_MOVE
from kingcobra.core.search import answer, reports
from kingcobra.core.search.layout import EXACT, UPPER
from kingcobra.core.search.root import BEST_LINE, copy_root
from kingcobra.core.search.scores import INFINITE, mated_in
from tests.core.search.stopped_search import (
    BEST,
    FINISHED_DEPTH,
    OTHER,
    STEADY,
    THIRD,
    set_root,
    stopped_worker,
)

LOST, LOST_SOONER = mated_in(6), mated_in(4)


@pytest.fixture
def worker():
    return stopped_worker()


def last_report(worker):
    return worker.reports[worker.reports_written - 1]


def test_nothing_new_is_not_reported_again(worker):
    answer.finish(worker)
    assert worker.reports_written == 0
    assert (worker.root[0].move, worker.root[0].score) == (BEST, STEADY)


def test_another_best_move_is_reported(worker):
    set_root(worker.root[0], OTHER, STEADY + 10)
    answer.finish(worker)
    assert worker.reports_written == 1
    report = last_report(worker)
    assert (report.pv[0], report.score, report.depth) == (OTHER, STEADY + 10, FINISHED_DEPTH + 1)


def test_a_loss_that_may_not_be_one_is_taken_back(worker):
    """Also where a report has said so already."""
    set_root(worker.root[0], BEST, LOST, UPPER)
    reports.report_line(worker, BEST_LINE)
    answer.finish(worker)
    assert (worker.root[0].move, worker.root[0].score) == (BEST, STEADY)
    assert worker.reports_written == 2
    report = last_report(worker)
    assert (report.pv[0], report.score, report.bound) == (BEST, STEADY, EXACT)
    assert report.depth == FINISHED_DEPTH


def test_a_loss_that_comes_sooner_than_known_may_not_be_one_either(worker):
    worker.finished_best.score = LOST
    set_root(worker.root[0], BEST, LOST_SOONER)
    answer.finish(worker)
    assert (worker.root[0].score, worker.root[0].depth) == (LOST, FINISHED_DEPTH)


@pytest.fixture
def several_lines(worker):
    """Three lines that have been reported; then the second move became the best of a new
    iteration, and it was stopped while a second line was looked for."""
    worker.lines = worker.root_count = 3
    set_root(worker.root[2], THIRD, STEADY - 9, depth=FINISHED_DEPTH)
    reports.clear_reported(worker)
    reports.report_lines(worker)
    copy_root(worker.spare_root, worker.root[0])
    set_root(worker.root[0], OTHER, STEADY + 3)
    copy_root(worker.root[1], worker.spare_root)
    worker.root[1].score = -INFINITE
    return worker


def test_lines_that_have_changed_are_reported_at_the_end(several_lines):
    """With the depth and the score that they have had since; no move stands in two places."""
    before = several_lines.reports_written
    answer.finish(several_lines)
    first, second = several_lines.reports[before], several_lines.reports[before + 1]
    assert several_lines.reports_written == before + 2
    assert (first.line, first.pv[0], first.depth) == (1, OTHER, FINISHED_DEPTH + 1)
    assert (second.line, second.pv[0], second.depth) == (2, BEST, FINISHED_DEPTH)
    assert (first.score, second.score) == (STEADY + 3, STEADY)


def test_a_move_without_a_line_is_not_reported(several_lines):
    several_lines.root[1].line_score = -INFINITE
    before = several_lines.reports_written
    reports.report_news(several_lines)
    assert several_lines.reports_written == before + 1


def test_nothing_is_news_twice(several_lines):
    reports.report_news(several_lines)
    before = several_lines.reports_written
    reports.report_news(several_lines)
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
    answer.finish(worker)
    assert (worker.root[0].move, worker.root[0].score) == before
