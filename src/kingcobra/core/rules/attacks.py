# SPDX-License-Identifier: GPL-3.0-or-later
"""Which squares a piece attacks: constants for leapers, one table lookup for sliders.

The table of sliding attacks is filled by compiled code when an object is loaded. Its index is a
pext of the occupancy where the CPU has a fast one, a magic multiplication elsewhere; both pack
the same slots.
"""

import numpy as np

from kingcobra.core.rules.basics import COLOURS, FILES, RANKS, SQUARES
from kingcobra.core.rules.bitboards import EMPTY
from kingcobra.core.rules.magics import BISHOP_MAGICS, ROOK_MAGICS
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import bit, multiply_low, next_subset, pext
from kingcobra.kernel.levels import target_level
from kingcobra.kernel.statics import static_table

ROOK_STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
BISHOP_STEPS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
KNIGHT_STEPS = ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))
PAWN_STEPS = (((1, 1), (1, -1)), ((-1, 1), (-1, -1)))

WORD_BITS = 64


def _ray(square, rank_step, file_step, occupied=0):
    """Squares from `square` in one direction, up to and including the first occupied one."""
    squares = []
    rank, file = square // FILES + rank_step, square % FILES + file_step
    while 0 <= rank < RANKS and 0 <= file < FILES:
        squares.append(rank * FILES + file)
        if occupied >> squares[-1] & 1:
            break
        rank, file = rank + rank_step, file + file_step
    return squares


def _set_of(squares):
    return sum(1 << square for square in squares)


def _slide(square, steps, occupied=0):
    return _set_of(target for step in steps for target in _ray(square, *step, occupied))


def _leap(square, steps):
    return _set_of(_ray(square, *step)[0] for step in steps if _ray(square, *step))


def _inner(square, steps):
    """The squares whose occupancy matters: each ray but for its last square, where it ends."""
    return _set_of(target for step in steps for target in _ray(square, *step)[:-1])


def _table(function, *arguments):
    return np.array([function(square, *arguments) for square in range(SQUARES)], np.uint64)


KNIGHT_ATTACKS = _table(_leap, KNIGHT_STEPS)
KING_ATTACKS = _table(_leap, ROOK_STEPS + BISHOP_STEPS)
PAWN_ATTACKS = np.stack([_table(_leap, PAWN_STEPS[colour]) for colour in range(COLOURS)])
ROOK_RAYS = _table(_slide, ROOK_STEPS)
BISHOP_RAYS = _table(_slide, BISHOP_STEPS)
ROOK_MASKS = _table(_inner, ROOK_STEPS)
BISHOP_MASKS = _table(_inner, BISHOP_STEPS)


def _lines():
    """BETWEEN: squares strictly between two on one line. LINE: the whole line through both.
    Empty for squares on no common line."""
    between = np.zeros((SQUARES, SQUARES), np.uint64)
    line = np.zeros((SQUARES, SQUARES), np.uint64)
    for one in range(SQUARES):
        for rank_step, file_step in ROOK_STEPS + BISHOP_STEPS:
            forward = _ray(one, rank_step, file_step)
            whole = _set_of([one, *forward, *_ray(one, -rank_step, -file_step)])
            for distance, other in enumerate(forward):
                between[one, other] = _set_of(forward[:distance])
                line[one, other] = whole
    return between, line


BETWEEN, LINE = _lines()


def _slots(masks, first):
    """Where each square's part of the attack table begins, and where the table ends."""
    sizes = [1 << int(mask).bit_count() for mask in masks]
    starts = first + np.concatenate([[0], np.cumsum(sizes)])
    return starts[:-1].astype(np.int64), int(starts[-1])


ROOK_SLOTS, _END_OF_ROOKS = _slots(ROOK_MASKS, 0)
BISHOP_SLOTS, SLIDER_SLOTS = _slots(BISHOP_MASKS, _END_OF_ROOKS)

ROOK_MULTIPLIERS = np.array(ROOK_MAGICS, np.uint64)
BISHOP_MULTIPLIERS = np.array(BISHOP_MAGICS, np.uint64)
ROOK_SHIFTS = np.array([WORD_BITS - int(mask).bit_count() for mask in ROOK_MASKS], np.uint64)
BISHOP_SHIFTS = np.array([WORD_BITS - int(mask).bit_count() for mask in BISHOP_MASKS], np.uint64)

_load_slider, _store_slider = static_table("slider_attacks", SLIDER_SLOTS)

if target_level().fast_pext:

    @compiled
    def rook_slot(square, occupied):
        """Index of a rook's attacks in the table."""
        return ROOK_SLOTS[square] + np.int64(pext(occupied, ROOK_MASKS[square]))

    @compiled
    def bishop_slot(square, occupied):
        """Index of a bishop's attacks in the table."""
        return BISHOP_SLOTS[square] + np.int64(pext(occupied, BISHOP_MASKS[square]))

else:

    @compiled
    def rook_slot(square, occupied):
        """Index of a rook's attacks in the table."""
        relevant = occupied & ROOK_MASKS[square]
        hashed = multiply_low(relevant, ROOK_MULTIPLIERS[square]) >> ROOK_SHIFTS[square]
        return ROOK_SLOTS[square] + np.int64(hashed)

    @compiled
    def bishop_slot(square, occupied):
        """Index of a bishop's attacks in the table."""
        relevant = occupied & BISHOP_MASKS[square]
        hashed = multiply_low(relevant, BISHOP_MULTIPLIERS[square]) >> BISHOP_SHIFTS[square]
        return BISHOP_SLOTS[square] + np.int64(hashed)


@compiled
def rook_attacks(square, occupied):
    """Squares a rook attacks, the first occupied one of each ray included."""
    return _load_slider(rook_slot(square, occupied))


@compiled
def bishop_attacks(square, occupied):
    """Squares a bishop attacks, the first occupied one of each ray included."""
    return _load_slider(bishop_slot(square, occupied))


@compiled
def walk(square, rank_step, file_step, occupied):
    """The slow way to a sliding attack, one step after the other."""
    attacks = EMPTY
    rank = (square >> 3) + rank_step
    file = (square & 7) + file_step
    while 0 <= rank < RANKS and 0 <= file < FILES:
        target = bit(rank * FILES + file)
        attacks |= target
        if occupied & target:
            break
        rank += rank_step
        file += file_step
    return attacks


@compiled
def fill_slider_table():
    """Fills the table: for every square, every occupancy of the squares that matter."""
    for square in range(SQUARES):
        occupied = EMPTY
        while True:
            attacks = EMPTY
            for rank_step, file_step in ROOK_STEPS:
                attacks |= walk(square, rank_step, file_step, occupied)
            _store_slider(rook_slot(square, occupied), attacks)
            occupied = next_subset(occupied, ROOK_MASKS[square])
            if occupied == EMPTY:
                break
        while True:
            attacks = EMPTY
            for rank_step, file_step in BISHOP_STEPS:
                attacks |= walk(square, rank_step, file_step, occupied)
            _store_slider(bishop_slot(square, occupied), attacks)
            occupied = next_subset(occupied, BISHOP_MASKS[square])
            if occupied == EMPTY:
                break
