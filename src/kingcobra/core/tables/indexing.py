# SPDX-License-Identifier: GPL-3.0-or-later
"""The number of a position in its table.

A table knows its men with the side named first as White; of equal sides, the side to move is White.
Where that is Black on the board, colours are `swapped`. The board is turned so that the first
man, or the leading pawn, stands in one part of it; then group after group of equal men is
numbered among the squares that are still free.
"""

import numpy as np

from kingcobra.core.rules.basics import (
    FILES,
    MIRROR_RANKS,
    PAWN,
    colour_of,
    file_of,
    piece_of,
    rank_of,
    type_of,
)
from kingcobra.core.rules.bitboards import EMPTY
from kingcobra.core.rules.position import pieces
from kingcobra.core.tables.counting import (
    BELOW_DIAGONAL,
    BELOW_DIAGONAL_SQUARES,
    BINOMIAL,
    KING_PAIR,
    LEADING_FILE,
    LEADING_PAWN_START,
    PAWN_ORDER,
    TRIANGLE,
    TRIANGLE_OFF_DIAGONAL,
)
from kingcobra.core.tables.file_layout import MAX_LEADING
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import bit, lsb, msb, popcount, without_lsb

MIRROR_FILES = 7
ODD_NUMBERS = np.uint64(0xAAAA_AAAA_AAAA_AAAA)
EVEN_NUMBERS = np.uint64(0x5555_5555_5555_5555)
ONE = np.uint64(1)

# Squares for the second and the third of three different men, and for men on the diagonal.
SECOND, THIRD = 63, 62
DIAGONAL_HALF = 4
DIAGONAL_SECOND, DIAGONAL_THIRD = 7, 6
# Where the positions begin that have the first man, the first two, all three on the diagonal.
FIRST_ON = TRIANGLE_OFF_DIAGONAL * SECOND * THIRD
TWO_ON = FIRST_ON + DIAGONAL_HALF * BELOW_DIAGONAL_SQUARES * THIRD
THREE_ON = TWO_ON + DIAGONAL_HALF * DIAGONAL_SECOND * BELOW_DIAGONAL_SQUARES


@compiled
def men_on_board(pos, man, swapped):
    """The squares of a table's man, where colours may be swapped."""
    return pieces(pos, colour_of(np.int64(man)) ^ swapped, type_of(np.int64(man)))


@compiled
def turned(square, mirror, transposed):
    """A square of the board as the table sees it."""
    square ^= mirror
    if transposed:
        return file_of(square) * FILES + rank_of(square)
    return square


@compiled
def height(square):
    """Positive above the diagonal from a1 to h8, negative below."""
    return rank_of(square) - file_of(square)


# --- the leading group ------------------------------------------------------------------------


@compiled
def leading_pawn_numbers(pos, table, swapped):
    """The leading side's pawns by their numbers, as bits: the leading pawn is the highest. Empty
    where there are no pawns."""
    numbers = EMPTY
    if table.leading_pawns == 0:
        return numbers
    pawn = piece_of(table.leading_colour, PAWN)
    pawns = men_on_board(pos, pawn, swapped)
    while pawns:
        numbers |= bit(PAWN_ORDER[lsb(pawns) ^ MIRROR_RANKS * swapped])
        pawns = without_lsb(pawns)
    return numbers


@compiled
def is_on_kings_side(numbers):
    """Whether the leading pawn stands on the files e to h."""
    return msb(numbers) & 1 == 0


@compiled
def mirrored_numbers(numbers):
    """The numbers of the mirror images."""
    return (numbers & ODD_NUMBERS) >> ONE | (numbers & EVEN_NUMBERS) << ONE


@compiled
def number_of_pawns(numbers):
    """The number of the leading pawns among all whose leading one is on the same file."""
    first = msb(numbers)
    others = numbers ^ bit(first)
    index = LEADING_PAWN_START[popcount(numbers), first]
    chosen = 1
    while others:
        index += BINOMIAL[chosen, lsb(others)]
        others = without_lsb(others)
        chosen += 1
    return index


@compiled
def number_of_kings(first, second):
    """The number of two kings, the first in the triangle a1, d1, d4."""
    return KING_PAIR[TRIANGLE[first], second]


