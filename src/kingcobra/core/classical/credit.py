# SPDX-License-Identifier: GPL-3.0-or-later
"""What all terms of the classical evaluation share: their weights, and geometry."""

import numpy as np

from kingcobra.core.classical.terms import OFFSETS
from kingcobra.core.classical.weights import ENDGAME, MIDDLEGAME
from kingcobra.core.rules.basics import COLOURS, FILES, MIRROR_RANKS, SQUARES, WHITE, rank_of
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import load_i16, store_u16

# A pair of weights in one number: the endgame in the upper half, the middlegame in the lower.
HALF = 1 << 16
PACKED = np.array([eg * HALF + mg for mg, eg in zip(MIDDLEGAME, ENDGAME, strict=True)], np.int64)

MATERIAL = OFFSETS["material"]
SQUARE = OFFSETS["square"]

_FILE_A = 0x0101_0101_0101_0101


def _front_spans():
    """For each colour and square: the squares ahead on its file, and on the files beside it."""
    ahead = np.zeros((COLOURS, SQUARES), np.uint64)
    beside = np.zeros((COLOURS, SQUARES), np.uint64)
    for square in range(SQUARES):
        file, rank = square % FILES, square // FILES
        for other in range(SQUARES):
            other_file, other_rank = other % FILES, other // FILES
            for colour in range(COLOURS):
                if other_rank > rank if colour == WHITE else other_rank < rank:
                    if other_file == file:
                        ahead[colour, square] |= np.uint64(1 << other)
                    elif abs(other_file - file) == 1:
                        beside[colour, square] |= np.uint64(1 << other)
    return ahead, beside


AHEAD, AHEAD_BESIDE = _front_spans()
FILE_SQUARES = np.array([_FILE_A << file for file in range(FILES)], np.uint64)
FILES_BESIDE = np.array(
    [
        sum(_FILE_A << other for other in (file - 1, file + 1) if 0 <= other < FILES)
        for file in range(FILES)
    ],
    np.uint64,
)
DISTANCE = np.array(
    [
        [max(abs(a % FILES - b % FILES), abs(a // FILES - b // FILES)) for b in range(SQUARES)]
        for a in range(SQUARES)
    ],
    np.int64,
)


@compiled
def credit(trace, us, index, count):
    """What a term gives White, `count` times over, from the side that has it. With a trace, the
    count is also added to the term's place there."""
    signed = count if us == WHITE else -count
    if trace is not None:
        store_u16(trace, index, np.uint64(load_i16(trace, index) + signed))
    return signed * PACKED[index]


@compiled
def placed(trace, us, piece_type, square):
    """A piece for what it is and where it stands."""
    place = piece_type * SQUARES + (square ^ (us * MIRROR_RANKS))
    return credit(trace, us, MATERIAL + piece_type, 1) + credit(trace, us, SQUARE + place, 1)


@compiled
def relative_rank(us, square):
    """The rank as its side counts it."""
    return rank_of(square ^ (us * MIRROR_RANKS))
