# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiled objects that every engine uses, and the packages that each is made of."""

from kingcobra.core.rules.layout import RECORDS as RULES_RECORDS
from kingcobra.core.search.layout import RECORDS as SEARCH_RECORDS
from kingcobra.core.tables.layout import RECORDS as TABLES_RECORDS
from kingcobra.kernel.objects import ObjectSpec, modules_of

RULES = "kingcobra.core.rules"
EVALUATION = "kingcobra.core.evaluation"
CLASSICAL = "kingcobra.core.classical"
SEARCH = "kingcobra.core.search"
TABLES = "kingcobra.core.tables"

CORE = ObjectSpec(
    name="core",
    entry_modules=(
        f"{RULES}.entries",
        f"{SEARCH}.entries",
        f"{CLASSICAL}.entries",
        f"{TABLES}.entries",
    ),
    sources=modules_of(RULES, EVALUATION, CLASSICAL, TABLES, SEARCH),
    records=RULES_RECORDS + TABLES_RECORDS + SEARCH_RECORDS,
    on_load="initialise",
)

CLASSICAL_TRACE = ObjectSpec(
    name="classical-trace",
    entry_modules=(f"{CLASSICAL}.trace_entries",),
    sources=modules_of(RULES, EVALUATION, CLASSICAL),
    records=RULES_RECORDS,
    on_load="initialise_trace",
)
