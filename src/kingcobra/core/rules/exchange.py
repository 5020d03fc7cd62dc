# SPDX-License-Identifier: GPL-3.0-or-later
"""Static exchange evaluation: what a series of captures on one square is worth.

Each side captures with its least valuable piece and may stop at any time. Pieces that were pinned
before the exchange take no part while a pinner of that side's king is still on the board.
"""

import numpy as np

from kingcobra.core.rules.attacks import bishop_attacks, rook_attacks
from kingcobra.core.rules.basics import (
    BISHOP,
    CASTLING,
    EN_PASSANT,
    KING,
    NORTH,
    PAWN,
    PROMOTION,
    QUEEN,
    ROOK,
    move_from,
    move_kind,
    move_promotion,
    move_to,
    type_of,
)
from kingcobra.core.rules.bitboards import EMPTY
from kingcobra.core.rules.position import (
    attackers_of,
    diagonal_sliders,
    occupied,
    present,
    straight_sliders,
)
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import bit, lsb

# By piece type, in internal units: a pawn is PAWN_UNITS of core/evaluation. Losing the king is not
# a question of material, so it has no value here.
EXCHANGE_VALUES = np.array([0, 100, 320, 330, 500, 950, 0], np.int64)


@compiled
def least_valuable(pos, candidates):
    """The type of the least valuable piece among the candidates, which are not empty."""
    for piece_type in range(PAWN, KING):
        if candidates & pos.by_type[piece_type]:
            return piece_type
    return KING


@compiled
def uncovered(pos, target, piece_type, blocking):
    """Sliders that see the target now that a piece of this type has left its square."""
    found = EMPTY
    if piece_type == PAWN or piece_type == BISHOP or piece_type == QUEEN:
        found |= bishop_attacks(target, blocking) & diagonal_sliders(pos)
    if piece_type == ROOK or piece_type == QUEEN:
        found |= rook_attacks(target, blocking) & straight_sliders(pos)
    return found


@compiled
def exchange_reaches(pos, move, threshold):
    """Whether a legal move and the captures that follow on its target square gain the mover at
    least `threshold`, in internal units."""
    us = pos.side
    kind = move_kind(move)
    if kind == CASTLING:
        return threshold <= 0
    state = present(pos)
    origin = move_from(move)
    target = move_to(move)
    # The target is left out: nothing looks across it, and a pinner captured there pins no more.
    blocking = occupied(pos) & ~(bit(origin) | bit(target))
    gain = EXCHANGE_VALUES[type_of(pos.board[target])]
    at_risk = EXCHANGE_VALUES[type_of(pos.board[origin])]
    if kind == EN_PASSANT:
        blocking ^= bit(target ^ NORTH)
        gain = EXCHANGE_VALUES[PAWN]
    elif kind == PROMOTION:
        at_risk = EXCHANGE_VALUES[move_promotion(move)]
        gain += at_risk - EXCHANGE_VALUES[PAWN]

    # `margin` is how far the side ahead is above its aim should the exchange end now. Aims are
    # complementary: one side wants the threshold, the other anything below it.
    ahead = us
    margin = gain - threshold
    if margin < 0:
        return False
    if margin >= at_risk:
        return True  # even if the piece is lost
    attackers = attackers_of(pos, target, blocking)
    while True:
        challenger = ahead ^ 1
        attackers &= blocking
        candidates = attackers & pos.by_colour[challenger]
        if state.pinners[ahead] & blocking:
            candidates &= ~state.blockers[challenger]
        if candidates == EMPTY:
            break
        margin = at_risk - margin - 1
        if margin < 0:
            break
        piece_type = least_valuable(pos, candidates)
        if piece_type == KING and attackers & pos.by_colour[ahead]:
            break
        blocking ^= bit(lsb(candidates & pos.by_type[piece_type]))
        attackers |= uncovered(pos, target, piece_type, blocking)
        at_risk = EXCHANGE_VALUES[piece_type]
        ahead = challenger
    return ahead == us
