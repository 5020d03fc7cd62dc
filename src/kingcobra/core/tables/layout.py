# SPDX-License-Identifier: GPL-3.0-or-later
"""What a search needs of this room: results, and the record that a thread probes with. The records
of files are in `file_layout`, which is imported once there are any."""

import ctypes
from ctypes import c_int64

from kingcobra.core.rules.layout import MoveList

MAX_MEN = 7
WDL, DTZ = range(2)

# Results, for the side to move. Cursed wins and blessed losses are draws by the fifty-move rule.
LOSS, BLESSED_LOSS, DRAW, CURSED_WIN, WIN = range(-2, 3)
# Beyond every WDL and DTZ value: no answer. `Prober.reason` says why.
UNKNOWN = 1 << 20
# What `probe_many` answers where a side that is not to move is in check.
IMPOSSIBLE = UNKNOWN + 2
# Why there is no answer.
ANSWERED, MISSING, DAMAGED, CASTLING_RIGHTS = range(4)

# A probe plays one move to ask the other side, then up to five captures.
PROBE_PLIES = MAX_MEN + 1
# The list of moves that a choice is made from, beyond those of probes.
CHOICE_LIST = PROBE_PLIES


class Prober(ctypes.Structure):
    """What one thread needs to probe."""

    _fields_ = (
        # The address of the Tables; zero where there are none.
        ("tables", c_int64),
        ("reason", c_int64),
        # The material key and the kind of file that the reason is about.
        ("wanted", c_int64),
        ("wanted_kind", c_int64),
        ("lists", MoveList * (PROBE_PLIES + 1)),
    )
