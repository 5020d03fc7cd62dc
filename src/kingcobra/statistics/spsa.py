# SPDX-License-Identifier: GPL-3.0-or-later
"""Simultaneous perturbation stochastic approximation: tuning all parameters together.

Each iteration moves all parameters at once, each up or down at random, lets the moved values
("plus") play against those moved the other way ("minus"), and shifts every parameter a little
towards the side that scored better. A game says next to nothing about one parameter, but it says it
about all of them at once: the number of games does not grow with the number of parameters."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

WIDTH_DECAY = 0.101
"""Exponent with which perturbations shrink."""
GAIN_DECAY = 0.602
"""Exponent with which the gain shrinks."""
STABILITY = 0.1
"""Share of all iterations that is added to their count, to reduce the first, largest gains."""


class Parameter(Protocol):
    """What is tuned: where it starts, its range, and the smallest step that makes a difference."""

    @property
    def name(self) -> str: ...
    @property
    def default(self) -> int: ...
    @property
    def low(self) -> int: ...
    @property
    def high(self) -> int: ...
    @property
    def step(self) -> int: ...


@dataclass(frozen=True)
class GainSchedule:
    """Perturbations and gains, iteration by iteration from 1. A parameter's last perturbation is
    `step_scale` of its steps; the last shift for each point is that times `rate`."""

    iterations: int
    rate: float
    step_scale: float = 1.0

    def __post_init__(self) -> None:
        if self.iterations < 1:
            raise ValueError(f"iterations must be at least 1, got {self.iterations}")
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
    """The values of the two opponents of an iteration."""

    plus: dict[str, int]
    minus: dict[str, int]


class Spsa:
    """The parameters during a run. The random signs of an iteration depend only on the seed and its
    number, so a run can be resumed from its results alone."""

    def __init__(self, parameters: Sequence[Parameter], schedule: GainSchedule, seed: int) -> None:
        self.parameters = tuple(parameters)
        self.schedule = schedule
        self.values = {parameter.name: float(parameter.default) for parameter in parameters}
        self._seed = seed

    def probe(self, iteration: int) -> Probe:
        """Whole values within their ranges. Rounding is random, with the same random number for
        both sides, so that on average no perturbation or small shift is lost."""
        signs = self.signs(iteration)
        rounding = random.Random(f"rounding {self._seed} {iteration}")
        plus, minus = {}, {}
        for parameter in self.parameters:
            offset = signs[parameter.name] * self.schedule.width(parameter.step, iteration)
            lift = rounding.random()
            value = self.values[parameter.name]
            plus[parameter.name] = math.floor(_within(parameter, value + offset) + lift)
            minus[parameter.name] = math.floor(_within(parameter, value - offset) + lift)
        return Probe(plus, minus)

    def learn(self, iteration: int, surplus: int) -> None:
        """Shifts the parameters. `surplus`: games of the iteration that plus won less those it
        lost."""
        signs = self.signs(iteration)
        for parameter in self.parameters:
            shift = self.schedule.shift(parameter.step, iteration) * signs[parameter.name] * surplus
            self.values[parameter.name] = _within(parameter, self.values[parameter.name] + shift)

    def rounded(self) -> dict[str, int]:
        """The values as whole numbers: what the search would be given."""
        return {name: round(value) for name, value in self.values.items()}

    def signs(self, iteration: int) -> dict[str, int]:
        """+1 where plus is moved up, -1 where it is moved down."""
        source = random.Random(f"coins {self._seed} {iteration}")
        return {parameter.name: source.choice((-1, 1)) for parameter in self.parameters}


def _within(parameter: Parameter, value: float) -> float:
    return min(max(value, float(parameter.low)), float(parameter.high))