@compiled
def number_of_triple(first, second, third):
    """The number of three different men, the first in the triangle a1, d1, d4."""
    second_place = second - np.int64(second > first)
    third_place = third - np.int64(third > first) - np.int64(third > second)
    if height(first) != 0:
        return (TRIANGLE[first] * SECOND + second_place) * THIRD + third_place
    if height(second) != 0:
        pair = rank_of(first) * BELOW_DIAGONAL_SQUARES + BELOW_DIAGONAL[second]
        return FIRST_ON + pair * THIRD + third_place
    # On the diagonal ranks number the squares.
    second_rank = rank_of(second) - np.int64(second > first)
    pair = rank_of(first) * DIAGONAL_SECOND + second_rank
    if height(third) != 0:
        return TWO_ON + pair * BELOW_DIAGONAL_SQUARES + BELOW_DIAGONAL[third]
    third_rank = rank_of(third) - np.int64(third > first) - np.int64(third > second)
    return THREE_ON + pair * DIAGONAL_THIRD + third_rank


# --- the other groups -------------------------------------------------------------------------


@compiled
def number_of_group(group, taken, skipped):
    """The number of equal men among all ways to put them on squares that are not taken; the first
    `skipped` squares of the board are not theirs."""
    index = np.int64(0)
    chosen = 1
    while group:
        square = lsb(group)
        below = bit(square) - ONE
        index += BINOMIAL[chosen, square - popcount(taken & below) - skipped]
        group = without_lsb(group)
        chosen += 1
    return index


@compiled
def turned_group(squares, mirror, transposed):
    """A set of squares as the table sees it."""
    group = EMPTY
    while squares:
        group |= bit(turned(lsb(squares), mirror, transposed))
        squares = without_lsb(squares)
    return group


@compiled
def add_groups(pos, table, part, swapped, mirror, transposed, taken, index):
    """Adds the numbers of all groups after the leading one, whose squares are taken."""
    for number in range(part.groups):
        man = part.group_man[number]
        group = turned_group(men_on_board(pos, man, swapped), mirror, transposed)
        skipped = FILES if number == 0 and table.other_pawns != 0 else 0
        index += number_of_group(group, taken, skipped) * part.group_factor[number]
        taken |= group
    return index


# --- whole positions --------------------------------------------------------------------------


@compiled
def part_number(table, numbers, side):
    """Which of a table's parts has the positions of a side to move whose leading pawns have these
    numbers, none where there are no pawns."""
    file = np.int64(0)
    if table.leading_pawns != 0:
        shown = mirrored_numbers(numbers) if is_on_kings_side(numbers) else numbers
        file = LEADING_FILE[msb(shown)]
    return file * table.sides + (side if table.sides > 1 else 0)


@compiled
def index_in_part(pos, table, part, swapped, numbers):
    """The number of a position in the part of its table."""
    if table.leading_pawns != 0:
        return index_with_pawns(pos, table, part, swapped, numbers)
    return index_without_pawns(pos, table, part, swapped)


@compiled
def index_with_pawns(pos, table, part, swapped, numbers):
    """The number of a position with pawns in the part for its leading pawn's file. The numbers
    are those of leading_pawn_numbers."""
    mirror = MIRROR_RANKS * swapped
    if is_on_kings_side(numbers):
        mirror ^= MIRROR_FILES
        numbers = mirrored_numbers(numbers)
    pawns = men_on_board(pos, piece_of(table.leading_colour, PAWN), swapped)
    taken = turned_group(pawns, mirror, False)
    index = number_of_pawns(numbers) * part.leading_factor
    return add_groups(pos, table, part, swapped, mirror, False, taken, index)


@compiled
def index_without_pawns(pos, table, part, swapped):
    """The number of a position without pawns."""
    first = lsb(men_on_board(pos, part.men[0], swapped))
    second = lsb(men_on_board(pos, part.men[1], swapped))
    third = lsb(men_on_board(pos, part.men[2], swapped))
    mirror = MIRROR_RANKS * swapped
    if file_of(first ^ mirror) >= FILES // 2:
        mirror ^= MIRROR_FILES
    if rank_of(first ^ mirror) >= FILES // 2:
        mirror ^= MIRROR_RANKS
    # The first leading man off the diagonal goes below it.
    above = height(first ^ mirror)
    if above == 0:
        above = height(second ^ mirror)
    if above == 0 and part.leading == MAX_LEADING:
        above = height(third ^ mirror)
    transposed = above > 0

    first = turned(first, mirror, transposed)
    second = turned(second, mirror, transposed)
    taken = bit(first) | bit(second)
    if part.leading == MAX_LEADING:
        third = turned(third, mirror, transposed)
        taken |= bit(third)
        index = number_of_triple(first, second, third)
    else:
        index = number_of_kings(first, second)
    index *= part.leading_factor
    return add_groups(pos, table, part, swapped, mirror, transposed, taken, index)
