# SPDX-License-Identifier: GPL-3.0-or-later
"""The classical evaluation as the search calls it."""

from kingcobra.kernel.compiled import entry
from kingcobra.kernel.records import record_at
from kingcobra.nnue import classical
from kingcobra.nnue.layout import Evaluated

evaluated_at = record_at(Evaluated)


@entry
def evaluate_classical(address):
    """The value for the side to move, in hundredths of a pawn, of an Evaluated record."""
    evaluated = evaluated_at(address)
    return classical.evaluate(evaluated.position, evaluated.scratch)
