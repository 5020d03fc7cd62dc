# SPDX-License-Identifier: GPL-3.0-or-later
"""When a search ends before its hard limits: after which iteration, by what it has found so far.

The soft limit is what a move gets on average. A share of it in thousandths is planned after each
iteration: the product of four factors, each for a reason to hurry or to look again.
"""

import numpy as np

from kingcobra.core.search.layout import REMEMBERED_SCORES
from kingcobra.core.search.steps import spent_ns
from kingcobra.kernel.compiled import compiled

PERMILLE = 1000
# Falling scores: the factor for a steady score before it is clamped, and its ends.
STEADY_PERMILLE = 114
LEAST_FALLING_PERMILLE, MOST_FALLING_PERMILLE = 580, 1675
# A best move that has stood for more iterations than this is settled.
SETTLED_ITERATIONS = 8
SETTLED_PERMILLE, UNSETTLED_PERMILLE = 1486, 705
# What is taken for the search before, where there was none.
UNKNOWN_SETTLED_PERMILLE = 850
SETTLED_BASE_PERMILLE, SETTLED_SCALE_PERMILLE = 1454, 2159
# One change of the best move; with every iteration changes count half as much as before.
ONE_CHANGE = 1024
# From this share of all nodes on, the best move leaves little to find elsewhere.
DOMINANT_PERMILLE = 930
SINGLE_REPLY_PERMILLE = 50


@compiled
def begin_timing(worker):
    """A new search: nothing has been found yet."""
    for index in range(worker.root_count):
        worker.root[index].effort = 0
    timing = worker.timing
    timing.changes = 0
    timing.settled_since = 0
    timing.iterations = 0


@compiled
def note_change(worker):
    """Another root move than the first has become the best."""
    worker.timing.changes += ONE_CHANGE


@compiled
def note_iteration(worker, is_new_best):
    """An iteration has ended; whether with another best move than the one before."""
    timing = worker.timing
    if is_new_best:
        timing.settled_since = timing.iterations
    timing.scores[timing.iterations % REMEMBERED_SCORES] = worker.root[0].score
    timing.iterations += 1


@compiled
def halve_changes(worker):
    """A new iteration begins."""
    worker.timing.changes //= 2


@compiled
def falling_permille(worker):
    """More time when the score falls: beside the last search's mean, if that was for the same side,
    and beside that of some iterations ago."""
    params = worker.params
    timing = worker.timing
    score = np.int64(worker.root[0].score)
    permille = np.int64(PERMILLE)
    if worker.last_side == worker.position.side + 1:
        permille = STEADY_PERMILLE + params.time_fallen * (np.int64(worker.last_mean) - score)
    if timing.iterations >= REMEMBERED_SCORES:
        oldest = np.int64(timing.scores[timing.iterations % REMEMBERED_SCORES])
        permille += params.time_fallen_lately * (oldest - score)
    return max(LEAST_FALLING_PERMILLE, min(MOST_FALLING_PERMILLE, permille))


@compiled
def settled_permille(worker):
    """How settled the best move is: greater after many iterations with the same one."""
    since = worker.timing.iterations - worker.timing.settled_since
    return np.int64(SETTLED_PERMILLE if since > SETTLED_ITERATIONS else UNSETTLED_PERMILLE)


@compiled
def stability_permille(worker):
    """Less time for a settled move, the less so if the last search has saved some already."""
    last = np.int64(worker.last_settled) if worker.last_settled else UNKNOWN_SETTLED_PERMILLE
    scale = SETTLED_SCALE_PERMILLE * settled_permille(worker)
    return (SETTLED_BASE_PERMILLE + last) * PERMILLE * PERMILLE // scale


@compiled
def change_permille(worker):
    """More time while the best move keeps changing."""
    return PERMILLE + worker.params.time_unstable * worker.timing.changes // ONE_CHANGE


@compiled
def effort_permille(worker):
    """Less time when nearly all nodes went into the best move: the others are refuted easily."""
    if worker.root[0].effort * PERMILLE >= np.int64(worker.nodes) * DOMINANT_PERMILLE:
        return np.int64(worker.params.time_dominant)
    return np.int64(PERMILLE)


@compiled
def planned_permille(worker):
    """The part of the soft limit that this search may use as things stand."""
    if worker.root_count == 1:
        return np.int64(SINGLE_REPLY_PERMILLE)
    permille = falling_permille(worker) * stability_permille(worker) // PERMILLE
    permille = permille * change_permille(worker) // PERMILLE
    return permille * effort_permille(worker) // PERMILLE


@compiled
def is_time_to_stop(worker):
    """Whether to begin no further iteration. While pondering the search goes on, but then it ends
    with `ponderhit`, unless by then it plans more time again."""
    limits = worker.limits
    if limits.soft_nodes and worker.nodes >= limits.soft_nodes:
        return True
    soft_ns = limits.soft_ns
    if soft_ns == 0:
        return False
    # Divided first: a year has too many nanoseconds.
    is_spent = spent_ns(worker) >= soft_ns // PERMILLE * planned_permille(worker)
    worker.ends_at_ponderhit = worker.pondering if is_spent else 0
    return is_spent and worker.pondering == 0


@compiled
def remember_search(worker):
    """Keeps what the next search will be compared with."""
    worker.last_side = worker.position.side + 1
    worker.last_mean = worker.root[0].mean_score
    worker.last_settled = settled_permille(worker)
