# SPDX-License-Identifier: GPL-3.0-or-later
"""The moves of a whole game: text as a PGN has it, without its tags, to moves that are played.

Move numbers, comments, variations, glyphs and the result are skipped. Moves are SAN or UCI text.
"""

import numpy as np

from kingcobra.core.notation.characters import NINE, ZERO, byte_at, is_blank, skip_blanks, skip_word
from kingcobra.core.notation.games.layout import AMBIGUOUS_MOVE, ILLEGAL_MOVE
from kingcobra.core.notation.games.san_reading import AMBIGUOUS, is_remark, read_move
from kingcobra.core.notation.layout import OFFSET_SHIFT
from kingcobra.core.rules.basics import NO_MOVE
from kingcobra.core.rules.position import forget_unreachable_past, make, unmake
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import load_u16, store_u16

COMMENT, COMMENT_END, LINE_COMMENT = ord("{"), ord("}"), ord(";")
VARIATION, VARIATION_END = ord("("), ord(")")
GLYPH, DOT, NEWLINE = ord("$"), ord("."), ord("\n")
# The results of games, their bytes as one number.
WON, LOST, DRAWN, UNKNOWN = (
    int.from_bytes(result, "big") for result in (b"1-0", b"0-1", b"1/2-1/2", b"*")
)
LONGEST_RESULT = 7
BITS_PER_BYTE = 8


@compiled
def read_game(pos, text, length, moves_address, first, room, forgets):
    """Plays the moves of a text and writes them as uint16 from index `first` on, as long as there
    is room. Returns how many; or, below zero, the error and its offset. Where the position forgets
    its past, a game may be of any length; where it does not, an error takes all moves back."""
    count = np.int64(0)
    at = next_move(text, np.int64(0), length)
    while at < length and first + count < room:
        end = move_end(text, at, length)
        if is_result(text, at, end):
            break
        move = read_move(pos, text, at, end)
        if move <= NO_MOVE:
            if not forgets:
                take_back(pos, moves_address, first, count)
            number = AMBIGUOUS_MOVE if move == AMBIGUOUS else ILLEGAL_MOVE
            return -(np.int64(number) | at << OFFSET_SHIFT)
        make(pos, move)
        if forgets:
            forget_unreachable_past(pos)
        store_u16(moves_address, first + count, np.uint64(move))
        count += 1
        at = next_move(text, end, length)
    return count


@compiled
def take_back(pos, moves_address, first, count):
    """Unmakes the moves that were just written, the last one first."""
    for index in range(first + count - 1, first - 1, -1):
        unmake(pos, np.int64(load_u16(moves_address, index)))


@compiled
def next_move(text, at, length):
    """The offset of the next move or result, `length` if there is none."""
    while at < length:
        at = skip_blanks(text, at, length)
        if at == length:
            return at
        byte = byte_at(text, at)
        if byte == COMMENT or byte == LINE_COMMENT:
            at = skip_comment(text, at, length)
        elif byte == VARIATION:
            at = skip_variation(text, at, length)
        elif byte == GLYPH or is_remark(byte) or byte == COMMENT_END or byte == VARIATION_END:
            at = skip_word(text, at, length)
        else:
            start = skip_number(text, at, length)
            if start < length and not is_blank(byte_at(text, start)):
                return start
            at = start
    return length


@compiled
def skip_comment(text, at, length):
    """The offset behind a comment in braces, or one that ends with its line."""
    last = COMMENT_END if byte_at(text, at) == COMMENT else NEWLINE
    while at < length and byte_at(text, at) != last:
        at += 1
    return min(at + 1, length)


@compiled
def skip_variation(text, at, length):
    """The offset behind a variation, with those inside it."""
    depth = 0
    while at < length:
        byte = byte_at(text, at)
        if byte == COMMENT or byte == LINE_COMMENT:
            at = skip_comment(text, at, length)
            continue
        at += 1
        if byte == VARIATION:
            depth += 1
        elif byte == VARIATION_END:
            depth -= 1
            if depth == 0:
                return at
    return at


@compiled
def skip_number(text, at, length):
    """The offset behind a move number, with or without its dots; that of anything else as it is."""
    end = at
    while end < length and ZERO <= byte_at(text, end) <= NINE:
        end += 1
    digits_end = end
    while end < length and byte_at(text, end) == DOT:
        end += 1
    if end > digits_end or end == length or is_blank(byte_at(text, end)):
        return end
    return at


@compiled
def move_end(text, at, length):
    """The offset behind a move or a result."""
    while at < length:
        byte = byte_at(text, at)
        if is_blank(byte) or byte == COMMENT or byte == LINE_COMMENT:
            return at
        if byte == VARIATION or byte == VARIATION_END or byte == GLYPH:
            return at
        at += 1
    return at


@compiled
def is_result(text, at, end):
    """Whether the word is the result of a game."""
    if end - at > LONGEST_RESULT:
        return False
    word = np.int64(0)
    for offset in range(at, end):
        word = word << BITS_PER_BYTE | byte_at(text, offset)
    return word == WON or word == LOST or word == DRAWN or word == UNKNOWN
