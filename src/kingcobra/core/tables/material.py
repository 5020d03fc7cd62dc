# SPDX-License-Identifier: GPL-3.0-or-later
"""Material keys: how many men of each kind there are, four bits for each kind, kings apart."""

import numpy as np

from kingcobra.core.rules.basics import COLOURS, KING, PAWN
from kingcobra.core.rules.position import pieces
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import popcount

KINDS = KING - PAWN
COUNT_BITS = 4
SIDE_BITS = KINDS * COUNT_BITS
SIDE_MASK = (1 << SIDE_BITS) - 1
COUNT_MASK = (1 << COUNT_BITS) - 1


@compiled
def shift_of(colour, piece_type):
    """Where the count of a kind of men begins in a key."""
    return colour * SIDE_BITS + (piece_type - PAWN) * COUNT_BITS


@compiled
def count_in(key, colour, piece_type):
    """How many men of a kind a key stands for; one king always."""
    if piece_type == KING:
        return 1
    return key >> shift_of(colour, piece_type) & COUNT_MASK


@compiled
def mirrored(key):
    """The key with the colours exchanged."""
    return key >> SIDE_BITS | (key & SIDE_MASK) << SIDE_BITS


@compiled
def material_key(pos):
    """The key of a position; zero for bare kings."""
    key = np.int64(0)
    for colour in range(COLOURS):
        for piece_type in range(PAWN, KING):
            key |= popcount(pieces(pos, colour, piece_type)) << shift_of(colour, piece_type)
    return key
