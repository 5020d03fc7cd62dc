# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions as 40 bytes. The first 32 are laid out as in training data, but without labels."""

import numpy as np

from kingcobra.core.notation.fen_reading import (
    EN_PASSANT_RANKS,
    STANDARD_KING_FILE,
    STANDARD_ROOK_FILES,
    check_men,
)
from kingcobra.core.notation.games.layout import MAX_FIFTY_PLIES, MAX_GAME_PLY
from kingcobra.core.notation.layout import FEN_IS_FINE
from kingcobra.core.rules.basics import (
    CASTLINGS,
    FILES,
    KING,
    KING_SIDE,
    MIRROR_RANKS,
    NO_PIECE,
    NO_SQUARE,
    PAWN,
    ROOK,
    SIDES,
    SQUARES,
    TYPE_MASK,
    file_of,
    piece_of,
    rank_of,
)
from kingcobra.core.rules.position import occupied, present
from kingcobra.core.rules.setup import set_up
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import load_u64, lsb, popcount, store_u64, without_lsb

OCCUPANCY_WORD, LOW_WORD, HIGH_WORD, COUNTERS_WORD, RIGHTS_WORD = range(5)
MEN_PER_WORD, MAX_MEN = 16, 32
BITS_PER_MAN = 4
MAN_MASK = np.uint64(15)
BYTE_MASK, SHORT_MASK = np.uint64(0xFF), np.uint64(0xFFFF)
BITS_PER_BYTE = 8
# The word with the counters: a score that stays zero, side to move, fifty plies, game ply.
SIDE_SHIFT, FIFTY_SHIFT, GAME_PLY_SHIFT = np.uint64(32), np.uint64(40), np.uint64(48)
ONE_BIT = np.uint64(1)
# The word with the rights: four bytes for the castling rooks, then en passant and the variant.
EN_PASSANT_SHIFT, CHESS960_SHIFT = np.uint64(32), np.uint64(40)
EMPTY_WORD = np.uint64(0)


@compiled
def pack(pos, address):
    """Writes a position. Counters that are too large become the largest that fit."""
    words_of_men(pos, address)
    state = present(pos)
    fifty = min(np.int64(state.fifty_plies), np.int64(MAX_FIFTY_PLIES))
    game_ply = min(np.int64(pos.game_ply), np.int64(MAX_GAME_PLY))
    counters = (
        np.uint64(pos.side) << SIDE_SHIFT
        | np.uint64(fifty) << FIFTY_SHIFT
        | np.uint64(game_ply) << GAME_PLY_SHIFT
    )
    rights = np.uint64(np.int64(state.en_passant)) << EN_PASSANT_SHIFT
    rights |= np.uint64(pos.chess960) << CHESS960_SHIFT
    for right in range(CASTLINGS):
        rook = np.int64(NO_SQUARE)
        if state.castling_rights >> right & 1:
            rook = np.int64(pos.castling_rook[right])
        rights |= np.uint64(rook) << np.uint64(BITS_PER_BYTE * right)
    store_u64(address, COUNTERS_WORD, counters)
    store_u64(address, RIGHTS_WORD, rights)


@compiled
def words_of_men(pos, address):
    """Writes the occupied squares, and the men on them in two words."""
    low = EMPTY_WORD
    high = EMPTY_WORD
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


@compiled
def pack_nothing(address):
    """Writes what no position is packed to."""
    for word in range(OCCUPANCY_WORD, RIGHTS_WORD + 1):
        store_u64(address, word, EMPTY_WORD)


@compiled
def unpack(pos, setup, address):
    """Sets up the position of 40 bytes, whatever they are. False if they are no position that can
    be played: `pos` is then meaningless. Uses the setup."""
    return describe(setup, address) and set_up(pos, setup)


@compiled
def describe(setup, address):
    """Fills the setup from 40 bytes; False if they contradict themselves."""
    if not describe_men(setup, address):
        return False
    counters = load_u64(address, COUNTERS_WORD)
    setup.side = np.int64((counters >> SIDE_SHIFT) & ONE_BIT)
    setup.fifty_plies = np.int64((counters >> FIFTY_SHIFT) & BYTE_MASK)
    setup.game_ply = np.int64((counters >> GAME_PLY_SHIFT) & SHORT_MASK)
    rights = load_u64(address, RIGHTS_WORD)
    setup.chess960 = np.int64((rights >> CHESS960_SHIFT) & ONE_BIT)
    en_passant = np.int64((rights >> EN_PASSANT_SHIFT) & BYTE_MASK)
    setup.en_passant = en_passant
    if en_passant != NO_SQUARE and rank_of(en_passant) != EN_PASSANT_RANKS[setup.side]:
        return False
    for right in range(CASTLINGS):
        rook = np.int64((rights >> np.uint64(BITS_PER_BYTE * right)) & BYTE_MASK)
        setup.castling_rook[right] = rook
        if rook != NO_SQUARE and not may_castle(setup, right, rook):
            return False
    return True


@compiled
def describe_men(setup, address):
    """Puts the men on the board; False if they cannot be played with."""
    left = load_u64(address, OCCUPANCY_WORD)
    if popcount(left) > MAX_MEN:
        return False
    for square in range(SQUARES):
        setup.board[square] = NO_PIECE
    word = load_u64(address, LOW_WORD)
    index = 0
    while left:
        man = word & MAN_MASK
        word >>= np.uint64(BITS_PER_MAN)
        piece_type = np.int64(man) & TYPE_MASK
        if piece_type < PAWN or piece_type > KING:
            return False
        setup.board[lsb(left)] = np.int64(man)
        left = without_lsb(left)
        index += 1
        if index == MEN_PER_WORD:
            word = load_u64(address, HIGH_WORD)
    return check_men(setup, np.int64(0)) == FEN_IS_FINE


@compiled
def may_castle(setup, right, rook):
    """Whether a rook stands there, on its king's side and both on their first rank; in standard
    chess on the squares of a game's start."""
    colour = right // SIDES
    first = colour * MIRROR_RANKS
    if rook < first or rook >= first + FILES or setup.board[rook] != piece_of(colour, ROOK):
        return False
    king = np.int64(NO_SQUARE)
    for square in range(first, first + FILES):
        if setup.board[square] == piece_of(colour, KING):
            king = square
    side = right % SIDES
    if king == NO_SQUARE or (rook > king) != (side == KING_SIDE):
        return False
    if setup.chess960:
        return True
    return file_of(king) == STANDARD_KING_FILE and file_of(rook) == STANDARD_ROOK_FILES[side]
