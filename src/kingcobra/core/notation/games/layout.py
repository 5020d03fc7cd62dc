# SPDX-License-Identifier: GPL-3.0-or-later
"""The records of this room: a packed position, and work on many positions or games."""

import ctypes
from ctypes import c_int64

from kingcobra.core.rules.layout import MoveList, Position, Setup

# A packed position: occupied squares, four bits for each man in the order of the squares (two
# words), a word with side to move and counters, a word with castling rooks, en passant and variant.
WORD_BYTES = 8
PACKED_BYTES = 5 * WORD_BYTES
MAX_FIFTY_PLIES, MAX_GAME_PLY = 0xFF, 0xFFFF

# Errors of a game's text, and of a packed position that is none; all come with an offset.
GAME_IS_FINE, ILLEGAL_MOVE, AMBIGUOUS_MOVE, NOT_A_POSITION = range(4)

# How moves are written.
UCI, SAN = range(2)


class Batch(ctypes.Structure):
    """Work on many texts or packed positions. It may be done in parts: `next` is the first item
    that is not done yet, `used` how much of the room is taken."""

    _fields_ = (
        ("position", Position),
        ("setup", Setup),
        ("list", MoveList),
        # Texts: where they begin in one run of bytes, and how long they are (arrays of int64).
        ("texts", c_int64),
        ("starts", c_int64),
        ("lengths", c_int64),
        ("count", c_int64),
        ("chess960", c_int64),
        ("notation", c_int64),
        # Packed positions, and how far from each other: 0 where all games begin with the same one.
        ("packed", c_int64),
        ("packed_step", c_int64),
        # One int64 for each item: its error with the offset, and where its results end.
        ("faults", c_int64),
        ("ends", c_int64),
        # Results: moves as uint16, or text; the room in such units.
        ("results", c_int64),
        ("room", c_int64),
        ("used", c_int64),
        ("next", c_int64),
    )
