# SPDX-License-Identifier: GPL-3.0-or-later
"""The object of `kingcobra.Board`: rules and notation without the search, so it is compiled in a
fraction of the core's time."""

from kingcobra.core.objects import NOTATION, RULES
from kingcobra.kernel.objects import ObjectSpec, modules_of

GAMES = f"{NOTATION}.games"

BOARD = ObjectSpec(
    name="board",
    entry_modules=(f"{RULES}.entries", f"{NOTATION}.entries", f"{GAMES}.entries"),
    sources=modules_of(RULES, NOTATION, GAMES),
    on_load="initialise",
)
