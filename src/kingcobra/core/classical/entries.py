# SPDX-License-Identifier: GPL-3.0-or-later
"""The classical evaluation as the search calls it."""

from kingcobra.core.classical import evaluate as classical
from kingcobra.core.evaluation.layout import Evaluated
from kingcobra.kernel.compiled import entry
from kingcobra.kernel.records import record_at

evaluated_at = record_at(Evaluated)


@entry
def evaluate_classical(address):
    """The value for the side to move, in internal units, of an Evaluated record."""
    evaluated = evaluated_at(address)
    return classical.evaluate(evaluated.position, evaluated.scratch)
