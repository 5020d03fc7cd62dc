# SPDX-License-Identifier: GPL-3.0-or-later
"""Random numbers of a game: the same for the same seed and the same game, on any thread."""

import numpy as np

from kingcobra.core.selfplay.layout import PERMILLE
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import multiply_high, multiply_low

# Odd numbers without a pattern: the golden ratio's fraction, and the multiplier of xorshift64*.
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MULTIPLIER = np.uint64(0x2545F4914F6CDD1D)
HALF_WORD = np.uint64(32)
SHIFT_1, SHIFT_2, SHIFT_3 = np.uint64(12), np.uint64(25), np.uint64(27)
ZERO = np.uint64(0)


@compiled
def mixed(word):
    """A word that looks unlike its neighbours' ones."""
    word = multiply_low(word ^ word >> HALF_WORD, MULTIPLIER)
    word = multiply_low(word ^ word >> HALF_WORD, GOLDEN)
    return word ^ word >> HALF_WORD


@compiled
def begin_chances(player, number):
    """Starts the numbers of a game."""
    state = mixed(mixed(player.rules.seed) ^ multiply_low(np.uint64(number + 1), GOLDEN))
    player.random_state = GOLDEN if state == ZERO else state


@compiled
def random_below(player, limit):
    """A number from 0 to below the limit."""
    state = player.random_state
    state = state ^ state >> SHIFT_1
    state = state ^ state << SHIFT_2
    state = state ^ state >> SHIFT_3
    player.random_state = state
    return np.int64(multiply_high(multiply_low(state, MULTIPLIER), np.uint64(limit)))


@compiled
def happens(player, share):
    """True in `share` cases of a thousand."""
    return random_below(player, np.int64(PERMILLE)) < share
