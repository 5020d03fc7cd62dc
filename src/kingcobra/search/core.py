# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiled core of the engine: board and search in one object."""

from kingcobra.board.core import BOARD_MODULES
from kingcobra.board.layout import RECORDS as BOARD_RECORDS
from kingcobra.kernel.objects import ObjectSpec
from kingcobra.nnue.core import CLASSICAL_MODULES
from kingcobra.search.layout import RECORDS as SEARCH_RECORDS

_SEARCH_MODULES = (
    "histories",
    "layout",
    "mate",
    "node",
    "ordering",
    "pruning",
    "quiescence",
    "root",
    "scores",
    "steps",
    "table",
    "think",
    "tunables",
)

CORE = ObjectSpec(
    name="core",
    entry_modules=(
        "kingcobra.board.entries",
        "kingcobra.search.entries",
        "kingcobra.nnue.classical_entries",
    ),
    sources=BOARD_MODULES
    + CLASSICAL_MODULES
    + tuple(f"kingcobra.search.{name}" for name in _SEARCH_MODULES),
    records=BOARD_RECORDS + SEARCH_RECORDS,
    on_load="initialise",
)
