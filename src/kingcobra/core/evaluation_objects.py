# SPDX-License-Identifier: GPL-3.0-or-later
"""The object that evaluates many positions. It calls an evaluation through its address, so one
object serves all of them."""

from kingcobra.core.board_objects import GAMES
from kingcobra.core.objects import EVALUATION, NOTATION, RULES
from kingcobra.kernel.objects import ObjectSpec, modules_of

BATCH = "kingcobra.core.evaluation_batch"

EVALUATION_BATCH = ObjectSpec(
    name="evaluation-batch",
    entry_modules=(f"{BATCH}.entries",),
    sources=modules_of(RULES, EVALUATION, NOTATION, GAMES, BATCH),
    on_load="initialise_evaluation_batch",
)
