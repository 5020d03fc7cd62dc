# SPDX-License-Identifier: GPL-3.0-or-later
"""Sliding attacks for compiled functions that run as plain Python beside a loaded object.

The object has its own table. The plain one is empty then, and filling it takes Python some seconds;
a single position needs a few dozen of its hundred thousand entries.
"""

from collections.abc import Collection

import numpy as np

from kingcobra.core.rules import attacks
from kingcobra.core.rules.bitboards import EMPTY
from kingcobra.kernel.mode import OBJECT, current_mode

_SLIDERS = (
    (attacks.ROOK_STEPS, attacks.rook_slot),
    (attacks.BISHOP_STEPS, attacks.bishop_slot),
)


def fill_entries(squares: Collection[int], occupancies: Collection[int]) -> None:
    """Fills the entries of these squares under these occupancies. Where there is no object, the
    table is full already."""
    if current_mode() != OBJECT:
        return
    for square in squares:
        for occupied in map(np.uint64, occupancies):
            for steps, slot in _SLIDERS:
                targets = EMPTY
                for rank_step, file_step in steps:
                    targets |= attacks.walk(square, rank_step, file_step, occupied)
                attacks._store_slider(slot(square, occupied), targets)
