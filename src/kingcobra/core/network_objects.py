# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiled object of each network architecture: a new one never recompiles the core."""

import json

from kingcobra.core.network.architectures import (
    ARCHITECTURES,
    NO_STOCKFISH,
    SQUARED,
    Architecture,
)
from kingcobra.core.objects import EVALUATION, RULES
from kingcobra.kernel.objects import ObjectSpec, modules_of

NETWORK = "kingcobra.core.network"
# Widths of the networks with squared activations that came with Stockfish 15.1 to 17.
_SQUARED_WIDTHS = (128, 1024, 1536, 2560, 3072)
# They mean something to shells.
_NOT_IN_FILE_NAMES = str.maketrans("", "", "()")


def network_object(architecture: Architecture) -> ObjectSpec:
    """The object of an architecture."""
    return ObjectSpec(
        name="network-" + architecture.name.translate(_NOT_IN_FILE_NAMES),
        entry_modules=(f"{NETWORK}.entries",),
        sources=modules_of(RULES, EVALUATION, NETWORK),
        parameters=json.dumps({"name": architecture.name, "width": architecture.width}),
    )


def known_architectures() -> list[Architecture]:
    """The architectures of all networks that came with a version of Stockfish."""
    published = [family for family in ARCHITECTURES if family.stockfish != NO_STOCKFISH]
    wider = [SQUARED.at_width(width) for width in _SQUARED_WIDTHS]
    return list(dict.fromkeys([*published, *wider]))
