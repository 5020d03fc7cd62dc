# SPDX-License-Identifier: GPL-3.0-or-later
"""The search at the root: iterative deepening, aspiration windows, several lines."""

import numpy as np

from kingcobra.core.rules.basics import NO_MOVE
from kingcobra.core.rules.checks import gives_check
from kingcobra.core.rules.position import present, unmake
from kingcobra.core.search.answer import finish, settle_draws
from kingcobra.core.search.flags import (
    CUT_NODE,
    FIRST_PLY,
    FIRST_SLOT,
    LEAST_DEPTH,
    NON_PV,
    NOT_CUT_NODE,
    PV,
    ROOT_PLY,
)
from kingcobra.core.search.histories import fade_history, forget_siblings, is_noisy
from kingcobra.core.search.layout import (
    EXACT,
    LOWER,
    NO_PIECE_TO,
    PICKED_LINES,
    PLY,
    STACK,
    UPPER,
)
from kingcobra.core.search.mate import begin_proofs, is_mate_refuted, look_for_mate
from kingcobra.core.search.node import search
from kingcobra.core.search.pruning import base_reduction
from kingcobra.core.search.reports import (
    clear_reported,
    report_current_move,
    report_line,
    report_lines,
    report_news,
    report_refutations,
    takes_a_while,
)
from kingcobra.core.search.root import (
    BEST_LINE,
    copy_root,
    end_of_rank,
    line_count,
    sort_root,
    start_of_rank,
)
from kingcobra.core.search.scores import (
    INFINITE,
    MATE,
    MATE_BAND,
    MAX_PLY,
    NO_SCORE,
)
from kingcobra.core.search.steps import (
    MAIN_WORKER,
    begin_clock,
    check_limits,
    check_stop,
    play,
    prefetch_after,
    stack_at,
)
from kingcobra.core.search.timing import (
    begin_timing,
    halve_changes,
    is_time_to_stop,
    note_change,
    note_iteration,
    remember_search,
)
from kingcobra.kernel.compiled import compiled

# Below this depth scores jump about too much for a window.
WINDOW_DEPTH = 4
ROOT_REDUCTION_DEPTH = np.int64(3)
ROOT_FULL_MOVES = 2
PERCENT = 100


@compiled
def clear_stack(worker):
    """Forgets the last search's nodes."""
    for index in range(STACK):
        entry = worker.stack[index]
        entry.evaluation = NO_SCORE
        entry.piece_to = NO_PIECE_TO
        entry.move = NO_MOVE
        entry.excluded = NO_MOVE
        entry.in_check = 0
        entry.was_pv = 0
        entry.pv_length = 0
        entry.number = 0
        entry.history = 0
        forget_siblings(entry)


# --- the root's list --------------------------------------------------------------------------


@compiled
def note_root_best(worker, root_move, score, bound):
    """A root move has become the best of its line."""
    root_move.score = score
    root_move.line_score = score
    root_move.bound = bound
    root_move.depth = worker.root_depth
    root_move.deepest = worker.deepest
    length = stack_at(worker, FIRST_PLY).pv_length
    # A search that failed high or low found no line; the last one known is better than none.
    if length == 0 and bound != EXACT:
        return
    for index in range(length):
        root_move.pv[index + 1] = worker.pv[FIRST_PLY, index]
    root_move.pv_length = length + 1


@compiled
def search_first(worker, alpha, beta, depth, is_pv, cut_node):
    """`search` for the first node below the root."""
    return search(worker, alpha, beta, depth, FIRST_PLY, FIRST_SLOT, is_pv, cut_node)


