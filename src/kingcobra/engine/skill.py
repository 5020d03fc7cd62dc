# SPDX-License-Identifier: GPL-3.0-or-later
"""Weaker play: a random choice among the best lines of a shallow depth.

The search itself does not change. The lower the level, the shallower the depth whose lines are
kept, and the likelier a worse choice.
"""

import math
from collections.abc import Sequence
from itertools import pairwise

FULL_LEVEL = 20
# For how many units that it is worse a line is e times less likely to be chosen: NARROWEST_UNITS,
# and at level zero WIDER_UNITS more. Half of these are left at HALF_LEVEL, and beyond it they fall
# with the fourth power of the level.
NARROWEST_UNITS = 18.0
WIDER_UNITS = 119.0
HALF_LEVEL = 4.1
NARROWING_POWER = 4

# The level for each UCI_Elo, linear in between: a rating plays about as well as Stockfish 15.1 at
# that rating, with the default network (docs/measurements.md).
LEVEL_AT_ELO = (
    (1320, 0.0),
    (1350, 0.1),
    (1490, 1.0),
    (1597, 2.0),
    (1694, 3.0),
    (1785, 4.0),
    (1871, 5.0),
    (2035, 7.0),
    (2264, 10.0),
    (2480, 13.0),
    (2686, 16.0),
    (2886, 19.0),
    (3190, 19.9),
)

# The generator: xorshift with multiplication, 64 bits.
WORD = (1 << 64) - 1
MULTIPLIER = 0x2545F4914F6CDD1D
DEFAULT_SEED = 0x9E3779B97F4A7C15
FRACTION_BITS = 53


class Skill:
    """A level from zero to FULL_LEVEL, not always whole."""

    def __init__(self, level: float = FULL_LEVEL) -> None:
        self.level = level

    @property
    def is_full(self) -> bool:
        """Whether it plays at full strength."""
        return self.level >= FULL_LEVEL

    @property
    def depth(self) -> int:
        """The depth whose lines are chosen from."""
        return 1 + int(self.level)

    def choice(self, scores: Sequence[int], random: float) -> int:
        """The index of one of the scores, by a random number from zero to below one."""
        narrowing = 1 + (self.level / HALF_LEVEL) ** NARROWING_POWER
        width = NARROWEST_UNITS + WIDER_UNITS / narrowing
        best = max(scores)
        weights = [math.exp((score - best) / width) for score in scores]
        left = random * sum(weights)
        for index, weight in enumerate(weights):
            left -= weight
            if left < 0:
                return index
        return 0


def skill_of_elo(elo: int) -> Skill:
    """The level that plays at that rating."""
    points = LEVEL_AT_ELO
    for (low, from_level), (high, to_level) in pairwise(points):
        if elo <= high:
            share = max(elo - low, 0) / (high - low)
            return Skill(from_level + share * (to_level - from_level))
    return Skill(points[-1][1])


def next_state(state: int) -> int:
    """The generator's next state; never zero if the present one is not."""
    state ^= state >> 12
    state ^= state << 25 & WORD
    return state ^ state >> 27


def fraction(state: int) -> float:
    """A state as a number from zero to below one."""
    return float((state * MULTIPLIER & WORD) >> (64 - FRACTION_BITS)) / (1 << FRACTION_BITS)
