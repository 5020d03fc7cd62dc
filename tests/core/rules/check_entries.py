# SPDX-License-Identifier: GPL-3.0-or-later
"""Entry points for rules that only compiled code asks for."""

import numpy as np

from kingcobra.core.rules import attacks, checks, cycles, layout
from kingcobra.kernel.compiled import entry
from kingcobra.kernel.records import record_at

position_at = record_at(layout.Position)


@entry
def prepare_checks():
    """Fills this object's own attack table."""
    attacks.fill_slider_table()
    return 0


@entry
def gives_check(position_address, move):
    """Whether a legal move gives check."""
    return np.int64(checks.gives_check(position_at(position_address), move))


@entry
def can_repeat(position_address, plies_from_root):
    """Whether the side to move can bring about a repetition."""
    return np.int64(cycles.can_repeat(position_at(position_address), plies_from_root))
