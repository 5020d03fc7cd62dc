# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters as bytes: what each one means, reading and writing them behind an address.

A text is the address of its first byte, and positions in it are offsets. Bytes above 127 never
mean anything.
"""

import numpy as np

from kingcobra.core.rules.basics import BLACK, FILES, KING, PAWN, WHITE, file_of, piece_of, rank_of
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import load_u8, store_u8

BYTES = 256
SPACE, DASH, SLASH, EQUALS = ord(" "), ord("-"), ord("/"), ord("=")
ZERO, ONE, EIGHT, NINE = ord("0"), ord("1"), ord("8"), ord("9")
LOWER_A, LOWER_H, LOWER_W, LOWER_B = ord("a"), ord("h"), ord("w"), ord("b")
UPPER_A, UPPER_Z, UPPER_K, UPPER_Q = ord("A"), ord("Z"), ord("K"), ord("Q")
# What a small letter is above its capital.
SMALL = LOWER_A - UPPER_A
DECIMAL = 10
PIECE_LETTERS = "PNBRQK"
# What str.split() takes for blank, of the bytes that are ASCII.
BLANKS = "\t\n\v\f\r\x1c\x1d\x1e\x1f "


def _piece_of_byte():
    pieces = np.zeros(BYTES, np.uint8)
    for piece_type, letter in enumerate(PIECE_LETTERS, PAWN):
        pieces[ord(letter)] = piece_of(WHITE, piece_type)
        pieces[ord(letter.lower())] = piece_of(BLACK, piece_type)
    return pieces


def _blank_bytes():
    blank = np.zeros(BYTES, np.uint8)
    blank[[ord(character) for character in BLANKS]] = 1
    return blank


# The piece that a letter of a FEN stands for, NO_PIECE for all other bytes; and the way back.
PIECE_OF_BYTE = _piece_of_byte()
BYTE_OF_PIECE = np.zeros(piece_of(BLACK, KING) + 1, np.uint8)
BYTE_OF_PIECE[PIECE_OF_BYTE[PIECE_OF_BYTE > 0]] = np.flatnonzero(PIECE_OF_BYTE)
IS_BLANK = _blank_bytes()
# Capital letters by piece type.
BYTE_OF_TYPE = BYTE_OF_PIECE[: KING + 1].copy()


@compiled
def byte_at(text, offset):
    """The byte at an offset."""
    return np.int64(load_u8(text, offset))


@compiled
def is_blank(byte):
    """Whether the byte separates words."""
    return IS_BLANK[byte] != 0


@compiled
def capital(byte):
    """A small letter as a capital; any other byte as it is."""
    return byte - SMALL if LOWER_A <= byte < LOWER_A + UPPER_Z - UPPER_A + 1 else byte


@compiled
def skip_blanks(text, at, end):
    """The offset of the next byte that is not blank, `end` if there is none."""
    while at < end and is_blank(byte_at(text, at)):
        at += 1
    return at


@compiled
def skip_word(text, at, end):
    """The offset of the next blank, `end` if there is none."""
    while at < end and not is_blank(byte_at(text, at)):
        at += 1
    return at


@compiled
def square_at(text, at):
    """The square that two bytes name; negative if they name none."""
    file = byte_at(text, at) - LOWER_A
    rank = byte_at(text, at + 1) - ONE
    if file < 0 or file >= FILES or rank < 0 or rank >= FILES:
        return np.int64(-1)
    return rank * FILES + file


# --- writing: each function returns the offset behind what it wrote ----------------------------


@compiled
def put(text, at, byte):
    """Writes one byte."""
    store_u8(text, at, np.uint64(byte))
    return at + 1


@compiled
def put_square(text, at, square):
    """Writes the two bytes of a square's name."""
    put(text, at, LOWER_A + file_of(square))
    return put(text, at + 1, ONE + rank_of(square))


@compiled
def put_number(text, at, number):
    """Writes a number that is not negative, in decimal digits."""
    scale = 1
    while number // DECIMAL >= scale:
        scale *= DECIMAL
    while scale:
        at = put(text, at, ZERO + number // scale % DECIMAL)
        scale //= DECIMAL
    return at
