# SPDX-License-Identifier: GPL-3.0-or-later
"""FEN and UCI text as plain Python calls them. A text crosses as its address and its length. All
integers but addresses have 32 bits (board/quick_calls.py)."""

import numpy as np

from kingcobra.core.notation import fen_reading, fen_writing, uci_moves
from kingcobra.core.notation.arguments import from_32_bits
from kingcobra.core.notation.layout import FEN_IS_FINE, OPPONENT_IN_CHECK
from kingcobra.core.rules import movegen, setup
from kingcobra.core.rules.layout import MoveList, Position, Setup
from kingcobra.kernel.compiled import entry
from kingcobra.kernel.records import record_at

position_at = record_at(Position)
setup_at = record_at(Setup)
moves_at = record_at(MoveList)


@entry
def describe_fen(setup_address, text, length, chess960):
    """0 when the record says what the text says, else the error and its offset."""
    return fen_reading.read_fen(
        setup_at(setup_address), text, from_32_bits(length), from_32_bits(chess960)
    )


@entry
def set_fen(position_address, setup_address, text, length, chess960):
    """Sets up the position of the text. Returns its en-passant field, NO_SQUARE if there is none;
    or, below zero, the error and its offset: the position is then meaningless."""
    described = setup_at(setup_address)
    fault = fen_reading.read_fen(described, text, from_32_bits(length), from_32_bits(chess960))
    if fault != FEN_IS_FINE:
        return -fault
    if not setup.set_up(position_at(position_address), described):
        return -fen_reading.error(OPPONENT_IN_CHECK, 0)
    return np.int64(described.en_passant)


@entry
def write_fen(position_address, text):
    """Writes the position as FEN and returns the number of bytes."""
    return fen_writing.write_fen(position_at(position_address), text)


@entry
def write_epd(position_address, text):
    """Writes the first four fields of the FEN and returns the number of bytes."""
    return fen_writing.write_first_fields(position_at(position_address), text)


@entry
def read_uci_move(position_address, text, length):
    """The legal move that UCI text means, 0 if there is none."""
    return uci_moves.read_uci_move(position_at(position_address), text, from_32_bits(length))


@entry
def write_uci_moves(position_address, moves_address, text):
    """Writes all legal moves, blanks between them, and returns the number of bytes. Uses the
    list."""
    pos = position_at(position_address)
    moves = moves_at(moves_address)
    movegen.generate_all(pos, moves)
    return uci_moves.write_uci_moves(pos, moves, text)
