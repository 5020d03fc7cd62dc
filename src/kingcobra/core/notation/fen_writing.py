# SPDX-License-Identifier: GPL-3.0-or-later
"""FEN: a position to bytes."""

import numpy as np

from kingcobra.core.notation.characters import (
    BYTE_OF_PIECE,
    DASH,
    LOWER_B,
    LOWER_W,
    SLASH,
    SMALL,
    SPACE,
    UPPER_A,
    UPPER_K,
    UPPER_Q,
    ZERO,
    put,
    put_number,
    put_square,
)
from kingcobra.core.rules.basics import (
    COLOURS,
    FILES,
    NO_PIECE,
    NO_SQUARE,
    RANKS,
    SIDES,
    WHITE,
    castling_right,
    file_of,
)
from kingcobra.core.rules.position import present
from kingcobra.kernel.compiled import compiled

CASTLING_LETTERS = np.array([UPPER_K, UPPER_Q])


@compiled
def write_fen(pos, text):
    """Writes all six fields; returns the number of bytes, at most FEN_BYTES."""
    at = write_first_fields(pos, text)
    at = put(text, at, SPACE)
    at = put_number(text, at, np.int64(present(pos).fifty_plies))
    at = put(text, at, SPACE)
    return put_number(text, at, pos.game_ply // 2 + 1)


@compiled
def write_first_fields(pos, text):
    """The position without its counters: the four fields that an EPD begins with. The en-passant
    square is written only if it can be used."""
    at = np.int64(0)
    for rank in range(RANKS - 1, -1, -1):
        at = write_rank(pos, text, at, rank)
        at = put(text, at, SLASH if rank else SPACE)
    at = put(text, at, LOWER_W if pos.side == WHITE else LOWER_B)
    at = put(text, at, SPACE)
    at = write_castling(pos, text, at)
    at = put(text, at, SPACE)
    en_passant = np.int64(present(pos).en_passant)
    if en_passant == NO_SQUARE:
        return put(text, at, DASH)
    return put_square(text, at, en_passant)


@compiled
def write_rank(pos, text, at, rank):
    """Men as letters, empty squares as a digit."""
    empty = np.int64(0)
    for square in range(rank * FILES, rank * FILES + FILES):
        piece = pos.board[square]
        if piece == NO_PIECE:
            empty += 1
            continue
        if empty:
            at = put(text, at, ZERO + empty)
            empty = np.int64(0)
        at = put(text, at, BYTE_OF_PIECE[piece])
    return put(text, at, ZERO + empty) if empty else at


@compiled
def write_castling(pos, text, at):
    """KQkq, in Chess960 the files of the rooks."""
    start = at
    for colour in range(COLOURS):
        for side in range(SIDES):
            right = castling_right(colour, side)
            if present(pos).castling_rights >> right & 1:
                letter = CASTLING_LETTERS[side]
                if pos.chess960:
                    letter = UPPER_A + file_of(np.int64(pos.castling_rook[right]))
                at = put(text, at, letter + colour * SMALL)
    return put(text, at, DASH) if at == start else at
