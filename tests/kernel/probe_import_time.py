# SPDX-License-Identifier: GPL-3.0-or-later
"""A table that compiled functions fill while the module is imported."""

import numpy as np

from kingcobra.kernel.compiled import compiled, entry
from kingcobra.kernel.instructions.bits import popcount

COUNTS_LENGTH = 256


@compiled
def twice_the_bits(word):
    return 2 * popcount(word)


TWICE = np.array([twice_the_bits(np.uint64(word)) for word in range(COUNTS_LENGTH)], np.int64)


@entry
def twice(word):
    return TWICE[word]
