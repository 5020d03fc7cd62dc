# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules by which nodes and moves are pruned or reduced, one small function each."""

import numpy as np

from kingcobra.core.rules.basics import KING, PAWN
from kingcobra.core.rules.bitboards import EMPTY
from kingcobra.core.search.layout import PLY, REDUCTIONS
from kingcobra.kernel.compiled import compiled

# Parts of a unit in which the singular margin is counted.
SINGULAR_SCALE = 64
# The most plies that a surplus over beta adds to the null move's reduction.
MOST_SURPLUS_PLIES = 3


@compiled
def has_pieces(pos, colour):
    """Whether a side has more than king and pawns. If not, passing is often the best move and the
    null move proves nothing."""
    return pos.by_colour[colour] & ~(pos.by_type[PAWN] | pos.by_type[KING]) != EMPTY


@compiled
def razor_margin(params, depth):
    """How far below alpha quiescence alone decides a node."""
    return params.razor_base + params.razor_square * depth * depth


@compiled
def reverse_margin(params, depth, improving):
    """How far above beta a node is cut without being searched."""
    return params.reverse_margin * depth - params.reverse_improving * improving


@compiled
def null_reduction(params, depth, surplus):
    """By how many plies the search after a pass is shallower."""
    for_surplus = min(surplus // params.null_margin, MOST_SURPLUS_PLIES)
    return params.null_base + depth // params.null_divisor + for_surplus


@compiled
def singular_margin(params, depth, is_pv, was_pv):
    """How far below the hash score all other moves must fail."""
    a_ply = params.singular_margin + params.singular_was_pv * was_pv * (1 - is_pv)
    return a_ply * depth // SINGULAR_SCALE


@compiled
def singular_extension(params, below, is_pv, is_quiet):
    """By how many plies a hash move is extended when all others fail so far below the bound: one,
    two or three."""
    double_margin = params.double_pv * is_pv - params.double_quiet * is_quiet
    triple_margin = double_margin + params.triple_margin
    return 1 + np.int64(below > double_margin) + np.int64(below > triple_margin)


@compiled
def late_move_limit(params, depth, improving):
    """How many moves are tried before quiet ones are skipped: twice as many when improving."""
    return (params.late_base + depth * depth) // (2 - improving)


@compiled
def base_reduction(worker, depth, number):
    """The reduction that depth and move number suggest, in parts of a ply."""
    by_depth = worker.reductions[min(depth, REDUCTIONS - 1)]
    by_number = worker.reductions[min(number, REDUCTIONS - 1)]
    return worker.params.reduce_base + np.int64(by_depth) * by_number // PLY


@compiled
def window_reduction(worker, window):
    """How much less is reduced where the window is nearly as wide as the root's, in parts of a
    ply."""
    root_window = max(np.int64(worker.root_window), window)
    return window * worker.params.reduce_window // root_window
