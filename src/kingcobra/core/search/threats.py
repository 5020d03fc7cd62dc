# SPDX-License-Identifier: GPL-3.0-or-later
"""Squares that the opponent attacks. Quiet moves go last where a lesser piece would take theirs,
and their history knows whether they leave or enter an attacked square."""

import numpy as np

from kingcobra.core.rules.attacks import (
    KING_ATTACKS,
    KNIGHT_ATTACKS,
    bishop_attacks,
    rook_attacks,
)
from kingcobra.core.rules.basics import BISHOP, KNIGHT, PAWN, QUEEN, ROOK
from kingcobra.core.rules.bitboards import EMPTY
from kingcobra.core.rules.pawn_steps import attacked
from kingcobra.core.rules.position import king_square, occupied
from kingcobra.core.search.layout import BY_ALL, BY_MINORS, BY_PAWNS, BY_ROOKS
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import bit, lsb, without_lsb

# What a quiet move loses that goes to a square attacked by a lesser piece, and gains that leaves
# one, in units of history, by piece type.
THREAT_WEIGHTS = np.array([0, 0, 7200, 7200, 12_800, 25_850, 0], np.int64)


@compiled
def note_threats(pos, threats):
    """Fills the maps of what the opponent of the side to move attacks."""
    side = pos.side ^ 1
    men = pos.by_colour[side]
    everything = occupied(pos)
    squares = attacked(side, pos.by_type[PAWN] & men)
    threats[BY_PAWNS] = squares
    pieces = pos.by_type[KNIGHT] & men
    while pieces:
        squares |= KNIGHT_ATTACKS[lsb(pieces)]
        pieces = without_lsb(pieces)
    pieces = pos.by_type[BISHOP] & men
    while pieces:
        squares |= bishop_attacks(lsb(pieces), everything)
        pieces = without_lsb(pieces)
    threats[BY_MINORS] = squares
    pieces = pos.by_type[ROOK] & men
    while pieces:
        squares |= rook_attacks(lsb(pieces), everything)
        pieces = without_lsb(pieces)
    threats[BY_ROOKS] = squares
    pieces = pos.by_type[QUEEN] & men
    while pieces:
        square = lsb(pieces)
        squares |= rook_attacks(square, everything) | bishop_attacks(square, everything)
        pieces = without_lsb(pieces)
    threats[BY_ALL] = squares | KING_ATTACKS[king_square(pos, side)]


@compiled
def threat_score(threats, piece_type, origin, target):
    """What a quiet move is worth to a piece that lesser ones threaten here or there."""
    by_lesser = EMPTY
    if piece_type == KNIGHT or piece_type == BISHOP:
        by_lesser = threats[BY_PAWNS]
    elif piece_type == ROOK:
        by_lesser = threats[BY_MINORS]
    elif piece_type == QUEEN:
        by_lesser = threats[BY_ROOKS]
    if by_lesser & bit(target):
        return -THREAT_WEIGHTS[piece_type]
    if by_lesser & bit(origin):
        return THREAT_WEIGHTS[piece_type]
    return np.int64(0)
