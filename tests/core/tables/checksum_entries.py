# SPDX-License-Identifier: GPL-3.0-or-later
"""One number over all positions of a table, legal or not: what the compiled numbering and
decompression of one CPU level must have in common with those of all others."""

import numpy as np

from kingcobra.core.rules.basics import COLOURS, NO_PIECE, PIECE_TYPES, SQUARES, colour_of, type_of
from kingcobra.core.rules.bitboards import EMPTY
from kingcobra.core.rules.layout import Position
from kingcobra.core.tables.layout import DRAW, WDL
from kingcobra.core.tables.lookup import table_value
from kingcobra.core.tables.views import prober_at
from kingcobra.kernel.compiled import compiled, entry
from kingcobra.kernel.instructions.bits import bit, multiply_low, popcount
from kingcobra.kernel.records import record_at

MULTIPLIER = np.uint64(0x9E37_79B9_7F4A_7C15)
MAN_BITS, MAN_MASK = 4, 15
MEN = 4
SQUARE_BITS = 6
SQUARE_MASK = SQUARES - 1

position_at = record_at(Position)


@compiled
def place(pos, men, squares):
    """Puts four men, four bits each, on four squares, six bits each; False where two share one."""
    for piece_type in range(PIECE_TYPES):
        pos.by_type[piece_type] = EMPTY
    for colour in range(COLOURS):
        pos.by_colour[colour] = EMPTY
    for number in range(MEN):
        man = men >> (MAN_BITS * number) & MAN_MASK
        here = bit(squares >> (SQUARE_BITS * number) & SQUARE_MASK)
        pos.by_type[NO_PIECE] |= here
        pos.by_type[type_of(man)] |= here
        pos.by_colour[colour_of(man)] |= here
    return popcount(pos.by_type[NO_PIECE]) == MEN


@entry
def checksum(prober_address, position_address, men):
    """Over all ways to place four men, with either side to move."""
    prober = prober_at(prober_address)
    pos = position_at(position_address)
    total = np.uint64(0)
    for squares in range(SQUARES**MEN):
        if place(pos, men, squares):
            for side in range(COLOURS):
                pos.side = side
                value = table_value(prober, pos, WDL, DRAW)
                total = multiply_low(total ^ np.uint64(value & SQUARE_MASK), MULTIPLIER)
                total ^= total >> np.uint64(32)
    return np.int64(total)
