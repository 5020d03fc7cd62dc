# SPDX-License-Identifier: GPL-3.0-or-later
"""Sets of squares as 64-bit words: typed constants and the shifts that stay on the board.

Bitboards are unsigned throughout. Mixing one with a plain integer would make Numba fall back to
signed numbers or even floats, so every constant here has its type.
"""

import numpy as np

from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import without_lsb

EMPTY = np.uint64(0)
EVERYTHING = np.uint64(0xFFFF_FFFF_FFFF_FFFF)

RANK_1 = np.uint64(0xFF)
RANK_3 = np.uint64(0xFF << 16)
RANK_6 = np.uint64(0xFF << 40)
RANK_8 = np.uint64(0xFF << 56)
LAST_RANKS = RANK_1 | RANK_8
NOT_FILE_A = np.uint64(0xFEFE_FEFE_FEFE_FEFE)
NOT_FILE_H = np.uint64(0x7F7F_7F7F_7F7F_7F7F)
LIGHT_SQUARES = np.uint64(0x55AA_55AA_55AA_55AA)

ONE_RANK = np.uint64(8)
ONE_RANK_LESS_A_FILE = np.uint64(7)
ONE_RANK_AND_A_FILE = np.uint64(9)


@compiled
def more_than_one(squares):
    """Whether at least two squares are in the set."""
    return without_lsb(squares) != EMPTY
