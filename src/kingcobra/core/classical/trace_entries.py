# SPDX-License-Identifier: GPL-3.0-or-later
"""The classical evaluation as the fit of its weights uses it: how often each term occurs, for White
minus for Black."""

from kingcobra.core.classical import evaluate as classical
from kingcobra.core.rules import attacks, layout
from kingcobra.kernel.compiled import entry
from kingcobra.kernel.records import record_at

position_at = record_at(layout.Position)


@entry
def initialise_trace():
    """Fills this object's own attack table."""
    attacks.fill_slider_table()
    return 0


@entry
def trace_terms(position_address, counts_address):
    """Adds to 16-bit counts at an address; returns the phase of the game."""
    pos = position_at(position_address)
    classical.evaluate_anew(pos, counts_address)
    return classical.game_phase(pos)
