# SPDX-License-Identifier: GPL-3.0-or-later
"""The value of a pawn in each network: they were trained in different units. The search needs all
evaluations in one unit, so that its margins fit; users read pawns that win every second game. Most
networks have their family's values; one whose scale was fitted to its own games is known by the
first digits of its file's SHA-256."""

from typing import NamedTuple

from kingcobra.core.evaluation.layout import PAWN_UNITS
from kingcobra.core.network.architectures import OUTPUT_SCALE, Architecture, Transform
from kingcobra.networks.fitted_scale import DIGITS, FITTED_SCALE
from kingcobra.networks.scale import Scale

# How the value that wins every other game, and the spread around it, depend on the material, as
# shares of the former at REFERENCE_POINTS: the shape of Stockfish 17's model of its own games.
_EVEN_SHAPE = (1.1320, -0.3573, 0.3261, -0.1008)
_SPREAD_SHAPE = (0.1382, 0.1913, -0.3693, 0.2429)


class Pawn(NamedTuple):
    """Two measures of a pawn in a network's units.

    margin  spread of its values over that of the classical evaluation's, where that is below six
            pawns, for a hundred of the latter: docs/measurements.md
    even    the value that wins every other game, by the models that Stockfish has had for its
            networks; 14.1 and 15 did not print by theirs
    """

    margin: int
    even: int


_WITHOUT_PSQT = Pawn(220, 240)
_CLIPPED = {16: Pawn(160, 240), 8: Pawn(180, 260)}
_PRODUCTS = Pawn(190, 280)
_PRODUCTS_AND_SQUARES = Pawn(225, 372)
# Those of 15.1, 16 and 17.
_SQUARES_BY_WIDTH = {1024: Pawn(225, 361), 1536: Pawn(235, 328), 3072: Pawn(250, 372)}
# A network learns the units of its teacher: those of Kingcobra's own, nn-5af11540bbfe.
_TAUGHT = _SQUARES_BY_WIDTH[1536]


def raw_per_pawn(architecture: Architecture, digest: str = "") -> int:
    """The search's pawn in the raw integers that a network returns. Its digest is the SHA-256 of
    its file or, here and below, twelve digits of it; empty if unknown."""
    margin = _TAUGHT.margin if _is_fitted(digest) else _pawn(architecture).margin
    return margin * OUTPUT_SCALE


def raw_per_shown_pawn(architecture: Architecture, digest: str = "") -> int:
    """The pawn that users read, which wins every other game, in the same integers. All output
    divides by this one."""
    if _is_fitted(digest):
        per_unit = raw_per_pawn(architecture, digest) / PAWN_UNITS
        return round(FITTED_SCALE.units_per_pawn * per_unit)
    return _pawn(architecture).even * OUTPUT_SCALE


def network_scale(architecture: Architecture, digest: str = "") -> Scale:
    """From internal units, when this network evaluates, to what users read."""
    if _is_fitted(digest):
        return FITTED_SCALE
    pawn = _pawn(architecture)
    even_units = PAWN_UNITS * pawn.even / pawn.margin
    return Scale(
        even=tuple(share * even_units for share in _EVEN_SHAPE),
        spread=tuple(share * even_units for share in _SPREAD_SHAPE),
    )


def _is_fitted(digest: str) -> bool:
    return digest[: len(DIGITS)] == DIGITS


def _pawn(architecture: Architecture) -> Pawn:
    if not architecture.psqt_buckets:
        return _WITHOUT_PSQT
    if architecture.transform is Transform.CLIPPED:
        return _CLIPPED[architecture.hidden[0]]
    if not architecture.squared:
        return _PRODUCTS
    if architecture.features.king_regions:
        return _TAUGHT
    return _SQUARES_BY_WIDTH.get(architecture.width, _PRODUCTS_AND_SQUARES)
