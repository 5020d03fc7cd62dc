# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiled objects that every engine uses, and the packages that each is made of."""

from kingcobra.kernel.objects import ObjectSpec, modules_of

RULES = "kingcobra.core.rules"
NOTATION = "kingcobra.core.notation"
EVALUATION = "kingcobra.core.evaluation"
CLASSICAL = "kingcobra.core.classical"
SEARCH = "kingcobra.core.search"
TABLES = "kingcobra.core.tables"

CORE = ObjectSpec(
    name="core",
    entry_modules=(
        f"{RULES}.entries",
        f"{NOTATION}.entries",
        f"{SEARCH}.entries",
        f"{CLASSICAL}.entries",
        f"{TABLES}.entries",
    ),
    sources=modules_of(RULES, NOTATION, EVALUATION, CLASSICAL, TABLES, SEARCH),
    on_load="initialise",
)

CLASSICAL_TRACE = ObjectSpec(
    name="classical-trace",
    entry_modules=(f"{CLASSICAL}.trace_entries",),
    sources=modules_of(RULES, EVALUATION, CLASSICAL),
    on_load="initialise_trace",
)
