# SPDX-License-Identifier: GPL-3.0-or-later
"""Endgame tables inside the tree: when they are asked, and what their answers are worth."""

import numpy as np

from kingcobra.core.rules.position import occupied, present
from kingcobra.core.search.layout import EXACT, LOWER, UPPER
from kingcobra.core.search.scores import DRAW, TABLE_WIN
from kingcobra.core.search.steps import MAIN_WORKER, check_limits
from kingcobra.core.tables.layout import UNKNOWN
from kingcobra.core.tables.results import probe_wdl
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import popcount

# A table's answer is worth a search that is deeper by so many plies.
DEPTH_BONUS = 6
# Between a draw and a win that the fifty-move rule takes away, in units.
CURSED_UNITS = 2


@compiled
def probe_tables(worker, depth):
    """LOSS to WIN, or UNKNOWN where the tables are not asked or do not say. They count from an
    irreversible move on, so they are asked after one only. A probe may wait for a disk: the limits
    are checked after it."""
    pos = worker.position
    state = present(pos)
    men = popcount(occupied(pos))
    if (
        men > worker.table_men
        or (men == worker.table_men and depth < worker.table_depth)
        or state.fifty_plies != 0
        or state.castling_rights != 0
    ):
        return np.int64(UNKNOWN)
    result = np.int64(probe_wdl(worker.prober, pos))
    if result != UNKNOWN:
        worker.table_hits += 1
    if worker.number == MAIN_WORKER:
        check_limits(worker)
    return result


@compiled
def score_of_result(worker, result, ply):
    """The score of a table's answer at a ply. With the fifty-move rule, cursed wins and blessed
    losses are nearly draws."""
    if result > worker.table_fifty:
        return np.int64(TABLE_WIN - ply)
    if result < -worker.table_fifty:
        return np.int64(ply - TABLE_WIN)
    return np.int64(DRAW + CURSED_UNITS * result)


@compiled
def bound_of_result(worker, result):
    """What that score is: a win may yet be a mate, a loss may be worse."""
    if result > worker.table_fifty:
        return np.int64(LOWER)
    if result < -worker.table_fifty:
        return np.int64(UPPER)
    return np.int64(EXACT)


@compiled
def settles_window(score, bound, alpha, beta):
    """Whether a node with this window need not be searched: the score is known, or on which side of
    the window it lies."""
    return (
        bound == EXACT or (bound == LOWER and score >= beta) or (bound == UPPER and score <= alpha)
    )
