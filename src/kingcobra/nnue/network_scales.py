# SPDX-License-Identifier: GPL-3.0-or-later
"""What networks call a pawn. Each generation was trained in units of its own; the search wants all
evaluations in one, so that its margins fit."""

from kingcobra.nnue.architectures import Architecture, Transform

# Parts of one in a network's raw integers.
OUTPUT_SCALE = 16
# Spread of the networks' values over that of the classical evaluation's, where that is below six
# pawns, for a hundred of the latter: docs/measurements.md. First families without PSQT, then those
# with clipped accumulators by the outputs of their first layer, then those with products.
_WITHOUT_PSQT = 220
_CLIPPED = {16: 160, 8: 180}
_PRODUCTS, _PRODUCTS_AND_SQUARES = 190, 225


def raw_per_pawn(architecture: Architecture) -> int:
    """A pawn in the raw integers that a network of this architecture returns."""
    return _per_pawn(architecture) * OUTPUT_SCALE


def _per_pawn(architecture: Architecture) -> int:
    if not architecture.psqt_buckets:
        return _WITHOUT_PSQT
    if architecture.transform is Transform.CLIPPED:
        return _CLIPPED[architecture.hidden[0]]
    return _PRODUCTS_AND_SQUARES if architecture.squared else _PRODUCTS
