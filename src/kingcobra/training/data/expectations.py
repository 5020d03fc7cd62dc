# SPDX-License-Identifier: GPL-3.0-or-later
"""What labels promise: scores of packed records in pawns, and pawns as expected scores."""

import numpy as np
from numpy.typing import NDArray

from kingcobra.training.data.blocks import Block
from kingcobra.training.data.game_positions import USUAL_RAW_PER_PAWN

# Pawns for which the expected score is that of one logistic unit, as in training.
LOGISTIC_PAWNS = 1.7

Pawns = NDArray[np.float64]


def labels_in_pawns(block: Block) -> Pawns:
    """The scores of a block's records, for the movers."""
    pawns: Pawns = block.records["score"] / raw_per_pawn_of(block)
    return pawns


def raw_per_pawn_of(block: Block) -> int:
    """What a pawn is in the block's scores; as of a typical network where it does not say."""
    return int(block.origin.get("raw_per_pawn", USUAL_RAW_PER_PAWN))


def expected_scores(pawns: Pawns) -> Pawns:
    """Expected scores, 0 to 1, of values in pawns of the search."""
    return 1 / (1 + np.exp(-pawns / LOGISTIC_PAWNS))