@compiled
def search_root(worker, alpha, beta, depth):
    """As `search`, over the root moves that the present line is chosen from. A move that does not
    become best gets the worst score; sorting then leaves the order of such moves alone."""
    pos = worker.position
    here = stack_at(worker, ROOT_PLY)
    here.in_check = present(pos).checkers != 0
    here.pv_length = 0
    worker.root_window = beta - alpha
    least_reduced = max(ROOT_REDUCTION_DEPTH, np.int64(worker.params.reduce_depth))
    best = -np.int64(INFINITE)
    number = 0
    for index in range(worker.line, worker.line_end):
        root_move = worker.root[index]
        move = np.int64(root_move.move)
        number += 1
        here.number = number
        here.history = 0
        report_current_move(worker, move, index + 1, depth)
        noisy = is_noisy(pos, move)
        checks = gives_check(pos, move)
        first = stack_at(worker, FIRST_PLY)
        first.excluded = NO_MOVE
        first.move = NO_MOVE
        stack_at(worker, FIRST_PLY + 1).cutoffs = 0
        nodes_before = np.int64(worker.nodes)
        prefetch_after(worker, move)
        play(worker, ROOT_PLY, move)
        score = np.int64(0)
        new_depth = depth - 1
        if depth >= least_reduced and number > ROOT_FULL_MOVES and not noisy and not checks:
            reduced = max(LEAST_DEPTH, new_depth - base_reduction(worker, depth, number) // PLY)
            score = -search_first(worker, -alpha - 1, -alpha, reduced, NON_PV, CUT_NODE)
            if score > alpha and reduced < new_depth:
                score = -search_first(worker, -alpha - 1, -alpha, new_depth, NON_PV, CUT_NODE)
        elif number > 1:
            score = -search_first(worker, -alpha - 1, -alpha, new_depth, NON_PV, CUT_NODE)
        if number == 1 or score > alpha:
            score = -search_first(worker, -beta, -alpha, new_depth, PV, NOT_CUT_NODE)
        unmake(pos, move)
        root_move.effort += worker.nodes - nodes_before
        if worker.stopped:
            return best
        # The move that cut last is the refutation; none was made where the table cut.
        if score <= alpha and first.move != NO_MOVE:
            root_move.reply = first.move
        if number == 1 or score > alpha:
            bound = LOWER if score >= beta else UPPER if score <= alpha else EXACT
            note_root_best(worker, root_move, score, bound)
            update_mean(root_move, score)
        else:
            root_move.score = -INFINITE
        if score > best:
            best = score
            if score > alpha:
                if number > 1 and worker.line == 0:
                    note_change(worker)
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


# --- deepening --------------------------------------------------------------------------------


@compiled
def aspire(worker, depth):
    """Searches one line with a window around its last score, widening it until the score fits."""
    params = worker.params
    first = worker.root[worker.line]
    alpha = -np.int64(INFINITE)
    beta = np.int64(INFINITE)
    delta = np.int64(INFINITE)
    if depth >= WINDOW_DEPTH and first.mean_score != -INFINITE:
        centre = np.int64(first.mean_score)
        delta = params.window_start + abs(np.int64(first.mean_square)) // params.window_variance
        alpha = max(centre - delta, -np.int64(INFINITE))
        beta = min(centre + delta, np.int64(INFINITE))
    failed_high = 0
    while True:
        worker.deepest = 0
        reduced = max(LEAST_DEPTH, depth - failed_high)
        best = search_root(worker, alpha, beta, reduced)
        sort_root(worker, worker.line, worker.line_end)
        if worker.stopped:
            return
        if best <= alpha:
            if worker.line == BEST_LINE:
                # The move may be wrong after all: `ponderhit` leaves time to look for another.
                worker.ends_at_ponderhit = 0
            beta = (alpha + beta) // 2
            alpha = max(best - delta, -np.int64(INFINITE))
            failed_high = 0
        elif best >= beta:
            beta = min(best + delta, np.int64(INFINITE))
            failed_high += 1
        else:
            return
        if worker.lines == 1 and takes_a_while(worker):
            report_line(worker, worker.line)
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
def keep_picked(worker):
    """Keeps the best lines as they stand, for weaker play to choose from."""
    worker.picked_count = min(line_count(worker), PICKED_LINES)
    for index in range(worker.picked_count):
        copy_root(worker.picked[index], worker.root[index])


@compiled
def is_answered(worker, depth):
    """Whether `go mate` has its answer: a mate that is short enough, which is then reported, or a
    proof that there is none."""
    if worker.limits.mate == 0:
        return False
    if mate_is_short_enough(worker):
        return True
    if look_for_mate(worker, depth):
        report_lines(worker)
        return True
    return is_mate_refuted(worker)


@compiled
def think(worker):
    """Searches the root moves until a limit or `stop`, but at least to depth 1 unless that alone
    takes FIRST_DEPTH_NODES. They end up ranked, the first with its line; each completed line has
    been reported."""
    clear_stack(worker)
    clear_reported(worker)
    fade_history(worker)
    worker.stopped = 0
    worker.ends_at_ponderhit = 0
    begin_timing(worker)
    begin_clock(worker)
    worker.nodes = 0
    worker.quiescence_nodes = 0
    worker.table_hits = 0
    worker.completed_depth = 0
    worker.null_allowed_from = 0
    worker.picked_count = 0
    is_main = worker.number == MAIN_WORKER
    limit = worker.limits.depth if worker.limits.depth else MAX_PLY - 1
    if is_main and worker.limits.mate:
        begin_proofs(worker)
    worker.finished_best.move = NO_MOVE
    worker.finished_best.pv_length = 0
    for depth in range(1, min(limit, MAX_PLY - 1) + 1):
        worker.root_depth = depth
        halve_changes(worker)
        for index in range(worker.root_count):
            worker.root[index].previous_score = worker.root[index].score
        for line in range(line_count(worker)):
            worker.line = line
            worker.line_end = end_of_rank(worker, np.int64(line))
            aspire(worker, np.int64(depth))
            if worker.stopped:
                break
            sort_root(worker, start_of_rank(worker, np.int64(line)), line + 1)
            if line + 1 < line_count(worker) and takes_a_while(worker):
                report_news(worker)
        if worker.stopped:
            break
        settle_draws(worker)
        report_lines(worker)
        report_refutations(worker, np.int64(depth))
        worker.completed_depth = depth
        check_stop(worker)
        if depth <= worker.pick_depth:
            keep_picked(worker)
        note_iteration(worker, worker.root[0].move != worker.finished_best.move)
        copy_root(worker.finished_best, worker.root[0])
        if is_main:
            check_limits(worker)
            if is_answered(worker, np.int64(depth)) or is_time_to_stop(worker):
                break
        if worker.stopped:
            break
    finish(worker)
    remember_search(worker)
    return worker.completed_depth
