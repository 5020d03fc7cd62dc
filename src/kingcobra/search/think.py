# SPDX-License-Identifier: GPL-3.0-or-later
"""From the root down: iterative deepening, aspiration windows, several lines, reports."""

import numpy as np

from kingcobra.board.basics import NO_MOVE
from kingcobra.board.checks import gives_check
from kingcobra.board.position import present, unmake
from kingcobra.kernel.bits import monotonic_ns
from kingcobra.kernel.compiled import compiled
from kingcobra.search.histories import is_noisy
from kingcobra.search.layout import (
    CURRENT_MOVE_REPORT,
    EXACT,
    LOWER,
    PLY,
    PV_REPORT,
    REPORTS,
    STACK,
    UPPER,
)
from kingcobra.search.node import NO, YES, search
from kingcobra.search.pruning import base_reduction
from kingcobra.search.scores import INFINITE, MATE, MATE_BAND, MAX_PLY, NO_SCORE
from kingcobra.search.steps import MAIN_WORKER, play, stack_at

# Currmove is told only in searches that last.
CURRENT_MOVE_AFTER_NS = 3_000_000_000
# Reports of a failed window are worth a line only when the user has time to read it.
BOUND_REPORT_AFTER_NS = 3_000_000_000
ROOT_REDUCTION_DEPTH = 3
ROOT_FULL_MOVES = 2

# Soft limit: stretched and shrunk, in percent.
PERCENT = 100
STABLE_LONG = 8
STABILITY_PERCENT = np.array([160, 130, 110, 100, 95, 90, 85, 80, 75], np.int64)
FALLING_PERCENT_PER_CP = 1
FALLING_LIMIT_PERCENT = 60
SINGLE_REPLY_PERCENT = 5


@compiled
def clear_stack(worker):
    """Forgets the last search's nodes."""
    for index in range(STACK):
        entry = worker.stack[index]
        entry.evaluation = NO_SCORE
        entry.piece_to = 0
        entry.move = NO_MOVE
        entry.excluded = NO_MOVE
        entry.in_check = 0
        entry.was_pv = 0
        entry.cutoffs = 0
        entry.pv_length = 0


# --- the root's list --------------------------------------------------------------------------


@compiled
def copy_root(target, source):
    """Copies one root move onto another, its line included."""
    target.move = source.move
    target.bound = source.bound
    target.pv_length = source.pv_length
    target.score = source.score
    target.previous_score = source.previous_score
    target.mean_score = source.mean_score
    target.mean_square = source.mean_square
    target.deepest = source.deepest
    target.nodes = source.nodes
    for index in range(source.pv_length):
        target.pv[index] = source.pv[index]


@compiled
def sort_root(worker, first, end):
    """Sorts a part of the list by score; equal ones by the score before, then as they stood."""
    spare = worker.spare_root
    for index in range(first + 1, end):
        candidate = worker.root[index]
        place = index
        while place > first and (
            worker.root[place - 1].score < candidate.score
            or (
                worker.root[place - 1].score == candidate.score
                and worker.root[place - 1].previous_score < candidate.previous_score
            )
        ):
            place -= 1
        if place == index:
            continue
        copy_root(spare, candidate)
        for back in range(index, place, -1):
            copy_root(worker.root[back], worker.root[back - 1])
        copy_root(worker.root[place], spare)


@compiled
def note_root_best(worker, root_move, score, bound):
    """A root move has become the best of its line."""
    root_move.score = score
    root_move.bound = bound
    root_move.deepest = worker.deepest
    length = stack_at(worker, np.int64(1)).pv_length
    root_move.pv[0] = root_move.move
    for index in range(length):
        root_move.pv[index + 1] = worker.pv[1, index]
    root_move.pv_length = length + 1


