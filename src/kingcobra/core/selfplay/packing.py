# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions and games as bytes."""

import numpy as np

from kingcobra.core.rules.basics import CASTLINGS, NO_SQUARE
from kingcobra.core.rules.position import occupied, present
from kingcobra.core.selfplay.layout import GAME_HEADER_BYTES, PLY_BYTES, UNKNOWN
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import load_u64, lsb, store_u16, store_u64, without_lsb

MEN_PER_WORD = 16
BITS_PER_MAN = 4
# The last word of a position: a score of 32 bits, then side and result, fifty plies, game ply.
SCORE_MASK = np.uint64(0xFFFFFFFF)
SIDE_SHIFT, RESULT_SHIFT = np.uint64(32), np.uint64(33)
FIFTY_SHIFT, GAME_PLY_SHIFT = np.uint64(40), np.uint64(48)
MAX_FIFTY_PLIES, MAX_GAME_PLY = 0xFF, 0xFFFF
RESULT_MASK = np.uint64(3 << 33)
OCCUPANCY_WORD, LOW_WORD, HIGH_WORD, LAST_WORD, CASTLING_WORD = range(5)
# The word behind a game's start position: a byte for each castling's rook, one for the en-passant
# square, one that is zero, and the number of plies.
EN_PASSANT_SHIFT, PLIES_SHIFT = np.uint64(32), np.uint64(48)
BITS_PER_BYTE = 8
NO_MEN = np.uint64(0)


@compiled
def last_word(pos, raw, result):
    """Score, side, result and counters in one word."""
    state = present(pos)
    fifty = min(np.int64(state.fifty_plies), np.int64(MAX_FIFTY_PLIES))
    game_ply = min(np.int64(pos.game_ply), np.int64(MAX_GAME_PLY))
    return (
        np.uint64(raw) & SCORE_MASK
        | np.uint64(np.int64(pos.side)) << SIDE_SHIFT
        | np.uint64(result) << RESULT_SHIFT
        | np.uint64(fifty) << FIFTY_SHIFT
        | np.uint64(game_ply) << GAME_PLY_SHIFT
    )


@compiled
def pack_position(pos, address, raw, result):
    """Writes a position with its label."""
    low = NO_MEN
    high = NO_MEN
    index = 0
    left = occupied(pos)
    while left:
        man = np.uint64(np.int64(pos.board[lsb(left)]))
        left = without_lsb(left)
        if index < MEN_PER_WORD:
            low |= man << np.uint64(BITS_PER_MAN * index)
        else:
            high |= man << np.uint64(BITS_PER_MAN * (index - MEN_PER_WORD))
        index += 1
    store_u64(address, OCCUPANCY_WORD, occupied(pos))
    store_u64(address, LOW_WORD, low)
    store_u64(address, HIGH_WORD, high)
    store_u64(address, LAST_WORD, last_word(pos, raw, result))


@compiled
def pack_start(pos, address):
    """Writes what a game begins with. Plies and result are still to come."""
    pack_position(pos, address, np.int64(0), np.int64(UNKNOWN))
    state = present(pos)
    word = np.uint64(np.int64(state.en_passant)) << EN_PASSANT_SHIFT
    for right in range(CASTLINGS):
        rook = np.int64(NO_SQUARE)
        if state.castling_rights >> right & 1:
            rook = np.int64(pos.castling_rook[right])
        word |= np.uint64(rook) << np.uint64(BITS_PER_BYTE * right)
    store_u64(address, CASTLING_WORD, word)


@compiled
def pack_ply(address, ply, move, score):
    """Writes a ply behind the start of its game."""
    at = address + GAME_HEADER_BYTES + ply * PLY_BYTES
    store_u16(at, 0, np.uint64(move))
    store_u16(at, 1, np.uint64(score))


@compiled
def close_game(address, plies, result):
    """Adds to a game's start how many plies it has and the result for the side that began."""
    last = load_u64(address, LAST_WORD) & ~RESULT_MASK
    store_u64(address, LAST_WORD, last | np.uint64(result) << RESULT_SHIFT)
    word = load_u64(address, CASTLING_WORD)
    store_u64(address, CASTLING_WORD, word | np.uint64(plies) << PLIES_SHIFT)
