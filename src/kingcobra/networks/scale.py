# SPDX-License-Identifier: GPL-3.0-or-later
"""From the units of an evaluation to centipawns and to chances to win, draw and lose. Each
evaluation has its own scale, fitted to the results of its games."""

import math
from typing import NamedTuple

from kingcobra.core.rules.basics import BISHOP, KNIGHT, PAWN, QUEEN, ROOK
from kingcobra.core.rules.layout import Position

PIECE_POINTS = {PAWN: 1, KNIGHT: 3, BISHOP: 3, ROOK: 5, QUEEN: 9}
# The range of the fit; positions outside count as the nearest inside.
LEAST_POINTS, MOST_POINTS = 10, 78
# The reference: a middlegame in which some pieces have been exchanged.
REFERENCE_POINTS = 58
PERMILLE = 1000
CENTIPAWNS = 100
# Beyond this many spreads a game is decided.
MOST_SPREADS = 50.0


def points_of(position: Position) -> int:
    """The material of both sides in the usual points."""
    return sum(
        points * position.by_type[piece].bit_count() for piece, points in PIECE_POINTS.items()
    )


class WinDrawLoss(NamedTuple):
    """Games out of a thousand."""

    win: int
    draw: int
    loss: int


class Scale:
    """The chance to win with a score of s is 1 / (1 + exp((even - s) / spread)), both in units of
    the evaluation; they are polynomials, lowest power first, of the material on the board as a
    share of REFERENCE_POINTS. A hundred centipawns win every other game at the reference."""

    def __init__(self, even: tuple[float, ...], spread: tuple[float, ...]) -> None:
        self.even = even
        self.spread = spread

    @property
    def units_per_pawn(self) -> float:
        """How many units make a hundred centipawns."""
        return sum(self.even)

    def centipawns(self, units: int) -> int:
        """A score in centipawns."""
        return round(units * CENTIPAWNS / self.units_per_pawn)

    def units(self, centipawns: int) -> int:
        """A score in units of the evaluation."""
        return round(centipawns * self.units_per_pawn / CENTIPAWNS)

    def win_permille(self, units: int, points: int) -> int:
        """How many games of a thousand a score wins."""
        share = max(LEAST_POINTS, min(points, MOST_POINTS)) / REFERENCE_POINTS
        even = sum(factor * share**power for power, factor in enumerate(self.even))
        spread = sum(factor * share**power for power, factor in enumerate(self.spread))
        spreads = max(-MOST_SPREADS, min((even - units) / spread, MOST_SPREADS))
        return round(PERMILLE / (1 + math.exp(spreads)))

    def win_draw_loss(self, units: int, points: int) -> WinDrawLoss:
        """The expected results of a thousand games."""
        win = self.win_permille(units, points)
        loss = self.win_permille(-units, points)
        return WinDrawLoss(win, PERMILLE - win - loss, loss)
