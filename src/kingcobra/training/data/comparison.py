# SPDX-License-Identifier: GPL-3.0-or-later
"""How far an evaluation is from the labels of positions and from the results of their games, by the
number of men: one measure for all networks, whatever positions each was validated with. Values and
labels are in pawns, each in its own network's."""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kingcobra.core.network.architectures import MEN_PER_BUCKET
from kingcobra.core.rules.basics import SQUARES
from kingcobra.training.data.expectations import Pawns, expected_scores
from kingcobra.training.data.packed import RESULT_MASK, RESULT_SHIFT, UNKNOWN, WIN

GROUPS = SQUARES // MEN_PER_BUCKET
# Of the difference of expected scores, as in training.
POWER = 2.5
# Errors in pawns are measured where a game is open by its label.
OPEN_PAWNS = 3.0
# No expected score counts as certain.
LEAST_CHANCE = 1e-6


@dataclass(frozen=True)
class Distance:
    """How far values are from labels over some positions: the mean of |difference of expected
    scores| ** POWER; the root mean square in pawns where games are open; and the log loss of the
    games' results where they are known. None where there is nothing to take the mean of."""

    men: str
    positions: int
    loss: float
    pawns: float | None
    log_loss: float | None


class Sums(NamedTuple):
    """For each number of men; counts are whole numbers."""

    positions: Pawns
    losses: Pawns
    open_positions: Pawns
    squares: Pawns
    known_results: Pawns
    log_losses: Pawns


class Comparison:
    """Gathers distances of one evaluation, block by block."""

    def __init__(self) -> None:
        self._sums = Sums(*np.zeros((len(Sums._fields), SQUARES + 1)))

    def add(self, records: NDArray[Any], labels: Pawns, values: Pawns) -> None:
        """Takes in labels and values, both in pawns for the movers."""
        men = np.bitwise_count(records["occupancy"])
        expected = expected_scores(values)
        losses = np.abs(expected - expected_scores(labels)) ** POWER
        is_open = np.abs(labels) < OPEN_PAWNS
        squares = np.where(is_open, (values - labels) ** 2, 0.0)
        result = records["flags"] >> RESULT_SHIFT & RESULT_MASK
        is_known = result != UNKNOWN
        log_losses = np.where(is_known, _log_losses(expected, result / WIN), 0.0)
        gathered = (None, losses, is_open, squares, is_known, log_losses)
        for total, found in zip(self._sums, gathered, strict=True):
            total += np.bincount(men, weights=found, minlength=len(total))

    def distances(self) -> list[Distance]:
        """Of all positions, then by men; groups without positions are left out."""
        groups = [("all", slice(None))]
        for group in range(GROUPS):
            first, last = group * MEN_PER_BUCKET + 1, (group + 1) * MEN_PER_BUCKET
            groups.append((f"{first}–{last}", slice(first, last + 1)))
        return [self._distance(name, part) for name, part in groups if self._count(part)]

    def _count(self, part: slice) -> int:
        return int(self._sums.positions[part].sum())

    def _distance(self, name: str, part: slice) -> Distance:
        sums = Sums(*(total[part].sum() for total in self._sums))
        mean_square = _mean(sums.squares, sums.open_positions)
        return Distance(
            name,
            int(sums.positions),
            float(sums.losses / sums.positions),
            None if mean_square is None else math.sqrt(mean_square),
            _mean(sums.log_losses, sums.known_results),
        )


def _mean(total: Any, count: Any) -> float | None:
    return float(total / count) if count else None


def _log_losses(expected: Pawns, happened: Pawns) -> Pawns:
    certain = np.clip(expected, LEAST_CHANCE, 1 - LEAST_CHANCE)
    found: Pawns = -(happened * np.log(certain) + (1 - happened) * np.log(1 - certain))
    return found
