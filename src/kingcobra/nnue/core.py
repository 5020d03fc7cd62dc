# SPDX-License-Identifier: GPL-3.0-or-later
"""The modules of this room that are compiled, and the object that the fit uses."""

from kingcobra.board.core import BOARD_MODULES
from kingcobra.board.layout import RECORDS
from kingcobra.kernel.objects import ObjectSpec

CLASSICAL_MODULES = tuple(
    f"kingcobra.nnue.{name}"
    for name in (
        "activity",
        "classical",
        "credit",
        "kings",
        "layout",
        "pawns",
        "terms",
        "weights",
    )
)

TRACE = ObjectSpec(
    name="classical-trace",
    entry_modules=("kingcobra.nnue.trace_entries",),
    sources=BOARD_MODULES + CLASSICAL_MODULES,
    records=RECORDS,
    on_load="initialise_trace",
)
