# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions whose labels a network misses most: there it has most to learn."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kingcobra.training.data.blocks import Block
from kingcobra.training.data.evaluations import values_in_pawns
from kingcobra.training.data.expectations import expected_scores, labels_in_pawns

BINS = 1 << 12


class MissedShare:
    """Keeps the share of all positions for which an evaluation and the label are furthest from
    each other: that of a network's file, "default" or "classical". They are compared as expected
    scores, so differences between decided positions count little."""

    def __init__(self, evaluation: str, share: float) -> None:
        self._evaluation = evaluation
        self._share = share
        self._counts = np.zeros(BINS, np.int64)

    def count(self, block: Block) -> None:
        """Counts positions; before any is chosen. DataError if there is no such network, or
        a record is no position."""
        self._counts += np.bincount(self._bins(block), minlength=BINS)

    def kept(self, block: Block) -> NDArray[Any]:
        """Those of the records that stay."""
        most_missed_first = np.cumsum(self._counts[::-1])
        wanted = self._share * most_missed_first[-1]
        least_bin = BINS - 1 - int(np.searchsorted(most_missed_first, wanted))
        return block.records[self._bins(block) >= least_bin]

    def _bins(self, block: Block) -> NDArray[np.int64]:
        labels = expected_scores(labels_in_pawns(block))
        values = expected_scores(values_in_pawns(block.records, self._evaluation))
        return np.minimum(np.abs(values - labels) * BINS, BINS - 1).astype(np.int64)
