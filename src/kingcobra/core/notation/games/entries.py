# SPDX-License-Identifier: GPL-3.0-or-later
"""SAN as plain Python calls it. A text crosses as its address and its length. All integers but
addresses have 32 bits (board/quick_calls.py)."""

import numpy as np

from kingcobra.core.notation.games import san_reading, san_writing
from kingcobra.core.rules import movegen, position
from kingcobra.core.rules.arguments import from_32_bits
from kingcobra.core.rules.basics import NO_MOVE
from kingcobra.core.rules.layout import MoveList, Position
from kingcobra.kernel.compiled import entry
from kingcobra.kernel.records import record_at

position_at = record_at(Position)
moves_at = record_at(MoveList)


@entry
def read_san(position_address, text, length):
    """The legal move that SAN means; 0 if there is none, -1 if there are several."""
    pos = position_at(position_address)
    return san_reading.read_san(pos, text, np.int64(0), from_32_bits(length))


@entry
def push_text(position_address, text, length):
    """Makes the legal move that UCI text or SAN means and returns it; 0 if there is none, -1 if
    there are several."""
    pos = position_at(position_address)
    move = san_reading.read_move(pos, text, np.int64(0), from_32_bits(length))
    if move > NO_MOVE:
        position.make(pos, move)
    return move


@entry
def write_san(position_address, move, text):
    """Writes a legal move and returns the number of bytes."""
    pos = position_at(position_address)
    return san_writing.put_san(pos, text, np.int64(0), from_32_bits(move))


@entry
def write_san_moves(position_address, moves_address, text):
    """Writes all legal moves, blanks between them, and returns the number of bytes. Uses the
    list."""
    pos = position_at(position_address)
    moves = moves_at(moves_address)
    movegen.generate_all(pos, moves)
    return san_writing.write_san_moves(pos, moves, text, np.int64(0))