@compiled
def search_root(worker, alpha, beta, depth):
    """As `search`, over the root moves from the present line on. A move that does not become best
    gets the worst score, so that sorting keeps its order."""
    pos = worker.position
    here = stack_at(worker, NO)
    here.in_check = present(pos).checkers != 0
    here.pv_length = 0
    best = -np.int64(INFINITE)
    number = 0
    for index in range(worker.line, worker.root_count):
        root_move = worker.root[index]
        move = np.int64(root_move.move)
        number += 1
        report_current_move(worker, move, index + 1, depth)
        nodes_before = worker.nodes
        noisy = is_noisy(pos, move)
        checks = gives_check(pos, move)
        stack_at(worker, NO + 1).excluded = NO_MOVE
        stack_at(worker, NO + 2).cutoffs = 0
        play(worker, NO, move)
        score = NO
        new_depth = depth - 1
        if depth >= ROOT_REDUCTION_DEPTH and number > ROOT_FULL_MOVES and not noisy and not checks:
            reduced = max(YES, new_depth - base_reduction(worker, depth, number) // PLY)
            score = -search(worker, -alpha - 1, -alpha, reduced, YES, YES, NO, YES)
            if score > alpha and reduced < new_depth:
                score = -search(worker, -alpha - 1, -alpha, new_depth, YES, YES, NO, NO)
        elif number > 1:
            score = -search(worker, -alpha - 1, -alpha, new_depth, YES, YES, NO, NO)
        if number == 1 or score > alpha:
            stack_at(worker, YES).pv_length = 0
            score = -search(worker, -beta, -alpha, new_depth, YES, YES, YES, NO)
        unmake(pos, move)
        if worker.stop:
            return best
        root_move.nodes += worker.nodes - nodes_before
        if number == 1 or score > alpha:
            bound = LOWER if score >= beta else UPPER if score <= alpha else EXACT
            note_root_best(worker, root_move, score, bound)
            if number > 1:
                worker.best_changes += 1
            update_mean(root_move, score)
        else:
            root_move.score = -INFINITE
        if score > best:
            best = score
            if score > alpha:
                if score >= beta:
                    break
                alpha = score
    return best


@compiled
def update_mean(root_move, score):
    """Keeps the running mean of a move's scores: the centre of its next window."""
    if root_move.mean_score == -INFINITE:
        root_move.mean_score = score
        root_move.mean_square = score * abs(score)
    else:
        root_move.mean_score = (score + root_move.mean_score) // 2
        root_move.mean_square = (score * abs(score) + root_move.mean_square) // 2


# --- reports ----------------------------------------------------------------------------------


@compiled
def elapsed_ns(worker):
    """Nanoseconds since the search began."""
    return monotonic_ns() - worker.limits.started_ns


@compiled
def next_report(worker):
    """The slot for a new report; the oldest unread one is given up when all are taken."""
    report = worker.reports[worker.reports_written % REPORTS]
    report.nodes = worker.nodes
    report.elapsed_ns = elapsed_ns(worker)
    return report


@compiled
def report_line(worker, index, depth):
    """Tells what is known of one root move."""
    if worker.number != MAIN_WORKER:
        return
    root_move = worker.root[index]
    known = root_move.score != -INFINITE
    report = next_report(worker)
    report.kind = PV_REPORT
    report.depth = depth if known else max(depth - 1, 1)
    report.deepest = root_move.deepest
    report.line = index + 1
    report.score = root_move.score if known else root_move.previous_score
    report.bound = root_move.bound if known else EXACT
    report.pv_length = root_move.pv_length
    for ply in range(root_move.pv_length):
        report.pv[ply] = root_move.pv[ply]
    worker.reports_written += 1


@compiled
def report_current_move(worker, move, number, depth):
    """Tells which root move is being searched, in searches that last."""
    if worker.number != MAIN_WORKER or elapsed_ns(worker) < CURRENT_MOVE_AFTER_NS:
        return
    report = next_report(worker)
    report.kind = CURRENT_MOVE_REPORT
    report.depth = depth
    report.line = number
    report.pv_length = 1
    report.pv[0] = move
    worker.reports_written += 1


# --- deepening --------------------------------------------------------------------------------


@compiled
def aspire(worker, depth):
    """Searches one line with a window around its last score, widening it until the score fits."""
    params = worker.params
    first = worker.root[worker.line]
    alpha = -np.int64(INFINITE)
    beta = np.int64(INFINITE)
    delta = np.int64(INFINITE)
    if depth >= 4 and first.mean_score != -INFINITE:
        centre = np.int64(first.mean_score)
        delta = params.window_start + abs(np.int64(first.mean_square)) // params.window_variance
        alpha = max(centre - delta, -np.int64(INFINITE))
        beta = min(centre + delta, np.int64(INFINITE))
    failed_high = 0
    while True:
        worker.deepest = 0
        reduced = max(YES, depth - failed_high)
        best = search_root(worker, alpha, beta, reduced)
        sort_root(worker, worker.line, worker.root_count)
        if worker.stop:
            return
        if best <= alpha:
            beta = (alpha + beta) // 2
            alpha = max(best - delta, -np.int64(INFINITE))
            failed_high = 0
        elif best >= beta:
            beta = min(best + delta, np.int64(INFINITE))
            failed_high += 1
        else:
            return
        if worker.lines == 1 and elapsed_ns(worker) > BOUND_REPORT_AFTER_NS:
            report_line(worker, worker.line, depth)
        delta += delta * params.window_growth // PERCENT


@compiled
def mate_is_short_enough(worker):
    """Whether `go mate n` has what it asked for, giving mate or being mated."""
    score = np.int64(worker.root[0].score)
    limit = worker.limits.mate
    if limit == 0 or worker.root[0].bound != EXACT:
        return False
    return (score >= MATE_BAND and MATE - score <= 2 * limit) or (
        score <= -MATE_BAND and MATE + score <= 2 * limit
    )


@compiled
def is_time_to_stop(worker, stable, falling_cp):
    """Whether another iteration is not worth its time: sooner when the best move has long been the
    same or is the only one, later when the score falls."""
    limits = worker.limits
    if limits.soft_ns == 0 or worker.pondering:
        return False
    percent = STABILITY_PERCENT[min(stable, STABLE_LONG)]
    percent += max(0, min(FALLING_LIMIT_PERCENT, falling_cp * FALLING_PERCENT_PER_CP))
    if worker.root_count == 1:
        percent = SINGLE_REPLY_PERCENT
    return elapsed_ns(worker) >= limits.soft_ns * percent // PERCENT


@compiled
def think(worker):
    """Searches the root moves until a limit or `stop`. They end up ranked, the first with its line;
    each completed line has been reported."""
    clear_stack(worker)
    worker.nodes = 0
    worker.quiescence_nodes = 0
    worker.completed_depth = 0
    worker.best_changes = 0
    worker.null_allowed_from = 0
    is_main = worker.number == MAIN_WORKER
    limit = worker.limits.depth if worker.limits.depth else MAX_PLY - 1
    stable = 0
    last_best = NO
    best_so_far = NO
    for depth in range(1, min(limit, MAX_PLY - 1) + 1):
        worker.root_depth = depth
        for index in range(worker.root_count):
            worker.root[index].previous_score = worker.root[index].score
        for line in range(min(worker.lines, worker.root_count)):
            worker.line = line
            aspire(worker, np.int64(depth))
            if worker.stop:
                break
            sort_root(worker, 0, line + 1)
        if worker.stop:
            break
        for line in range(min(worker.lines, worker.root_count)):
            report_line(worker, line, np.int64(depth))
        worker.completed_depth = depth
        best = worker.root[0]
        stable = stable + 1 if best.move == last_best else 0
        last_best = np.int64(best.move)
        falling_cp = best_so_far - np.int64(best.score)
        best_so_far = np.int64(best.mean_score)
        if is_main and (
            mate_is_short_enough(worker) or is_time_to_stop(worker, stable, falling_cp)
        ):
            break
    return worker.completed_depth
