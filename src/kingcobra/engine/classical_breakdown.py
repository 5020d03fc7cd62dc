# SPDX-License-Identifier: GPL-3.0-or-later
"""A classical evaluation by groups of terms, for each side and phase of the game."""

from typing import NamedTuple

import numpy as np

from kingcobra.board.plain_sliders import fill_entries
from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.classical.breakdown_counts import count_terms, winning_parts_of
from kingcobra.core.classical.drawish import counting_units
from kingcobra.core.classical.evaluate import FULL_PHASE
from kingcobra.core.classical.terms import OFFSETS, TERMS, WEIGHTS_IN_ALL
from kingcobra.core.classical.weights import ENDGAME, MIDDLEGAME
from kingcobra.core.rules.basics import BLACK, COLOURS, QUEEN, ROOK, SQUARES, WHITE

# The groups shown to the user, and their terms.
GROUPS = {
    "Material": ("material", "bishop_pair"),
    "Squares": ("square",),
    "Pawn structure": ("isolated", "doubled", "backward", "supported", "beside"),
    "Passed pawns": (
        "passed",
        "passed_free",
        "passed_safe",
        "passed_our_king",
        "passed_their_king",
    ),
    "Mobility": ("knight_mobility", "bishop_mobility", "rook_mobility", "queen_mobility"),
    "Minor pieces": ("outpost", "bishop_pawns"),
    "Rooks on files": ("rook_half_open", "rook_open"),
    "Threats": ("pawn_threat", "minor_threat", "rook_threat", "hanging"),
    "King shelter": ("shelter", "storm"),
    "Attack on king": ("checks", "danger"),
    "Right to move": ("tempo",),
}

_SIZES = dict(TERMS)


class Worth(NamedTuple):
    """A value in internal units, with all pieces on the board and with none."""

    middlegame: int
    endgame: int

    def less(self, other: "Worth") -> "Worth":
        """The difference."""
        return Worth(self.middlegame - other.middlegame, self.endgame - other.endgame)


class Breakdown(NamedTuple):
    """What each side has of each group. `phase` is FULL_PHASE with all pieces, 0 with none. How
    much of its advantage counts for each side if it is ahead, in parts of ALL_PARTS: less in
    endings that are hard to win."""

    groups: dict[str, tuple[Worth, Worth]]
    phase: int
    winning_parts: tuple[int, int]

    @property
    def totals(self) -> tuple[Worth, Worth]:
        """The sums over all groups, for each side."""
        white, black = (
            Worth(
                sum(sides[colour].middlegame for sides in self.groups.values()),
                sum(sides[colour].endgame for sides in self.groups.values()),
            )
            for colour in (WHITE, BLACK)
        )
        return white, black

    @property
    def sum_units(self) -> int:
        """The sum of all terms, as White sees it."""
        white, black = self.totals
        middlegame, endgame = white.less(black)
        return (middlegame * self.phase + endgame * (FULL_PHASE - self.phase)) // FULL_PHASE

    @property
    def counting_parts(self) -> int:
        """How much of that sum counts, in parts of ALL_PARTS."""
        return self.winning_parts[WHITE if self.sum_units > 0 else BLACK]

    @property
    def white_units(self) -> int:
        """The evaluation, as White sees it."""
        return int(counting_units(self.sum_units, self.counting_parts))


def break_down(board: PositionHandle) -> Breakdown:
    """The classical evaluation of a position, by groups."""
    _prepare_attacks(board)
    counts = np.zeros((COLOURS, WEIGHTS_IN_ALL), np.int16)
    phase = 0
    for colour in (WHITE, BLACK):
        address = counts[colour].ctypes.data
        phase = count_terms(np.int64(board.address), np.int64(colour), np.int64(address))
    counts[BLACK] = -counts[BLACK]
    groups = {
        name: (_worth(counts[WHITE], terms), _worth(counts[BLACK], terms))
        for name, terms in GROUPS.items()
    }
    white_parts, black_parts = (
        int(winning_parts_of(np.int64(board.address), np.int64(colour)))
        for colour in (WHITE, BLACK)
    )
    return Breakdown(groups, int(phase), (white_parts, black_parts))


def _worth(counts: np.ndarray, terms: tuple[str, ...]) -> Worth:
    middlegame = endgame = 0
    for term in terms:
        for index in range(OFFSETS[term], OFFSETS[term] + _SIZES[term]):
            middlegame += int(counts[index]) * MIDDLEGAME[index]
            endgame += int(counts[index]) * ENDGAME[index]
    return Worth(middlegame, endgame)


def _prepare_attacks(board: PositionHandle) -> None:
    """The evaluation looks from all pieces and kings; for each side also through its own queens,
    and through its rooks and queens."""
    position = board.record
    occupied = position.by_colour[WHITE] | position.by_colour[BLACK]
    queens = position.by_type[QUEEN]
    straight = position.by_type[ROOK] | queens
    occupancies = {occupied}
    for colour in (WHITE, BLACK):
        ours = position.by_colour[colour]
        occupancies |= {occupied ^ (ours & queens), occupied ^ (ours & straight)}
    fill_entries([square for square in range(SQUARES) if occupied >> square & 1], occupancies)
