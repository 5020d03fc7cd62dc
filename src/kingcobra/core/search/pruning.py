# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules by which nodes and moves are pruned or reduced, one small function each."""

import numpy as np

from kingcobra.core.rules.basics import KING, NO_MOVE, PAWN, move_from, move_to
from kingcobra.core.rules.bitboards import EMPTY
from kingcobra.core.rules.exchange import exchange_reaches
from kingcobra.core.search.layout import PLY, REDUCTIONS, STACK_BEFORE_ROOT
from kingcobra.core.search.ordering import material_gain
from kingcobra.core.search.scores import NO_SCORE
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import bit

# Parts of a unit in which the singular margin is counted.
SINGULAR_SCALE = 64
# The most plies that a surplus over beta adds to the null move's reduction.
MOST_SURPLUS_PLIES = 3
# Futility of captures: greatest reduced depth, and how much history is worth one unit.
CAPTURE_FUTILITY_DEPTH = 6
HISTORY_PER_UNIT = 64
# How many cutoffs at the next ply are many.
MANY_CUTOFFS = 2


# --- whole nodes ------------------------------------------------------------------------------


@compiled
def has_pieces(pos, colour):
    """Whether a side has more than king and pawns. If not, passing is often the best move and the
    null move proves nothing."""
    return pos.by_colour[colour] & ~(pos.by_type[PAWN] | pos.by_type[KING]) != EMPTY


@compiled
def is_improving(worker, ply, evaluation):
    """Whether the side to move stands better than before its last move, or the one before that if
    it was in check then. Never at the first two plies: the root is not evaluated."""
    earlier = np.int64(worker.stack[STACK_BEFORE_ROOT + ply - 2].evaluation)
    if earlier == NO_SCORE:
        earlier = np.int64(worker.stack[STACK_BEFORE_ROOT + ply - 4].evaluation)
    return np.int64(earlier != NO_SCORE and evaluation > earlier)


@compiled
def razor_margin(params, depth):
    """How far below alpha quiescence alone decides a node."""
    return params.razor_base + params.razor_square * depth * depth


@compiled
def reverse_margin(params, depth, improving):
    """How far above beta a node is cut without being searched."""
    return params.reverse_margin * depth - params.reverse_improving * improving


@compiled
def may_pass(worker, ply):
    """Whether a pass can prove anything: not after another pass, nor after a move with a very good
    record, nor without pieces, nor where a pass is being verified."""
    before = worker.stack[STACK_BEFORE_ROOT + ply - 1]
    return (
        before.move != NO_MOVE
        and before.history <= worker.params.null_history
        and ply >= worker.null_allowed_from
        and has_pieces(worker.position, worker.position.side)
    )


@compiled
def pass_margin(params, depth):
    """How far above beta the static evaluation must be before a pass is tried: the less, the more
    depth is left."""
    return params.null_offset - params.null_depth_margin * depth


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
    two or three in the principal variation, elsewhere two or three."""
    double_margin = params.double_pv * is_pv - params.double_quiet * is_quiet
    triple_margin = double_margin + params.triple_margin
    return 1 + np.int64(below > double_margin) + np.int64(below > triple_margin)


# --- moves ------------------------------------------------------------------------------------


@compiled
def late_move_limit(params, depth, improving):
    """How many moves are tried before quiet ones are skipped: twice as many when improving."""
    return (params.late_base + depth * depth) >> (1 - improving)


@compiled
def is_futile_capture(worker, move, history, reduced, shortfall):
    """Whether a capture does not make up for an evaluation that falls so far short of alpha."""
    params = worker.params
    return reduced <= CAPTURE_FUTILITY_DEPTH and (
        params.capture_futility_base
        + params.capture_futility_margin * reduced
        + material_gain(worker.position, move)
        + history // HISTORY_PER_UNIT
        <= shortfall
    )


@compiled
def is_futile_quiet(params, reduced, shortfall):
    """Whether no quiet move makes up for an evaluation that falls so far short of alpha."""
    return (
        reduced <= params.futility_depth
        and params.futility_base + params.futility_margin * reduced <= shortfall
    )


@compiled
def loses_material(pos, params, move, reduced, attacked):
    """Whether a quiet move loses more by exchanges than the depth left to it excuses. Where the
    opponent attacks neither its origin nor its target, nothing can be taken there."""
    if attacked & (bit(move_from(move)) | bit(move_to(move))) == EMPTY:
        return False
    limit = params.see_base + params.see_quiet * reduced * reduced
    return not exchange_reaches(pos, move, -limit)


@compiled
def has_bad_record(params, history, reduced):
    """Whether a quiet move has failed so often that the depth left to it is not worth it."""
    return reduced <= params.history_prune_depth and history < -params.history_prune * (reduced + 1)


# --- reductions, in parts of a ply --------------------------------------------------------------


@compiled
def base_reduction(worker, depth, number):
    """The reduction that depth and move number suggest."""
    by_depth = worker.reductions[min(depth, REDUCTIONS - 1)]
    by_number = worker.reductions[min(number, REDUCTIONS - 1)]
    return worker.params.reduce_base + np.int64(by_depth) * by_number // PLY


@compiled
def window_reduction(worker, window):
    """How much less is reduced where the window is nearly as wide as the root's."""
    root_window = max(np.int64(worker.root_window), window)
    return window * worker.params.reduce_window // root_window


@compiled
def node_reduction(params, is_pv, cut_node, improving, hash_is_noisy, was_pv):
    """How much more the late moves of such a node are reduced."""
    reduction = np.int64(0)
    if not is_pv:
        reduction += params.reduce_not_pv
    if cut_node:
        reduction += params.reduce_cut
    if not improving:
        reduction += params.reduce_not_improving
    if hash_is_noisy:
        reduction += params.reduce_noisy_hash
    if was_pv:
        reduction -= params.reduce_was_pv
    return reduction


@compiled
def move_reduction(params, checks, history, cutoffs):
    """How much more such a late move is reduced. `cutoffs` counts those at the next ply, below this
    node and its siblings before."""
    reduction = -(history * PLY // params.reduce_history)
    if checks:
        reduction -= params.reduce_check
    if cutoffs > MANY_CUTOFFS:
        reduction += params.reduce_cutoffs
    return reduction
