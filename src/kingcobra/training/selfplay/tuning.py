# SPDX-License-Identifier: GPL-3.0-or-later
"""Parameters of the search tuned by games inside compiled code (SPSA): in each pair of games one
side has every parameter moved up or down at random, the other side has each moved the other way."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from kingcobra.core.search.tunables import TUNABLES, Tunable
from kingcobra.statistics.spsa import GainSchedule, Parameter, Spsa
from kingcobra.training.data.blocks import DataError
from kingcobra.training.selfplay.network_match import PAIR_RESULTS
from kingcobra.training.selfplay.player import SelfPlayer
from kingcobra.training.selfplay.screening import (
    Factor,
    PlayedPair,
    PlayedScreening,
    Screening,
    ScreeningFile,
    Settings,
)

# Settings of a file by which the parameters follow from its pairs.
ITERATIONS, RATE, STEP_SCALE, SEED = "iterations", "rate", "step_scale", "seed"
# Half points of a pair that tells nothing.
EVEN = PAIR_RESULTS // 2
# The path goes on wandering around the best values: its last part has them in the middle.
SETTLED_SHARE = 0.25


class TunedValue(NamedTuple):
    """Where a parameter began, where it is, and its mean over the last quarter of its path."""

    parameter: Parameter
    last: float
    mean: float


class NodeTuning(Screening):
    """A match whose sides are plus and minus of an SPSA; adds what was played to a file."""

    def __init__(
        self,
        players: Sequence[SelfPlayer],
        file: ScreeningFile,
        pairs: int = 0,
        seconds: float = 0.0,
    ) -> None:
        """Goes on from what is in the file, until there are so many pairs in it, or for so long."""
        self._spsa = spsa_of(file.factors, file.settings)
        super().__init__(players, file.factors, file, int(file.settings[SEED]), pairs, seconds)
        for pair in file.pairs:
            learn_from(self._spsa, pair)

    def has_other(self, number: int) -> tuple[bool, ...]:
        return tuple(sign > 0 for sign in self._spsa.signs(number + 1).values())

    def sides(self, number: int) -> tuple[dict[str, int], dict[str, int]]:
        """Plus and minus around what is known at this moment."""
        with self.lock:
            probe = self._spsa.probe(number + 1)
        return probe.plus, probe.minus

    def note(self, pair: PlayedPair) -> None:
        super().note(pair)
        learn_from(self._spsa, pair)


def factors_around(tunables: Sequence[Tunable]) -> list[Factor]:
    """Parameters as the file names them: a step down and a step up from their defaults."""
    return [Factor(one.name, one.default - one.step, one.default + one.step) for one in tunables]


def schedule_settings(iterations: int, rate: float, step_scale: float) -> Settings:
    """What a file says of the schedule; ValueError where it makes none."""
    GainSchedule(iterations, rate, step_scale)
    return {ITERATIONS: iterations, RATE: rate, STEP_SCALE: step_scale}


def spsa_of(factors: Sequence[Factor], settings: Settings) -> Spsa:
    """The parameters before the first game of a file. DataError for one whose parameters are not
    known any more."""
    known = {tunable.name: tunable for tunable in TUNABLES}
    tunables = []
    for name, low, high in factors:
        if name not in known:
            raise DataError(f"tunes {name}, which is no parameter any more")
        default, step = (low + high) // 2, (high - low) // 2
        tunables.append(known[name]._replace(default=default, step=step))
    schedule = GainSchedule(
        int(settings[ITERATIONS]), float(settings[RATE]), float(settings[STEP_SCALE])
    )
    return Spsa(tunables, schedule, int(settings[SEED]))


def iteration_of(pair: PlayedPair) -> int:
    """Iterations count from one."""
    return pair.number + 1


def learn_from(spsa: Spsa, pair: PlayedPair) -> None:
    """Shifts the parameters by the result of a pair."""
    spsa.learn(iteration_of(pair), pair.half_points - EVEN)


def path_of(played: PlayedScreening) -> Iterator[tuple[PlayedPair, dict[str, float]]]:
    """The parameters after each pair, in the order in which the pairs ended."""
    spsa = spsa_of(played.factors, played.settings)
    for pair in played.pairs:
        learn_from(spsa, pair)
        yield pair, dict(spsa.values)


def tuned_values(played: PlayedScreening) -> list[TunedValue]:
    """What the games made of the parameters, those first that moved by most of their steps; none
    without a game."""
    path = [list(values.values()) for _, values in path_of(played)]
    if not path:
        return []
    settled = path[-max(1, round(len(path) * SETTLED_SHARE)) :]
    parameters = spsa_of(played.factors, played.settings).parameters
    means = np.mean(settled, axis=0).tolist()
    found = [TunedValue(*one) for one in zip(parameters, path[-1], means, strict=True)]
    return sorted(found, key=lambda one: -abs(steps_moved(one)))


def steps_moved(value: TunedValue) -> float:
    """How far the mean is from the start, in the parameter's steps."""
    return (value.mean - value.parameter.default) / value.parameter.step
