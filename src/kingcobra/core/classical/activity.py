# SPDX-License-Identifier: GPL-3.0-or-later
"""Terms of the classical evaluation: what the pieces do, and the squares that each side attacks."""

from typing import NamedTuple

import numpy as np

from kingcobra.core.classical.credit import (
    AHEAD_BESIDE,
    FILE_SQUARES,
    credit,
    placed,
    relative_rank,
)
from kingcobra.core.classical.terms import OFFSETS
from kingcobra.core.rules.attacks import (
    KING_ATTACKS,
    KNIGHT_ATTACKS,
    PAWN_ATTACKS,
    bishop_attacks,
    rook_attacks,
)
from kingcobra.core.rules.basics import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, file_of, type_of
from kingcobra.core.rules.bitboards import EMPTY, LIGHT_SQUARES, more_than_one
from kingcobra.core.rules.pawn_steps import attacked
from kingcobra.core.rules.position import king_square, occupied, pieces, straight_sliders
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import bit, lsb, popcount, without_lsb

BISHOP_PAIR = OFFSETS["bishop_pair"]
BISHOP_PAWNS = OFFSETS["bishop_pawns"]
ROOK_HALF_OPEN = OFFSETS["rook_half_open"]
ROOK_OPEN = OFFSETS["rook_open"]
OUTPOST = OFFSETS["outpost"]
PAWN_THREAT = OFFSETS["pawn_threat"]
MINOR_THREAT = OFFSETS["minor_threat"]
ROOK_THREAT = OFFSETS["rook_threat"]
HANGING = OFFSETS["hanging"]
OUTPOST_RANKS = (3, 4, 5)

# What each piece adds to the danger of the king whose neighbourhood it attacks.
RING_UNITS = np.array([0, 0, 2, 2, 2, 3, 0], np.int64)


class TypeActivity(NamedTuple):
    """What one side's pieces of one type do. `attacked` and `twice` also hold what was there
    before them."""

    total: int
    by_these: int
    attacked: int
    twice: int
    danger: int


class Activity(NamedTuple):
    """What all pieces and pawns of one side do, its king apart: their worth, the squares that they
    attack at all, more than once and by type of piece, and the danger to the enemy king."""

    total: int
    attacked: int
    twice: int
    by_knights: int
    by_bishops: int
    by_rooks: int
    by_queens: int
    danger: int


def _activity_of(piece_type, mobility):
    """The same loop for each type of piece, compiled for that type alone."""

    @compiled
    def activity(pos, trace, us, safe, attacked, twice):
        """The TypeActivity of one side's pieces; `safe` are the squares that count as mobility."""
        total = 0
        danger = 0
        by_these = EMPTY
        them = us ^ 1
        ours = pos.by_colour[us]
        blocking = occupied(pos)
        our_pawns = pieces(pos, us, PAWN)
        their_pawns = pieces(pos, them, PAWN)
        their_pieces = pos.by_colour[them] & ~their_pawns
        ring = KING_ATTACKS[king_square(pos, them)]
        movers = pieces(pos, us, piece_type)
        while movers:
            square = lsb(movers)
            movers = without_lsb(movers)
            total += placed(trace, us, piece_type, square)
            if piece_type == KNIGHT:
                attacks = KNIGHT_ATTACKS[square]
            elif piece_type == BISHOP:
                attacks = bishop_attacks(square, blocking ^ (ours & pos.by_type[QUEEN]))
                colour = LIGHT_SQUARES if LIGHT_SQUARES & bit(square) else ~LIGHT_SQUARES
                total += credit(trace, us, BISHOP_PAWNS, popcount(our_pawns & colour))
            elif piece_type == ROOK:
                attacks = rook_attacks(square, blocking ^ (ours & straight_sliders(pos)))
                total += rook_file(trace, us, square, our_pawns, their_pawns)
                total += threats(pos, trace, us, ROOK_THREAT, attacks & their_pieces)
            else:
                attacks = bishop_attacks(square, blocking) | rook_attacks(square, blocking)
            if piece_type <= BISHOP:
                total += threats(pos, trace, us, MINOR_THREAT, attacks & their_pieces)
                total += outpost(trace, us, square, piece_type, our_pawns, their_pawns)
            by_these |= attacks
            twice |= attacked & attacks
            attacked |= attacks
            total += credit(trace, us, mobility + popcount(attacks & safe), 1)
            if attacks & ring:
                danger += RING_UNITS[piece_type] + popcount(attacks & ring)
        return TypeActivity(total, by_these, attacked, twice, danger)

    return activity


knight_activity = _activity_of(KNIGHT, OFFSETS["knight_mobility"])
bishop_activity = _activity_of(BISHOP, OFFSETS["bishop_mobility"])
rook_activity = _activity_of(ROOK, OFFSETS["rook_mobility"])
queen_activity = _activity_of(QUEEN, OFFSETS["queen_mobility"])


@compiled
def piece_activity(pos, trace, us):
    """The Activity of one side: mobility, threats, outposts and files."""
    them = us ^ 1
    ours = pos.by_colour[us]
    by_pawns = attacked(us, pieces(pos, us, PAWN))
    their_pawns = pieces(pos, them, PAWN)
    safe = ~attacked(them, their_pawns) & ~(ours & (pos.by_type[PAWN] | pos.by_type[KING]))
    total = threats(pos, trace, us, PAWN_THREAT, by_pawns & pos.by_colour[them] & ~their_pawns)
    if more_than_one(pieces(pos, us, BISHOP)):
        total += credit(trace, us, BISHOP_PAIR, 1)
    knights = knight_activity(pos, trace, us, safe, by_pawns, EMPTY)
    bishops = bishop_activity(pos, trace, us, safe, knights.attacked, knights.twice)
    rooks = rook_activity(pos, trace, us, safe, bishops.attacked, bishops.twice)
    queens = queen_activity(pos, trace, us, safe, rooks.attacked, rooks.twice)
    return Activity(
        total + knights.total + bishops.total + rooks.total + queens.total,
        queens.attacked,
        queens.twice,
        knights.by_these,
        bishops.by_these,
        rooks.by_these,
        queens.by_these,
        knights.danger + bishops.danger + rooks.danger + queens.danger,
    )


@compiled
def threats(pos, trace, us, term, targets):
    """Attacks on enemy pieces, by what is attacked."""
    total = 0
    while targets:
        square = lsb(targets)
        targets = without_lsb(targets)
        total += credit(trace, us, term + np.int64(type_of(pos.board[square])), 1)
    return total


@compiled
def hanging(pos, trace, us, our_attacks, their_attacks):
    """Enemy men that are attacked and not protected."""
    return threats(pos, trace, us, HANGING, pos.by_colour[us ^ 1] & our_attacks & ~their_attacks)


@compiled
def outpost(trace, us, square, piece_type, our_pawns, their_pawns):
    """A minor piece that a pawn protects and no enemy pawn can chase away."""
    rank = relative_rank(us, square)
    if (
        rank in OUTPOST_RANKS
        and our_pawns & PAWN_ATTACKS[us ^ 1, square]
        and AHEAD_BESIDE[us, square] & their_pawns == EMPTY
    ):
        return credit(trace, us, OUTPOST + piece_type - KNIGHT, 1)
    return 0


@compiled
def rook_file(trace, us, square, our_pawns, their_pawns):
    """A rook without a pawn of its own on its file."""
    file = FILE_SQUARES[file_of(square)]
    if file & our_pawns:
        return 0
    return credit(trace, us, ROOK_HALF_OPEN if file & their_pawns else ROOK_OPEN, 1)
