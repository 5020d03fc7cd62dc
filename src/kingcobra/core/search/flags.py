# SPDX-License-Identifier: GPL-3.0-or-later
"""Flags and numbers that nodes of the search hand to each other.

They are 64-bit integers, never literals: Numba would compile the whole search once more for each
literal that is passed down.
"""

import numpy as np

from kingcobra.kernel.compiled import compiled

NO, YES = np.int64(0), np.int64(1)
NON_PV, PV = NO, YES
# Whether some move is expected to fail high.
NOT_CUT_NODE, CUT_NODE = NO, YES

ROOT_PLY, FIRST_PLY = np.int64(0), np.int64(1)
# The picker of the first node below the root.
FIRST_SLOT = np.int64(1)
# The shallowest search that is more than quiescence.
LEAST_DEPTH = np.int64(1)

# What a search that was stopped returns; its caller discards it.
STOPPED = np.int64(0)


@compiled
def child_of(cut_node):
    """The flag of a child that is searched with a null window: below an expected cut none is
    expected, and the other way round."""
    return np.int64(1 - cut_node)
