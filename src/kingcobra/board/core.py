# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiled core: what its object is made of."""

from kingcobra.board.layout import RECORDS
from kingcobra.kernel.objects import ObjectSpec

_COMPILED_MODULES = (
    "attacks",
    "basics",
    "bitboards",
    "counting",
    "draws",
    "exchange",
    "layout",
    "legality",
    "magics",
    "movegen",
    "perft",
    "position",
    "zobrist",
)

CORE = ObjectSpec(
    name="core",
    entry_modules=("kingcobra.board.entries",),
    sources=tuple(f"kingcobra.board.{name}" for name in _COMPILED_MODULES),
    records=RECORDS,
    on_load="initialise",
)
