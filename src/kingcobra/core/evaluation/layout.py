# SPDX-License-Identifier: GPL-3.0-or-later
"""What an evaluation remembers between calls, and the record by which it is called."""

import ctypes
from ctypes import c_int64, c_uint64

from kingcobra.core.rules.basics import COLOURS
from kingcobra.core.rules.layout import Position

# Evaluations, margins and exchange values are in internal units: this many make a pawn. People see
# centipawns, which are something else; kingcobra.networks.scale converts.
PAWN_UNITS = 100
# A power of two.
PAWN_ENTRIES = 4096


class PawnEntry(ctypes.Structure):
    """What depends on pawns alone, and each king's shelter for the square it was last asked for.
    Kings are stored as square + 1, so zeroed memory is an empty entry."""

    _fields_ = (
        ("key", c_uint64),
        ("total", c_int64),
        ("passed", c_uint64),
        ("king", c_int64 * COLOURS),
        ("shelter", c_int64 * COLOURS),
    )


class Scratch(ctypes.Structure):
    """A thread's memory for evaluations."""

    _fields_ = (("pawns", PawnEntry * PAWN_ENTRIES),)


class Evaluated(ctypes.Structure):
    """A position, an evaluation's memory behind it, and the address of what a network keeps for
    this thread. A SearchWorker of the search begins with the same fields."""

    _fields_ = (("position", Position), ("scratch", Scratch), ("network", c_int64))
