# SPDX-License-Identifier: GPL-3.0-or-later
"""The classical evaluation as the search calls it."""

from kingcobra.board import layout
from kingcobra.kernel.compiled import entry
from kingcobra.kernel.records import record_at
from kingcobra.nnue import classical

position_at = record_at(layout.Position)


@entry
def evaluate_classical(position_address):
    """The value for the side to move, in hundredths of a pawn."""
    return classical.evaluate(position_at(position_address), None)
