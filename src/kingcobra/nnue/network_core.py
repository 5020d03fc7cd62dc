# SPDX-License-Identifier: GPL-3.0-or-later
"""The object of each network architecture: compiled alone, the core stays as it is."""

import json

from kingcobra.board.layout import Position
from kingcobra.kernel.objects import ObjectSpec
from kingcobra.nnue.architectures import Architecture
from kingcobra.nnue.layout import Evaluated
from kingcobra.nnue.network_layout import NetworkThread

_SOURCES = (
    "kingcobra.board.basics",
    "kingcobra.board.layout",
    "kingcobra.kernel.simd",
    "kingcobra.nnue.accumulators",
    "kingcobra.nnue.architectures",
    "kingcobra.nnue.input_rows",
    "kingcobra.nnue.layers",
    "kingcobra.nnue.layout",
    "kingcobra.nnue.network_layout",
)
# Shells give them a meaning of their own.
_NOT_IN_FILE_NAMES = str.maketrans("", "", "()")


def network_object(architecture: Architecture) -> ObjectSpec:
    """What the object of an architecture is made of."""
    return ObjectSpec(
        name="network-" + architecture.name.translate(_NOT_IN_FILE_NAMES),
        entry_modules=("kingcobra.nnue.network_entries",),
        sources=_SOURCES,
        records=(Position, Evaluated, NetworkThread),
        parameters=json.dumps({"name": architecture.name, "width": architecture.width}),
    )
