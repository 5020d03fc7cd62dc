# SPDX-License-Identifier: GPL-3.0-or-later
"""Terms of the classical evaluation: what the pieces do, and the squares that each side attacks."""

import numpy as np

from kingcobra.board.attacks import KING_ATTACKS, KNIGHT_ATTACKS, bishop_attacks, rook_attacks
from kingcobra.board.basics import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, file_of, type_of
from kingcobra.board.bitboards import EMPTY, more_than_one
from kingcobra.board.position import king_square, occupied, pieces
from kingcobra.kernel.bits import bit, lsb, popcount, without_lsb
from kingcobra.kernel.compiled import compiled
from kingcobra.nnue.credit import (
    AHEAD_BESIDE,
    FILE_SQUARES,
    credit,
    pawn_attacks,
    placed,
    relative_rank,
)
from kingcobra.nnue.terms import OFFSETS

BISHOP_PAIR = OFFSETS["bishop_pair"]
KNIGHT_MOBILITY = OFFSETS["knight_mobility"]
BISHOP_MOBILITY = OFFSETS["bishop_mobility"]
ROOK_MOBILITY = OFFSETS["rook_mobility"]
QUEEN_MOBILITY = OFFSETS["queen_mobility"]
BISHOP_PAWNS = OFFSETS["bishop_pawns"]
ROOK_HALF_OPEN = OFFSETS["rook_half_open"]
ROOK_OPEN = OFFSETS["rook_open"]
OUTPOST = OFFSETS["outpost"]
PAWN_THREAT = OFFSETS["pawn_threat"]
MINOR_THREAT = OFFSETS["minor_threat"]
ROOK_THREAT = OFFSETS["rook_threat"]
HANGING = OFFSETS["hanging"]
OUTPOST_RANKS = (3, 4, 5)
LIGHT_SQUARES = np.uint64(0x55AA_55AA_55AA_55AA)

# What each piece adds to the danger of the king whose neighbourhood it attacks.
RING_UNITS = np.array([0, 0, 2, 2, 2, 3, 0], np.int64)


@compiled
def piece_activity(pos, trace, us):
    """Mobility, threats, outposts and files of one side's pieces. Returns their worth; the squares
    that this side attacks at all and more than once, by anything but its king, and by knights,
    bishops, rooks and queens; and the danger that they are to the enemy king."""
    total = 0
    them = us ^ 1
    ours = pos.by_colour[us]
    blocking = occupied(pos)
    our_pawns = pieces(pos, us, PAWN)
    their_pawns = pieces(pos, them, PAWN)
    their_pieces = pos.by_colour[them] & ~their_pawns
    our_pawn_attacks = pawn_attacks(our_pawns, us)
    safe = ~pawn_attacks(their_pawns, them) & ~(ours & (pos.by_type[PAWN] | pos.by_type[KING]))
    ring = KING_ATTACKS[king_square(pos, them)]
    attacked = our_pawn_attacks
    twice = EMPTY
    by_knights = EMPTY
    by_bishops = EMPTY
    by_rooks = EMPTY
    by_queens = EMPTY
    danger = 0

    movers = ours & ~(pos.by_type[PAWN] | pos.by_type[KING])
    while movers:
        square = lsb(movers)
        movers = without_lsb(movers)
        piece_type = np.int64(type_of(pos.board[square]))
        total += placed(trace, us, piece_type, square)
        if piece_type == KNIGHT:
            attacks = KNIGHT_ATTACKS[square]
            by_knights |= attacks
            mobility = KNIGHT_MOBILITY
        elif piece_type == BISHOP:
            attacks = bishop_attacks(square, blocking ^ (ours & pos.by_type[QUEEN]))
            by_bishops |= attacks
            mobility = BISHOP_MOBILITY
            colour = LIGHT_SQUARES if LIGHT_SQUARES & bit(square) else ~LIGHT_SQUARES
            total += credit(trace, us, BISHOP_PAWNS, popcount(our_pawns & colour))
        elif piece_type == ROOK:
            attacks = rook_attacks(square, blocking ^ (ours & straight_pieces(pos)))
            by_rooks |= attacks
            mobility = ROOK_MOBILITY
        else:
            attacks = bishop_attacks(square, blocking) | rook_attacks(square, blocking)
            by_queens |= attacks
            mobility = QUEEN_MOBILITY
        twice |= attacked & attacks
        attacked |= attacks
        total += credit(trace, us, mobility + popcount(attacks & safe), 1)
        if attacks & ring:
            danger += RING_UNITS[piece_type] + popcount(attacks & ring)
        if piece_type <= BISHOP:
            total += threats(pos, trace, us, MINOR_THREAT, attacks & their_pieces)
            total += outpost(trace, us, square, piece_type, our_pawn_attacks, their_pawns)
        elif piece_type == ROOK:
            total += threats(pos, trace, us, ROOK_THREAT, attacks & their_pieces)
            total += rook_file(trace, us, square, our_pawns, their_pawns)
    total += threats(pos, trace, us, PAWN_THREAT, our_pawn_attacks & their_pieces)
    if more_than_one(pieces(pos, us, BISHOP)):
        total += credit(trace, us, BISHOP_PAIR, 1)
    return total, attacked, twice, by_knights, by_bishops, by_rooks, by_queens, danger


@compiled
def straight_pieces(pos):
    """Rooks and queens: a rook looks through those of its own side."""
    return pos.by_type[ROOK] | pos.by_type[QUEEN]


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
def outpost(trace, us, square, piece_type, our_pawn_attacks, their_pawns):
    """A minor piece that a pawn protects and no enemy pawn can chase away."""
    rank = relative_rank(us, square)
    if (
        rank in OUTPOST_RANKS
        and our_pawn_attacks & bit(square)
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
