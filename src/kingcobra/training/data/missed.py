# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions whose labels a network misses most: there it has most to learn."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kingcobra.api.batches import PACKED
from kingcobra.api.errors import EngineError
from kingcobra.api.evaluation import RAW, evaluate
from kingcobra.core.evaluation.layout import PAWN_UNITS
from kingcobra.core.rules.basics import NO_SQUARE
from kingcobra.networks.default_network import DEFAULT_NETWORK
from kingcobra.training.data.blocks import Block, DataError
from kingcobra.training.data.game_positions import USUAL_RAW_PER_PAWN
from kingcobra.training.data.packed import RECORD
from kingcobra.training.selfplay.player import CLASSICAL, DEFAULT

# Pawns for which the expected score is that of one logistic unit, as in training.
LOGISTIC_PAWNS = 1.7
BINS = 1 << 12
# What `evaluate` calls them.
NETWORKS = {DEFAULT: DEFAULT_NETWORK, CLASSICAL: ""}


class MissedShare:
    """Keeps the share of all positions for which an evaluation and the label are furthest from
    each other: that of a network's file, "default" or "classical". They are compared as expected
    scores, so differences between decided positions count little."""

    def __init__(self, evaluation: str, share: float) -> None:
        self._network = NETWORKS.get(evaluation, evaluation)
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
        per_pawn = int(block.origin.get("raw_per_pawn", USUAL_RAW_PER_PAWN))
        labels = expected_scores(block.records["score"] / per_pawn)
        try:
            values = evaluate(undamped(block.records), network=self._network, unit=RAW)
        except (EngineError, ValueError) as error:
            raise DataError(str(error)) from None
        difference = np.abs(expected_scores(values / PAWN_UNITS) - labels)
        return np.minimum(difference * BINS, BINS - 1).astype(np.int64)


def expected_scores(pawns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Expected scores, 0 to 1, of values in pawns of the search."""
    return 1 / (1 + np.exp(-pawns / LOGISTIC_PAWNS))


def undamped(records: NDArray[Any]) -> NDArray[Any]:
    """The positions as the evaluation takes them, without rights to castle, and as if something
    irreversible had just happened: labels know nothing of the fifty moves."""
    packed = np.zeros(len(records), PACKED)
    for name in RECORD.names or ():
        packed[name] = records[name]
    packed["fifty_plies"] = 0
    packed["castling_rooks"] = NO_SQUARE
    packed["en_passant"] = NO_SQUARE
    return packed
