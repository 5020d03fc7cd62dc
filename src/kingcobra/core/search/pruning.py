# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules by which nodes and moves are left out, one small function each."""

import numpy as np

from kingcobra.core.rules.basics import KING, PAWN
from kingcobra.core.rules.bitboards import EMPTY
from kingcobra.core.search.layout import PLY, REDUCTIONS
from kingcobra.kernel.compiled import compiled

SINGULAR_SCALE = 64


@compiled
def has_pieces(pos, colour):
    """Whether a side has more than king and pawns: without, passing is often best and the null
    move proves nothing."""
    return pos.by_colour[colour] & ~(pos.by_type[PAWN] | pos.by_type[KING]) != EMPTY


@compiled
def razor_margin(params, depth):
    """How far below alpha a node is given to quiescence."""
    return params.razor_base + params.razor_square * depth * depth


@compiled
def reverse_margin(params, depth, improving):
    """How far above beta a node is left without being searched."""
    return params.reverse_margin * depth - params.reverse_improving * improving


@compiled
def null_reduction(params, depth, surplus):
    """By how many plies the search after a pass is shallower."""
    return params.null_base + depth // params.null_divisor + min(surplus // params.null_margin, 3)


@compiled
def late_move_limit(params, depth, improving):
    """How many moves are tried before quiet ones are skipped."""
    return (params.late_base + depth * depth) // (2 - improving)


@compiled
def base_reduction(worker, depth, number):
    """The reduction that depth and move number suggest, in parts of a ply."""
    by_depth = worker.reductions[min(depth, REDUCTIONS - 1)]
    by_number = worker.reductions[min(number, REDUCTIONS - 1)]
    return worker.params.reduce_base + np.int64(by_depth) * by_number // PLY
