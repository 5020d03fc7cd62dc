# SPDX-License-Identifier: GPL-3.0-or-later
"""Endings in which material promises more than can be won.

The terms of the evaluation know nothing of fortresses or of pieces that cannot mate. In the few
endings below only a part of the advantage counts.
"""

import numpy as np

from kingcobra.core.classical.credit import DISTANCE
from kingcobra.core.rules.basics import (
    A8,
    BISHOP,
    FILES,
    KING,
    KNIGHT,
    MIRROR_RANKS,
    PAWN,
    QUEEN,
    ROOK,
)
from kingcobra.core.rules.bitboards import EMPTY, LIGHT_SQUARES, NOT_FILE_A, NOT_FILE_H
from kingcobra.core.rules.draws import is_insufficient_material
from kingcobra.core.rules.exchange import EXCHANGE_VALUES
from kingcobra.core.rules.position import king_square, pieces
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import bit, popcount

# Parts of the advantage that count.
ALL_PARTS = 64
NO_PARTS = 0
# A rook or a queen against nearly as much, and the same with a minor piece as all that defends.
BARE_ADVANTAGE_PARTS = 14
BARE_ADVANTAGE_PARTS_AGAINST_MINOR = 4
# Without pawns an advantage of a minor piece or less rarely wins.
MINOR_VALUE = EXCHANGE_VALUES[BISHOP]
ROOK_VALUE = EXCHANGE_VALUES[ROOK]
# Two knights against a bare king cannot force mate; against more they have less to hope for.
HARMLESS_KNIGHTS = 2
# A king this near to the corner cannot be driven away from it.
GUARDING_DISTANCE = 1


@compiled
def piece_value(pos, colour):
    """What a side's pieces are worth, pawns apart."""
    total = np.int64(0)
    for piece_type in range(KNIGHT, KING):
        total += EXCHANGE_VALUES[piece_type] * popcount(pieces(pos, colour, piece_type))
    return total


@compiled
def parts_without_pawns(pos, strong):
    """The parts of an advantage that count for a side without pawns."""
    if is_insufficient_material(pos):
        return NO_PARTS
    strong_value = piece_value(pos, strong)
    weak_value = piece_value(pos, strong ^ 1)
    knights = pieces(pos, strong, KNIGHT)
    only_knights = pos.by_colour[strong] == knights | pieces(pos, strong, KING)
    if only_knights and popcount(knights) <= HARMLESS_KNIGHTS and pos.by_type[PAWN] == EMPTY:
        return NO_PARTS
    if strong_value - weak_value > MINOR_VALUE:
        return ALL_PARTS
    if strong_value < ROOK_VALUE:
        return NO_PARTS
    if weak_value <= MINOR_VALUE:
        return BARE_ADVANTAGE_PARTS_AGAINST_MINOR
    return BARE_ADVANTAGE_PARTS


@compiled
def is_wrong_rook_pawn(pos, strong, file):
    """Whether a side whose pawns are all on this rook's file has no piece that controls the square
    where they promote, and the enemy king guards it."""
    helpers = pos.by_type[KNIGHT] | pos.by_type[ROOK] | pos.by_type[QUEEN]
    if pos.by_colour[strong] & helpers:
        return False
    corner = (A8 + file) ^ (strong * MIRROR_RANKS)
    same_colour = LIGHT_SQUARES if LIGHT_SQUARES & bit(corner) else ~LIGHT_SQUARES
    if pieces(pos, strong, BISHOP) & same_colour:
        return False
    return DISTANCE[king_square(pos, strong ^ 1), corner] <= GUARDING_DISTANCE


@compiled
def counting_units(white, parts):
    """The part of an advantage that counts, rounded towards zero: the same for both colours."""
    units = abs(white) * parts // ALL_PARTS
    return units if white > 0 else -units


@compiled
def winning_parts(pos, strong):
    """How much of the advantage of the side ahead counts, in parts of ALL_PARTS."""
    pawns = pieces(pos, strong, PAWN)
    if pawns == EMPTY:
        return parts_without_pawns(pos, strong)
    if pawns & NOT_FILE_A == EMPTY:
        return NO_PARTS if is_wrong_rook_pawn(pos, strong, 0) else ALL_PARTS
    if pawns & NOT_FILE_H == EMPTY:
        return NO_PARTS if is_wrong_rook_pawn(pos, strong, FILES - 1) else ALL_PARTS
    return ALL_PARTS
