# SPDX-License-Identifier: GPL-3.0-or-later
"""Squares where a piece would be lost to a lesser one: quiet moves go there last."""

from typing import NamedTuple

import numpy as np

from kingcobra.core.rules.attacks import KNIGHT_ATTACKS, bishop_attacks, rook_attacks
from kingcobra.core.rules.basics import BISHOP, KNIGHT, PAWN, QUEEN, ROOK
from kingcobra.core.rules.bitboards import EMPTY
from kingcobra.core.rules.pawn_steps import attacked
from kingcobra.core.rules.position import occupied
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import bit, lsb, without_lsb

# What a quiet move loses that goes to such a square, and gains that leaves one, in units of
# history, by piece type.
THREAT_WEIGHTS = np.array([0, 0, 7200, 7200, 12_800, 25_850, 0], np.int64)


class Threats(NamedTuple):
    """Squares that a side attacks with pawns; with minor pieces or pawns; with anything but queen
    and king."""

    by_pawns: int
    by_minors: int
    by_rooks: int


@compiled
def threats_of(pos, side):
    """The threats of a side."""
    men = pos.by_colour[side]
    everything = occupied(pos)
    by_pawns = attacked(side, pos.by_type[PAWN] & men)
    by_minors = by_pawns
    pieces = pos.by_type[KNIGHT] & men
    while pieces:
        by_minors |= KNIGHT_ATTACKS[lsb(pieces)]
        pieces = without_lsb(pieces)
    pieces = pos.by_type[BISHOP] & men
    while pieces:
        by_minors |= bishop_attacks(lsb(pieces), everything)
        pieces = without_lsb(pieces)
    by_rooks = by_minors
    pieces = pos.by_type[ROOK] & men
    while pieces:
        by_rooks |= rook_attacks(lsb(pieces), everything)
        pieces = without_lsb(pieces)
    return Threats(by_pawns, by_minors, by_rooks)


@compiled
def threat_score(threats, piece_type, origin, target):
    """What a quiet move is worth to a piece that lesser ones threaten here or there."""
    by_lesser = EMPTY
    if piece_type == KNIGHT or piece_type == BISHOP:
        by_lesser = threats.by_pawns
    elif piece_type == ROOK:
        by_lesser = threats.by_minors
    elif piece_type == QUEEN:
        by_lesser = threats.by_rooks
    if by_lesser & bit(target):
        return -THREAT_WEIGHTS[piece_type]
    if by_lesser & bit(origin):
        return THREAT_WEIGHTS[piece_type]
    return np.int64(0)
