# SPDX-License-Identifier: GPL-3.0-or-later
"""The object of self-play. It calls the core's search through its address, so it is small."""

from kingcobra.core.network_objects import NETWORK
from kingcobra.core.objects import EVALUATION, RULES, SEARCH, TABLES
from kingcobra.kernel.objects import ObjectSpec, modules_of

SELFPLAY = "kingcobra.core.selfplay"

SELF_PLAY = ObjectSpec(
    name="selfplay",
    entry_modules=(f"{SELFPLAY}.entries",),
    sources=modules_of(RULES, EVALUATION, NETWORK, TABLES, SEARCH, SELFPLAY),
    on_load="initialise_selfplay",
)
