# SPDX-License-Identifier: GPL-3.0-or-later
"""The memory of a game that can be taken back: a Position record whose states grow with the game.

The record that a search works on has room for hundreds of plies, which takes 54 KB. That of a Board
begins with a few, in 2 KB. Both begin alike, so compiled code reads either; it must not go further
than there are states.
"""

import ctypes
from functools import cache

from kingcobra.core.rules.layout import KEPT_HISTORY_PLIES, Position, State

FIRST_STATES = 16
STATES_OFFSET = Position.states.offset
STATE_BYTES = ctypes.sizeof(State)


@cache
def game_record(states: int) -> type[Position]:
    """The type of a record with so many states. It is used as a Position."""
    fields = (*Position._fields_[:-1], ("states", State * states))
    return type("GameRecord", (ctypes.Structure,), {"_fields_": fields})


def grown(record: Position, states: int) -> Position:
    """A copy with room for more states."""
    larger = game_record(states)()
    ctypes.memmove(ctypes.addressof(larger), ctypes.addressof(record), ctypes.sizeof(record))
    return larger


def write_position(record: Position, address: int) -> None:
    """Writes the game to a Position record, with the part of its past that matters: back to the
    last irreversible move."""
    ply = record.ply
    kept = min(ply, record.states[ply].fifty_plies, KEPT_HISTORY_PLIES)
    first = ctypes.addressof(record) + STATES_OFFSET + (ply - kept) * STATE_BYTES
    ctypes.memmove(address, ctypes.addressof(record), STATES_OFFSET)
    ctypes.memmove(address + STATES_OFFSET, first, (kept + 1) * STATE_BYTES)
    Position.from_address(address).ply = kept
