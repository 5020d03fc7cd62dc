# SPDX-License-Identifier: GPL-3.0-or-later
"""How far an evaluation is from the labels of positions, by the number of men: one measure for all
networks, whatever positions each of them was validated with."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kingcobra.core.network.architectures import MEN_PER_BUCKET
from kingcobra.core.rules.basics import SQUARES
from kingcobra.training.data.expectations import Pawns, expected_scores

GROUPS = SQUARES // MEN_PER_BUCKET
# Of the difference of expected scores, as in training.
POWER = 2.5
# Errors in pawns are measured where a game is open by its label.
OPEN_PAWNS = 3.0


@dataclass(frozen=True)
class Distance:
    """How far values are from labels over some positions: the mean of |difference of expected
    scores| ** POWER, and the root mean square in pawns, None where no game is open."""

    men: str
    positions: int
    loss: float
    pawns: float | None


class Sums(NamedTuple):
    """For each number of men."""

    positions: NDArray[np.int64]
    losses: Pawns
    open_positions: NDArray[np.int64]
    squares: Pawns


class Comparison:
    """Gathers distances of one evaluation, block by block."""

    def __init__(self) -> None:
        self._sums = Sums(
            np.zeros(SQUARES + 1, np.int64),
            np.zeros(SQUARES + 1),
            np.zeros(SQUARES + 1, np.int64),
            np.zeros(SQUARES + 1),
        )

    def add(self, records: NDArray[Any], labels: Pawns, values: Pawns) -> None:
        """Takes in labels and values, both in pawns for the movers."""
        men = np.bitwise_count(records["occupancy"])
        losses = np.abs(expected_scores(values) - expected_scores(labels)) ** POWER
        is_open = np.abs(labels) < OPEN_PAWNS
        squares = np.where(is_open, (values - labels) ** 2, 0.0)
        for total, found in zip(self._sums, (None, losses, is_open, squares), strict=True):
            total += np.bincount(men, weights=found, minlength=len(total)).astype(total.dtype)

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
        count, open_count = self._count(part), int(self._sums.open_positions[part].sum())
        mean_square = self._sums.squares[part].sum() / open_count if open_count else None
        return Distance(
            name,
            count,
            float(self._sums.losses[part].sum() / count),
            None if mean_square is None else float(np.sqrt(mean_square)),
        )
