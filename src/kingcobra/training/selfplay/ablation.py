# SPDX-License-Identifier: GPL-3.0-or-later
"""What each technique of the search is worth: games of a search without it against the whole one.
Techniques take turns, a pair of games each, so whenever it ends all have played as much."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from kingcobra.core.search.techniques import Technique
from kingcobra.core.search.tunables import DEFAULTS
from kingcobra.statistics.elo import elo
from kingcobra.training.selfplay.network_match import PAIR_RESULTS
from kingcobra.training.selfplay.player import SelfPlayer
from kingcobra.training.selfplay.screening import (
    Factor,
    PlayedPair,
    Screening,
    ScreeningFile,
)

WITH, WITHOUT = 1, 0
# Nothing is drawn at random.
NO_SEED = 0


class Worth(NamedTuple):
    """What the search loses without a technique, in Elo, with its error at 95 %; infinite where the
    games do not tell. `pairs` are the results of those without it: none to four half points."""

    name: str
    elo: float
    error: float
    pairs: tuple[int, ...]

    @property
    def is_resolved(self) -> bool:
        """Whether the games tell gain from loss."""
        return abs(self.elo) > self.error


def factors_of(techniques: Sequence[Technique]) -> list[Factor]:
    """Techniques as a file of results names them."""
    return [Factor(technique.name, WITH, WITHOUT) for technique in techniques]


class Ablation(Screening):
    """A match of the search against itself without one technique after another."""

    def __init__(
        self,
        players: Sequence[SelfPlayer],
        techniques: Sequence[Technique],
        file: ScreeningFile,
        pairs: int = 0,
        seconds: float = 0.0,
    ) -> None:
        """Plays until there are so many pairs in the file, or for so long."""
        super().__init__(players, factors_of(techniques), file, NO_SEED, pairs, seconds)
        self._techniques = techniques

    def has_other(self, number: int) -> tuple[bool, ...]:
        turn = number % len(self._techniques)
        return tuple(index == turn for index in range(len(self._techniques)))

    def sides(self, number: int) -> tuple[dict[str, int], dict[str, int]]:
        missing = self._techniques[number % len(self._techniques)]
        return DEFAULTS | missing.off, DEFAULTS


def worths(factors: Sequence[Factor], pairs: Sequence[PlayedPair]) -> list[Worth]:
    """The worth of each technique that has played, the greatest first."""
    found = []
    for index, factor in enumerate(factors):
        counts = [0] * PAIR_RESULTS
        for pair in pairs:
            counts[pair.half_points] += pair.has_other[index]
        if sum(counts):
            loss = elo(counts)
            error = loss.error if math.isfinite(loss.value) else math.inf
            found.append(Worth(factor.name, -loss.value, error, tuple(counts)))
    return sorted(found, key=lambda worth: -worth.elo)
