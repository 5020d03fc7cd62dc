# SPDX-License-Identifier: GPL-3.0-or-later
"""Endings of king and one man against king, solved backwards from mate: slow, obvious and without
any table.

White has the man. Positions have an axis for White's king, one for Black's king and one for the
man. A distance is the number of plies to mate or to the next pawn move, zero where White does not
win.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Numbers = NDArray[np.signedinteger]
Distances = NDArray[np.int64]

SQUARES, SIDE = 64, 8
KING_STEPS = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0))
STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
RAYS = {"R": STRAIGHT, "Q": KING_STEPS}
# Black is mated: no ply is left, which tables call one.
MATED = 1
SECOND_RANK, SEVENTH_RANK = 1, 6
FAR = 1 << 20
# Behind the numbers of all positions: what an illegal move leads to, and the capture of the man.
NOWHERE, BARE_KINGS = SQUARES**3, SQUARES**3 + 1

W, B, M = np.meshgrid(np.arange(SQUARES), np.arange(SQUARES), np.arange(SQUARES), indexing="ij")


def stepped(squares: Numbers, step: tuple[int, int], times: int = 1) -> tuple[Numbers, Bools]:
    """Squares some steps further, and which of them are on the board; the others are a1."""
    files = squares % SIDE + step[0] * times
    ranks = squares // SIDE + step[1] * times
    inside = (files >= 0) & (files < SIDE) & (ranks >= 0) & (ranks < SIDE)
    return np.where(inside, ranks * SIDE + files, 0), inside


def are_near(one: Numbers, other: Numbers) -> Bools:
    """Whether kings there would touch."""
    files = np.abs(one % SIDE - other % SIDE)
    return np.maximum(files, np.abs(one // SIDE - other // SIDE)) <= 1


def attacks(man: str) -> Bools:
    """By White's king, the man and a square: whether the man attacks it. Black's king is in the way
    of nothing: it cannot hide behind itself."""
    found = np.zeros((SQUARES,) * 3, bool)
    if man == "P":
        for step in ((-1, 1), (1, 1)):
            to, inside = stepped(np.arange(SQUARES), step)
            found[:, np.arange(SQUARES)[inside], to[inside]] = True
        return found
    kings, men = np.meshgrid(np.arange(SQUARES), np.arange(SQUARES), indexing="ij")
    for ray in RAYS[man]:
        is_free = np.ones_like(kings, bool)
        for times in range(1, SIDE):
            to, inside = stepped(men, ray, times)
            is_free &= inside & (to != kings)
            found[kings[is_free], men[is_free], to[is_free]] = True
    return found


@dataclass(frozen=True)
class Solved:
    """Which positions are possible with either side to move, and the distances."""

    man: str
    white_possible: Bools
    black_possible: Bools
    white_distance: Distances
    black_distance: Distances


def numbers_of(white: Numbers, black: Numbers, man: Numbers, legal: Bools) -> Numbers:
    """The numbers of the positions that a legal move leads to, NOWHERE where it is not legal."""
    numbers = (white * SQUARES + black) * SQUARES + man
    return np.where(legal, numbers, NOWHERE).astype(np.int32)


class Ending:
    """One man, and what the moves of both sides lead to."""

    def __init__(self, man: str, promoted: tuple[Solved, ...] = ()) -> None:
        self.man = man
        self._promoted = promoted
        self._attacks = attacks(man)
        stands = (W != B) & (W != M) & (B != M) & ~are_near(W, B)
        if man == "P":
            stands &= (M >= SIDE) & (M < SQUARES - SIDE)
        self._check = self._attacks[W, M, B]
        self.black_possible = stands
        self.white_possible = stands & ~self._check
        self._white_moves = [*self._king_moves(), *self._man_moves()]
        self._black_moves = list(self._escapes())
        self._can_move = np.any([moves != NOWHERE for moves in self._black_moves], axis=0)

    def _king_moves(self) -> Iterator[Numbers]:
        for step in KING_STEPS:
            to, inside = stepped(W, step)
            yield numbers_of(to, B, M, inside & (to != M) & ~are_near(to, B))

    def _man_moves(self) -> Iterator[Numbers]:
        """Pawn moves apart: they begin another count."""
        for ray in RAYS.get(self.man, ()):
            is_free = np.ones(W.shape, bool)
            for times in range(1, SIDE):
                to, inside = stepped(M, ray, times)
                is_free &= inside & (to != W) & (to != B)
                yield numbers_of(W, B, to, is_free)

    def _escapes(self) -> Iterator[Numbers]:
        for step in KING_STEPS:
            to, inside = stepped(B, step)
            legal = inside & ~are_near(to, W) & ((to == M) | ~self._attacks[W, M, to])
            yield np.where(legal & (to == M), BARE_KINGS, numbers_of(W, to, M, legal))

    def white_distance(self, black: Distances) -> Distances:
        """From Black's distances: one ply more than the shortest that a move of White reaches."""
        left = np.where(black == 0, FAR, np.where(black == MATED, 0, black)).ravel()
        values = np.append(left, [FAR, FAR])
        best = np.where(self._winning_pawn_moves(black), 0, FAR)
        for moves in self._white_moves:
            np.minimum(best, values[moves], out=best)
        return np.where(self.white_possible & (best < FAR), best + 1, 0)

    def _winning_pawn_moves(self, black: Distances) -> Bools:
        """Where a pawn move leads to a position that Black has lost, however soon."""
        if self.man != "P":
            return np.zeros(W.shape, bool)
        one, _ = stepped(M, (0, 1))
        two, _ = stepped(M, (0, 1), 2)
        is_free = (one != W) & (one != B)
        promotes = M // SIDE == SEVENTH_RANK
        found = is_free & ~promotes & (black[W, B, one] > 0)
        doubles = is_free & (M // SIDE == SECOND_RANK) & (two != W) & (two != B)
        found |= doubles & (black[W, B, two] > 0)
        for ending in self._promoted:
            found |= is_free & promotes & (ending.black_distance[W, B, one] > 0)
        return found

    def black_distance(self, white: Distances) -> Distances:
        """From White's distances: where all moves lose, one ply more than the longest."""
        values = np.append(np.where(white == 0, FAR, white).ravel(), [0, FAR])
        worst = np.zeros(W.shape, np.int64)
        for moves in self._black_moves:
            np.maximum(worst, values[moves], out=worst)
        lost = np.where(worst < FAR, worst + 1, 0)
        mated = np.where(self._check, MATED, 0)
        return np.where(self.black_possible, np.where(self._can_move, lost, mated), 0)

    def solve(self) -> Solved:
        """Both in turn, beginning with the mates, until nothing changes."""
        white = np.zeros(W.shape, np.int64)
        black = self.black_distance(white)
        while True:
            white = self.white_distance(black)
            after = self.black_distance(white)
            if np.array_equal(after, black):
                return Solved(self.man, self.white_possible, self.black_possible, white, black)
            black = after


@cache
def solve(man: str) -> Solved:
    """King and that man against king."""
    promoted = (solve("Q"), solve("R")) if man == "P" else ()
    return Ending(man, promoted).solve()
