# SPDX-License-Identifier: GPL-3.0-or-later
"""SAN, games and batches as plain Python calls them. A text crosses as its address and its length.
All integers but addresses have 32 bits (board/quick_calls.py)."""

import numpy as np

from kingcobra.core.notation.arguments import from_32_bits
from kingcobra.core.notation.games import (
    batches,
    game_text,
    packing,
    san_reading,
    san_writing,
)
from kingcobra.core.notation.games.layout import Batch
from kingcobra.core.rules import counting, legality, movegen, position
from kingcobra.core.rules.basics import NO_MOVE
from kingcobra.core.rules.layout import MoveList, Position, Setup
from kingcobra.kernel.compiled import entry
from kingcobra.kernel.records import record_at

position_at = record_at(Position)
setup_at = record_at(Setup)
moves_at = record_at(MoveList)
batch_at = record_at(Batch)


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


@entry
def write_line(position_address, moves_address, count, text, numbered):
    """Writes moves that follow each other, given as uint16, with move numbers if asked, and takes
    them back. Returns the number of bytes; or, below zero, -1 less the index of an illegal one."""
    pos = position_at(position_address)
    count = from_32_bits(count)
    written = san_writing.write_line(pos, moves_address, count, text, from_32_bits(numbered))
    game_text.take_back(pos, moves_address, np.int64(0), count if written >= 0 else -1 - written)
    return written


@entry
def push_move(position_address, move):
    """Makes a move if it is legal; whether it was."""
    pos = position_at(position_address)
    move = from_32_bits(move)
    if not legality.is_legal(pos, move):
        return np.int64(0)
    position.make(pos, move)
    return np.int64(1)


@entry
def pop_move(position_address, move):
    """Takes back the move that was made last."""
    position.unmake(position_at(position_address), from_32_bits(move))
    return 0


@entry
def push_game(position_address, text, length, moves_address, room):
    """Makes all moves of a text and writes them as uint16. Returns how many; or, below zero, the
    error and its offset: the position is then as before."""
    return game_text.read_game(
        position_at(position_address),
        text,
        from_32_bits(length),
        moves_address,
        np.int64(0),
        from_32_bits(room),
        False,
    )


@entry
def count_moves(position_address):
    """How many legal moves there are."""
    return counting.count_all(position_at(position_address))


@entry
def pack_position(position_address, packed):
    """Writes the 40 bytes of a position."""
    packing.pack(position_at(position_address), packed)
    return 0


@entry
def unpack_position(position_address, setup_address, packed):
    """Whether 40 bytes are a position, which then stands."""
    return np.int64(packing.unpack(position_at(position_address), setup_at(setup_address), packed))


# --- many at once -----------------------------------------------------------------------------


@entry
def read_fens(batch_address):
    """Texts to packed positions."""
    batches.read_fens(batch_at(batch_address))
    return 0


@entry
def list_moves(batch_address):
    """Packed positions to legal moves as numbers."""
    batches.list_moves(batch_at(batch_address))
    return 0


@entry
def write_moves(batch_address):
    """Packed positions to legal moves as text."""
    batches.write_moves(batch_at(batch_address))
    return 0


@entry
def play_games(batch_address):
    """Texts of games to moves as numbers."""
    batches.play_games(batch_at(batch_address))
    return 0
