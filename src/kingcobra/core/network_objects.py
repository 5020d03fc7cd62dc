# SPDX-License-Identifier: GPL-3.0-or-later
"""The object of each network architecture: compiled alone, the core stays as it is."""

import json

from kingcobra.core.evaluation.layout import Evaluated
from kingcobra.core.network.architectures import ARCHITECTURES, SQUARED, Architecture
from kingcobra.core.network.layout import NetworkThread
from kingcobra.core.objects import EVALUATION, RULES
from kingcobra.core.rules.layout import Position
from kingcobra.kernel.objects import ObjectSpec, modules_of

NETWORK = "kingcobra.core.network"
# Of the networks with squares that Stockfish came with, from 15.1 to 17, small ones first.
_SQUARED_WIDTHS = (128, 1024, 1536, 2560, 3072)
# What the table says of architectures that no Stockfish has.
_NO_STOCKFISH = "none"
# Shells give them a meaning of their own.
_NOT_IN_FILE_NAMES = str.maketrans("", "", "()")


def network_object(architecture: Architecture) -> ObjectSpec:
    """What the object of an architecture is made of."""
    return ObjectSpec(
        name="network-" + architecture.name.translate(_NOT_IN_FILE_NAMES),
        entry_modules=(f"{NETWORK}.entries",),
        sources=modules_of(RULES, EVALUATION, NETWORK),
        records=(Position, Evaluated, NetworkThread),
        parameters=json.dumps({"name": architecture.name, "width": architecture.width}),
    )


def known_architectures() -> list[Architecture]:
    """Those of all networks that Stockfish has come with."""
    published = [family for family in ARCHITECTURES if family.stockfish != _NO_STOCKFISH]
    wider = [SQUARED.at_width(width) for width in _SQUARED_WIDTHS]
    return list(dict.fromkeys([*published, *wider]))
