# SPDX-License-Identifier: GPL-3.0-or-later
"""Simultaneous perturbation stochastic approximation: tuning all parameters together.

Each iteration moves every parameter at once, up or down by the toss of a coin, lets the moved
values ("plus") play against those moved the other way ("minus"), and shifts every parameter a
little towards its value on the side that scored better. What one game says about one parameter is
nearly all noise, but the noise is shared: the number of games does not grow with the number of
parameters."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from kingcobra.core.search.tunables import Tunable

WIDTH_DECAY = 0.101
"""Exponent with which perturbations shrink."""
GAIN_DECAY = 0.602
"""Exponent with which the gain shrinks."""
STABILITY = 0.1
"""Part of all iterations that is added to their count, to hold back the first, largest gains."""


@dataclass(frozen=True)
class Schedule:
    """Perturbations and gains, iteration by iteration from 1. A parameter's last perturbation is
    `step_scale` of its steps; the last shift for each point is that times `rate`."""

    iterations: int
    rate: float
    step_scale: float = 1.0

    def __post_init__(self) -> None:
        if self.iterations < 1:
            raise ValueError(f"there must be one iteration at least, got {self.iterations}")
        for name, value in (("rate", self.rate), ("step scale", self.step_scale)):
            if not 0 < value < math.inf:
                raise ValueError(f"the {name} must be above zero, got {value}")

    def width(self, step: float, iteration: int) -> float:
        """How far a parameter of that step is moved to either side."""
        return step * self.step_scale * math.pow(self.iterations / iteration, WIDTH_DECAY)

    def shift(self, step: float, iteration: int) -> float:
        """How far a parameter of that step goes for each game that plus won more than minus."""
        calm = STABILITY * self.iterations
        last_gain = self.rate * (step * self.step_scale) ** 2
        growth = math.pow((calm + self.iterations) / (calm + iteration), GAIN_DECAY)
        return last_gain * growth / self.width(step, iteration)


@dataclass(frozen=True)
class Probe:
    """The two opponents of an iteration."""

    plus: dict[str, int]
    minus: dict[str, int]


class Spsa:
    """The parameters on their way. The coins of an iteration depend on the seed and its number
    alone, so a run can be taken up again with nothing but its results."""

    def __init__(self, tunables: Sequence[Tunable], schedule: Schedule, seed: int) -> None:
        self.tunables = tuple(tunables)
        self.schedule = schedule
        self.values = {tunable.name: float(tunable.default) for tunable in tunables}
        self._seed = seed

    def probe(self, iteration: int) -> Probe:
        """Whole values within their ranges. Rounding is by chance, with the same chance for both,
        so that on average nothing of a perturbation or of a small shift is lost."""
        coins = self._coins(iteration)
        chance = random.Random(f"rounding {self._seed} {iteration}")
        plus, minus = {}, {}
        for tunable in self.tunables:
            offset = coins[tunable.name] * self.schedule.width(tunable.step, iteration)
            lift = chance.random()
            value = self.values[tunable.name]
            plus[tunable.name] = math.floor(_within(tunable, value + offset) + lift)
            minus[tunable.name] = math.floor(_within(tunable, value - offset) + lift)
        return Probe(plus, minus)

    def learn(self, iteration: int, surplus: int) -> None:
        """`surplus`: games of the iteration that plus won, less those it lost."""
        coins = self._coins(iteration)
        for tunable in self.tunables:
            shift = self.schedule.shift(tunable.step, iteration) * coins[tunable.name] * surplus
            self.values[tunable.name] = _within(tunable, self.values[tunable.name] + shift)

    def rounded(self) -> dict[str, int]:
        """The values as whole numbers: what the search would be given."""
        return {name: round(value) for name, value in self.values.items()}

    def _coins(self, iteration: int) -> dict[str, int]:
        """+1 or -1 for each parameter."""
        source = random.Random(f"coins {self._seed} {iteration}")
        return {tunable.name: source.choice((-1, 1)) for tunable in self.tunables}


def _within(tunable: Tunable, value: float) -> float:
    return min(max(value, float(tunable.low)), float(tunable.high))
