# SPDX-License-Identifier: GPL-3.0-or-later
"""Indexes that are out of bounds on purpose, in every kind of array that compiled code has.

Run as a process: prints one line for each, saying whether the index was caught.
"""

import ctypes
from collections.abc import Callable

import numpy as np

from kingcobra.core.rules.attacks import KNIGHT_ATTACKS, PAWN_ATTACKS
from kingcobra.core.rules.basics import SQUARES
from kingcobra.core.rules.layout import MAX_MOVES, STATES, MoveList, Position
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.records import record_at

position_at = record_at(Position)
moves_at = record_at(MoveList)


@compiled
def piece_on(address, square):
    """An array inside a record."""
    return np.int64(position_at(address).board[square])


@compiled
def rights_at(address, ply):
    """A record inside an array inside a record."""
    return np.int64(position_at(address).states[ply].castling_rights)


@compiled
def keep_move(address, index):
    """A write into an array inside a record."""
    moves_at(address).moves[index] = 1
    return 0


@compiled
def knight_attacks(_address, square):
    """A constant table."""
    return np.int64(KNIGHT_ATTACKS[square] != 0)


@compiled
def pawn_attacks(_address, square):
    """A constant table of two dimensions."""
    return np.int64(PAWN_ATTACKS[1, square] != 0)


PROBES: tuple[tuple[Callable[[int, int], int], type[ctypes.Structure], int], ...] = (
    (piece_on, Position, SQUARES),
    (rights_at, Position, STATES),
    (keep_move, MoveList, MAX_MOVES),
    (knight_attacks, Position, SQUARES),
    (pawn_attacks, Position, SQUARES),
)


def verdict(probe: Callable[[int, int], int], address: int, index: int) -> str:
    """What became of one index."""
    try:
        probe(np.int64(address), np.int64(index))
    except IndexError:
        return "caught"
    return "accepted"


def main() -> None:
    """One line for each probe and index: both ends of what is allowed, and one step beyond."""
    for probe, record, length in PROBES:
        memory = (record * 3)()
        address = ctypes.addressof(memory[1])
        indexes = {"first": 0, "last": length - 1, "below": -1, "beyond": length}
        for name, index in indexes.items():
            print(probe.__name__, name, verdict(probe, address, index))


if __name__ == "__main__":
    main()
