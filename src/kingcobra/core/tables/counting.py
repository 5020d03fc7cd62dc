# SPDX-License-Identifier: GPL-3.0-or-later
"""Binomials and numberings of squares, as the format fixes them."""

from math import comb

import numpy as np

from kingcobra.core.rules.basics import FILES, RANKS, SQUARES
from kingcobra.core.tables.file_layout import MAX_FILES
from kingcobra.core.tables.layout import MAX_MEN

PAWN_SQUARES = 48
HALF_BOARD_FILES = 4
# Three different men, or two kings, anywhere on the board, symmetric positions counted once.
TRIPLES = 31_332
KING_PAIRS = 462

TRIANGLE_OFF_DIAGONAL = 6
BELOW_DIAGONAL_SQUARES = 28


def _square(file, rank):
    return rank * FILES + file


def _height(square):
    """Positive above the diagonal from a1 to h8, negative below."""
    return square // FILES - square % FILES


def _binomials():
    """[k, n]: how many sets of k out of n."""
    return np.array([[comb(n, k) for n in range(SQUARES)] for k in range(MAX_MEN)], np.int64)


def _below_diagonal():
    """Numbers of the squares below the diagonal from a1 to h8."""
    numbers = np.zeros(SQUARES, np.int64)
    below = [square for square in range(SQUARES) if _height(square) < 0]
    numbers[below] = np.arange(BELOW_DIAGONAL_SQUARES)
    return numbers


def _triangle():
    """Numbers of the squares of the triangle a1, d1, d4: those below the diagonal first."""
    corner = [_square(file, rank) for rank in range(4) for file in range(HALF_BOARD_FILES)]
    below = [square for square in corner if _height(square) < 0]
    diagonal = [square for square in corner if _height(square) == 0]
    numbers = np.zeros(SQUARES, np.int64)
    for number, square in enumerate(below + diagonal):
        numbers[square] = number
    return numbers, below + diagonal


def _touch(one, other):
    return abs(one % FILES - other % FILES) <= 1 and abs(one // FILES - other // FILES) <= 1


def _king_pairs(triangle):
    """[number in the triangle, square]: numbers of two kings that do not touch. Pairs that both
    stand on the diagonal come last; of pairs that mirror each other, one has a number."""
    numbers = np.zeros((len(triangle), SQUARES), np.int64)
    both_on_diagonal = []
    count = 0
    # b1 comes first, then the others in the order of their numbers.
    for number, first in enumerate(triangle):
        for second in range(SQUARES):
            if _touch(first, second):
                continue
            if _height(first) == 0 and _height(second) > 0:
                continue
            if _height(first) == 0 and _height(second) == 0:
                both_on_diagonal.append((number, second))
                continue
            numbers[number, second] = count
            count += 1
    for number, second in both_on_diagonal:
        numbers[number, second] = count
        count += 1
    assert count == KING_PAIRS
    return numbers


def _pawn_order():
    """Numbers of the pawn squares: from the edge files inwards and up the board they fall, so that
    the leading pawn has the highest. A square and its mirror image differ in the last bit."""
    order = np.zeros(SQUARES, np.int64)
    number = PAWN_SQUARES - 1
    for file in range(HALF_BOARD_FILES):
        for rank in range(1, RANKS - 1):
            order[_square(file, rank)] = number
            order[_square(FILES - 1 - file, rank)] = number - 1
            number -= 2
    return order


def _leading_pawns():
    """[pawns, number of the leading one]: where its positions begin among those of its file; and
    [pawns, file]: how many positions that file has."""
    starts = np.zeros((MAX_MEN, PAWN_SQUARES), np.int64)
    sizes = np.zeros((MAX_MEN, MAX_FILES), np.int64)
    order = _pawn_order()
    for pawns in range(1, MAX_MEN - 1):
        for file in range(HALF_BOARD_FILES):
            start = 0
            for rank in range(1, RANKS - 1):
                number = int(order[_square(file, rank)])
                starts[pawns, number] = start
                start += comb(number, pawns - 1)
            sizes[pawns, file] = start
    return starts, sizes


BINOMIAL = _binomials()
BELOW_DIAGONAL = _below_diagonal()
TRIANGLE, _TRIANGLE_SQUARES = _triangle()
KING_PAIR = _king_pairs(_TRIANGLE_SQUARES)
PAWN_ORDER = _pawn_order()
LEADING_PAWN_START, LEADING_PAWN_SIZE = _leading_pawns()
# The file of the leading pawn by its number.
LEADING_FILE = np.array(
    [(PAWN_SQUARES - 1 - number) // (2 * (RANKS - 2)) for number in range(PAWN_SQUARES)], np.int64
)
