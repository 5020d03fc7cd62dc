# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports of the main worker, in numbers: a ring that the plain half reads."""

import numpy as np

from kingcobra.core.rules.basics import NO_MOVE
from kingcobra.core.rules.position import present
from kingcobra.core.search.layout import (
    CURRENT_MOVE_REPORT,
    EXACT,
    PV_REPORT,
    REFUTATION_REPORT,
    REPORTS,
)
from kingcobra.core.search.root import BEST_LINE, line_count
from kingcobra.core.search.scores import INFINITE, NO_SCORE
from kingcobra.core.search.steps import MAIN_WORKER, elapsed_ns, given_score, without_noise
from kingcobra.core.search.table_lines import continue_line
from kingcobra.kernel.compiled import compiled

# The current move, bounds of a failed window, and lines before the last of them is finished are
# reported only in searches that take a while.
EARLY_REPORTS_AFTER_NS = 3_000_000_000
# A refutation and what follows may have this many moves, as far as the hash table knows them.
REFUTATION_MOVES = 6


@compiled
def takes_a_while(worker):
    """Whether people have been waiting for what this search finds."""
    return elapsed_ns(worker) > EARLY_REPORTS_AFTER_NS


@compiled
def next_report(worker):
    """The slot for a new report; the oldest one is overwritten when all are taken."""
    report = worker.reports[worker.reports_written % REPORTS]
    report.nodes = worker.nodes
    report.elapsed_ns = elapsed_ns(worker)
    return report


@compiled
def clear_reported(worker):
    """A new search: no line has been reported."""
    for index in range(worker.root_count):
        worker.reported[index].move = NO_MOVE


@compiled
def shown_score(root_move):
    """The root move's score, or the one its line was found with if it was not best since;
    -INFINITE where it never had a line."""
    score = np.int64(root_move.score)
    return without_noise(score if score != -INFINITE else np.int64(root_move.line_score))


@compiled
def report_line(worker, index):
    """Reports a root move with its line, and the depth at which that was found."""
    if worker.number != MAIN_WORKER:
        return
    root_move = worker.root[index]
    report = next_report(worker)
    report.kind = PV_REPORT
    report.depth = root_move.depth
    report.deepest = root_move.deepest
    report.line = index + 1
    report.score = shown_score(root_move)
    report.bound = root_move.bound
    reported = worker.reported[index]
    reported.move = root_move.move
    reported.depth = root_move.depth
    reported.score = report.score
    # The user has said what the position is worth: which move is best is still the search's say,
    # and no line is worth more than the position.
    given = given_score(worker, present(worker.position).key)
    if given != NO_SCORE and (index == BEST_LINE or report.score > given):
        report.score = given
        report.bound = EXACT
    report.pv_length = root_move.pv_length
    for ply in range(root_move.pv_length):
        report.pv[ply] = root_move.pv[ply]
    worker.reports_written += 1


@compiled
def report_lines(worker):
    """Reports the lines of a completed iteration."""
    for index in range(line_count(worker)):
        report_line(worker, index)


@compiled
def report_news(worker):
    """Reports those of the lines that are not what was last reported in their place."""
    for index in range(line_count(worker)):
        root_move = worker.root[index]
        reported = worker.reported[index]
        if shown_score(root_move) != -INFINITE and (
            root_move.move != reported.move
            or root_move.depth != reported.depth
            or shown_score(root_move) != reported.score
        ):
            report_line(worker, index)


@compiled
def report_current_move(worker, move, number, depth):
    """Reports which root move is being searched, in searches that take a while."""
    if worker.number != MAIN_WORKER or not takes_a_while(worker):
        return
    report = next_report(worker)
    report.kind = CURRENT_MOVE_REPORT
    report.depth = depth
    report.line = number
    report.pv_length = 1
    report.pv[0] = move
    worker.reports_written += 1


@compiled
def report_refutations(worker, depth):
    """Reports what refutes the moves that are not shown as lines. If the ring has too little space
    for all of them they wait for the next iteration: lines matter more."""
    if worker.number != MAIN_WORKER or not worker.tells_refutations:
        return
    if worker.reports_written - worker.reports_read + worker.root_count > REPORTS // 2:
        return
    for index in range(line_count(worker), worker.root_count):
        root_move = worker.root[index]
        report = next_report(worker)
        report.kind = REFUTATION_REPORT
        report.depth = depth
        report.line = index + 1
        report.pv[0] = root_move.move
        report.pv[1] = root_move.reply
        report.pv_length = 2 if root_move.reply != NO_MOVE else 1
        continue_line(worker, report, REFUTATION_MOVES)
        worker.reports_written += 1
