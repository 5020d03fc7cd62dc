# SPDX-License-Identifier: GPL-3.0-or-later
"""The classical evaluation: a sum of named terms, each with a middlegame and an endgame weight.

It is linear in its weights, so they are fitted to the results of games; the same code that adds
weights up can record which terms occur, for the fit.
"""

import numpy as np

from kingcobra.board.attacks import (
    KING_ATTACKS,
    KNIGHT_ATTACKS,
    PAWN_ATTACKS,
    bishop_attacks,
    rook_attacks,
)
from kingcobra.board.basics import (
    BISHOP,
    BLACK,
    COLOURS,
    FILES,
    KING,
    KNIGHT,
    MIRROR_RANKS,
    NORTH,
    PAWN,
    QUEEN,
    RANKS,
    ROOK,
    SQUARES,
    WHITE,
    file_of,
    rank_of,
    type_of,
)
from kingcobra.board.bitboards import (
    EMPTY,
    NOT_FILE_A,
    NOT_FILE_H,
    ONE_RANK_AND_A_FILE,
    ONE_RANK_LESS_A_FILE,
    more_than_one,
)
from kingcobra.board.position import king_square, occupied, pieces, present
from kingcobra.kernel.bits import bit, load_i16, lsb, msb, popcount, store_u16, without_lsb
from kingcobra.kernel.compiled import compiled
from kingcobra.nnue.layout import PAWN_ENTRIES
from kingcobra.nnue.terms import OFFSETS
from kingcobra.nnue.weights import ENDGAME, MIDDLEGAME

# A pair of weights in one number: the endgame in the upper half, the middlegame in the lower.
HALF = 1 << 16
PACKED = np.array([eg * HALF + mg for mg, eg in zip(MIDDLEGAME, ENDGAME, strict=True)], np.int64)

# How much of the middlegame each piece keeps alive.
PHASE = np.array([0, 0, 1, 1, 2, 4, 0], np.int64)
FULL_PHASE = 24

MATERIAL = OFFSETS["material"]
SQUARE = OFFSETS["square"]
BISHOP_PAIR = OFFSETS["bishop_pair"]
KNIGHT_MOBILITY = OFFSETS["knight_mobility"]
BISHOP_MOBILITY = OFFSETS["bishop_mobility"]
ROOK_MOBILITY = OFFSETS["rook_mobility"]
QUEEN_MOBILITY = OFFSETS["queen_mobility"]
PASSED = OFFSETS["passed"]
PASSED_FREE = OFFSETS["passed_free"]
PASSED_OUR_KING = OFFSETS["passed_our_king"]
PASSED_THEIR_KING = OFFSETS["passed_their_king"]
ISOLATED = OFFSETS["isolated"]
DOUBLED = OFFSETS["doubled"]
BACKWARD = OFFSETS["backward"]
SUPPORTED = OFFSETS["supported"]
BESIDE = OFFSETS["beside"]
ROOK_HALF_OPEN = OFFSETS["rook_half_open"]
ROOK_OPEN = OFFSETS["rook_open"]
OUTPOST = OFFSETS["outpost"]
PAWN_THREAT = OFFSETS["pawn_threat"]
MINOR_THREAT = OFFSETS["minor_threat"]
ROOK_THREAT = OFFSETS["rook_threat"]
SHELTER = OFFSETS["shelter"]
STORM = OFFSETS["storm"]
RING_ATTACKERS = OFFSETS["ring_attackers"]
RING_ATTACKS = OFFSETS["ring_attacks"]
CHECKS = OFFSETS["checks"]
TEMPO = OFFSETS["tempo"]
MOST_RING_ATTACKERS = 7
MOST_RING_ATTACKS = 15
PASSED_KING_FROM_RANK = 3
OUTPOST_RANKS = (3, 4, 5)
PAWN_MASK = np.uint64(PAWN_ENTRIES - 1)

_FILE_A = 0x0101_0101_0101_0101


def _front_spans():
    """For each colour and square: the squares ahead on its file, and on the files beside it."""
    ahead = np.zeros((COLOURS, SQUARES), np.uint64)
    beside = np.zeros((COLOURS, SQUARES), np.uint64)
    for square in range(SQUARES):
        file, rank = square % FILES, square // FILES
        for other in range(SQUARES):
            other_file, other_rank = other % FILES, other // FILES
            for colour in range(COLOURS):
                if other_rank > rank if colour == WHITE else other_rank < rank:
                    if other_file == file:
                        ahead[colour, square] |= np.uint64(1 << other)
                    elif abs(other_file - file) == 1:
                        beside[colour, square] |= np.uint64(1 << other)
    return ahead, beside


AHEAD, AHEAD_BESIDE = _front_spans()
FILE_SQUARES = np.array([_FILE_A << file for file in range(FILES)], np.uint64)
FILES_BESIDE = np.array(
    [
        sum(_FILE_A << other for other in (file - 1, file + 1) if 0 <= other < FILES)
        for file in range(FILES)
    ],
    np.uint64,
)
DISTANCE = np.array(
    [
        [max(abs(a % FILES - b % FILES), abs(a // FILES - b // FILES)) for b in range(SQUARES)]
        for a in range(SQUARES)
    ],
    np.int64,
)


@compiled
def credit(trace, us, index, count):
    """What a term gives White, `count` times over, from the side that has it. With a trace, the
    count is also added to the term's place there."""
    signed = count if us == WHITE else -count
    if trace is not None:
        store_u16(trace, index, np.uint64(load_i16(trace, index) + signed))
    return signed * PACKED[index]


@compiled
def relative_rank(us, square):
    """The rank as its side counts it."""
    return rank_of(square ^ (us * MIRROR_RANKS))


@compiled
def pawn_attacks(pawns, us):
    """All squares that a side's pawns attack."""
    if us == WHITE:
        return ((pawns & NOT_FILE_A) << ONE_RANK_LESS_A_FILE) | (
            (pawns & NOT_FILE_H) << ONE_RANK_AND_A_FILE
        )
    return ((pawns & NOT_FILE_A) >> ONE_RANK_AND_A_FILE) | (
        (pawns & NOT_FILE_H) >> ONE_RANK_LESS_A_FILE
    )


# --- material and squares ---------------------------------------------------------------------


@compiled
def placed(trace, us, piece_type, square):
    """A piece for what it is and where it stands."""
    place = piece_type * SQUARES + (square ^ (us * MIRROR_RANKS))
    return credit(trace, us, MATERIAL + piece_type, 1) + credit(trace, us, SQUARE + place, 1)


# --- pawns ------------------------------------------------------------------------------------


@compiled
def pawn_structure(pos, trace, us):
    """One side's pawns: where they stand, isolated, doubled, backward and connected ones. Returns
    their worth and those that are passed."""
    total = 0
    passed = EMPTY
    ours = pieces(pos, us, PAWN)
    theirs = pieces(pos, us ^ 1, PAWN)
    their_attacks = pawn_attacks(theirs, us ^ 1)
    pawns = ours
    while pawns:
        square = lsb(pawns)
        pawns = without_lsb(pawns)
        rank = relative_rank(us, square)
        file = file_of(square)
        stop = square + (NORTH if us == WHITE else -NORTH)
        neighbours = ours & FILES_BESIDE[file]
        supported = ours & PAWN_ATTACKS[us ^ 1, square]
        total += placed(trace, us, PAWN, square)
        if AHEAD[us, square] & ours:
            total += credit(trace, us, DOUBLED, 1)
        if neighbours == EMPTY:
            total += credit(trace, us, ISOLATED + min(file, FILES - 1 - file), 1)
        elif supported:
            total += credit(trace, us, SUPPORTED + rank, 1)
        elif neighbours & ~AHEAD_BESIDE[us, square] == EMPTY and their_attacks & bit(stop):
            total += credit(trace, us, BACKWARD, 1)
        if (bit(square) & NOT_FILE_H) != EMPTY and ours & bit(square + 1):
            total += credit(trace, us, BESIDE + rank, 1)
        if theirs & (AHEAD[us, square] | AHEAD_BESIDE[us, square]) == EMPTY:
            total += credit(trace, us, PASSED + rank, 1)
            passed |= bit(square)
    return total, passed


@compiled
def passed_pawns(pos, trace, passed):
    """Pawns that no enemy pawn can stop: is the way free, and which king is near?"""
    total = 0
    while passed:
        square = lsb(passed)
        passed = without_lsb(passed)
        us = WHITE if pos.by_colour[WHITE] & bit(square) else BLACK
        rank = relative_rank(us, square)
        stop = square + (NORTH if us == WHITE else -NORTH)
        if AHEAD[us, square] & occupied(pos) == EMPTY:
            total += credit(trace, us, PASSED_FREE + rank, 1)
        if rank >= PASSED_KING_FROM_RANK:
            our_distance = DISTANCE[king_square(pos, us), stop]
            their_distance = DISTANCE[king_square(pos, us ^ 1), stop]
            total += credit(trace, us, PASSED_OUR_KING + our_distance, rank)
            total += credit(trace, us, PASSED_THEIR_KING + their_distance, rank)
    return total


# --- pieces -----------------------------------------------------------------------------------


@compiled
def piece_activity(pos, trace, us):
    """Mobility, threats, outposts, open files, and what all pieces together do to the king."""
    total = 0
    them = us ^ 1
    ours = pos.by_colour[us]
    theirs = pos.by_colour[them]
    blocking = occupied(pos)
    our_pawns = pieces(pos, us, PAWN)
    their_pawns = pieces(pos, them, PAWN)
    our_pawn_attacks = pawn_attacks(our_pawns, us)
    their_pawn_attacks = pawn_attacks(their_pawns, them)
    safe = ~their_pawn_attacks & ~(ours & (pos.by_type[PAWN] | pos.by_type[KING]))
    king = king_square(pos, them)
    ring = KING_ATTACKS[king]
    straight = rook_attacks(king, blocking)
    diagonal = bishop_attacks(king, blocking)
    check_squares = safe & ~ours
    attackers = 0
    attacks_on_ring = 0

    movers = ours & ~(pos.by_type[PAWN] | pos.by_type[KING])
    while movers:
        square = lsb(movers)
        movers = without_lsb(movers)
        piece_type = np.int64(type_of(pos.board[square]))
        total += placed(trace, us, piece_type, square)
        checks = EMPTY
        if piece_type == KNIGHT:
            attacks = KNIGHT_ATTACKS[square]
            mobility = KNIGHT_MOBILITY
            checks = KNIGHT_ATTACKS[king]
        elif piece_type == BISHOP:
            attacks = bishop_attacks(square, blocking ^ (ours & pos.by_type[QUEEN]))
            mobility = BISHOP_MOBILITY
            checks = diagonal
        elif piece_type == ROOK:
            attacks = rook_attacks(square, blocking ^ (ours & straight_pieces(pos)))
            mobility = ROOK_MOBILITY
            checks = straight
        else:
            attacks = bishop_attacks(square, blocking) | rook_attacks(square, blocking)
            mobility = QUEEN_MOBILITY
            checks = straight | diagonal
        total += credit(trace, us, mobility + popcount(attacks & safe), 1)
        total += credit(trace, us, CHECKS + piece_type, popcount(attacks & checks & check_squares))
        if attacks & ring:
            attackers += 1
            attacks_on_ring += popcount(attacks & ring)
        if piece_type <= BISHOP:
            total += threats(pos, trace, us, MINOR_THREAT, attacks & theirs & ~their_pawns)
            total += outpost(trace, us, square, piece_type, our_pawn_attacks, their_pawns)
        elif piece_type == ROOK:
            total += threats(pos, trace, us, ROOK_THREAT, attacks & theirs & ~their_pawns)
            total += rook_file(trace, us, square, our_pawns, their_pawns)
    total += threats(pos, trace, us, PAWN_THREAT, our_pawn_attacks & theirs & ~their_pawns)
    if more_than_one(pieces(pos, us, BISHOP)):
        total += credit(trace, us, BISHOP_PAIR, 1)
    total += credit(trace, us, RING_ATTACKERS + min(attackers, MOST_RING_ATTACKERS), 1)
    total += credit(trace, us, RING_ATTACKS + min(attacks_on_ring, MOST_RING_ATTACKS), 1)
    return total


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


# --- king -------------------------------------------------------------------------------------


@compiled
def king_shelter(pos, trace, us):
    """The king's place; on its file and those beside it, how far our nearest pawn is and theirs."""
    king = king_square(pos, us)
    total = placed(trace, us, KING, king)
    for file in range(max(file_of(king) - 1, 0), min(file_of(king) + 1, FILES - 1) + 1):
        beside = RANKS if file != file_of(king) else 0
        for side in range(COLOURS):
            pawns = pieces(pos, us ^ side, PAWN) & FILE_SQUARES[file]
            rank = 0
            if pawns:
                nearest = lsb(pawns) if us == WHITE else msb(pawns)
                rank = relative_rank(us, nearest)
            total += credit(trace, us, (STORM if side else SHELTER) + beside + rank, 1)
    return total


# --- the sum ----------------------------------------------------------------------------------


@compiled
def game_phase(pos):
    """FULL_PHASE with all pieces on the board, 0 with none."""
    phase = 0
    for piece_type in range(KNIGHT, KING):
        phase += PHASE[piece_type] * popcount(pos.by_type[piece_type])
    return min(phase, FULL_PHASE)


@compiled
def pawn_entry(pos, scratch):
    """The remembered pawn structure of the position."""
    key = present(pos).pawn_key
    entry = scratch.pawns[np.int64(key & PAWN_MASK)]
    if entry.key != key:
        white_total, white_passed = pawn_structure(pos, None, WHITE)
        black_total, black_passed = pawn_structure(pos, None, BLACK)
        entry.key = key
        entry.total = white_total + black_total
        entry.passed = white_passed | black_passed
        entry.king[WHITE] = entry.king[BLACK] = 0
    return entry


@compiled
def remembered_shelter(pos, entry, us):
    """king_shelter, computed again only when the king has moved."""
    king = king_square(pos, us) + 1
    if entry.king[us] != king:
        entry.king[us] = king
        entry.shelter[us] = king_shelter(pos, None, us)
    return entry.shelter[us]


@compiled
def tapered(pos, total):
    """The weighted middle of middlegame and endgame, for the side to move."""
    endgame = (total + HALF // 2) // HALF
    middlegame = total - endgame * HALF
    phase = game_phase(pos)
    white = (middlegame * phase + endgame * (FULL_PHASE - phase)) // FULL_PHASE
    return white if pos.side == WHITE else -white


@compiled
def evaluate(pos, scratch):
    """The value of the position for the side to move, in hundredths of a pawn."""
    entry = pawn_entry(pos, scratch)
    total = credit(None, pos.side, TEMPO, 1) + entry.total
    total += passed_pawns(pos, None, entry.passed)
    for us in range(COLOURS):
        total += remembered_shelter(pos, entry, us)
        total += piece_activity(pos, None, us)
    return tapered(pos, total)


@compiled
def evaluate_anew(pos, trace):
    """As `evaluate`, without memory. `trace` is None, or the address of 16-bit counts, one for each
    weight, to which the terms that occur are added."""
    total = credit(trace, pos.side, TEMPO, 1)
    for us in range(COLOURS):
        pawns, passed = pawn_structure(pos, trace, us)
        total += pawns
        total += passed_pawns(pos, trace, passed)
        total += king_shelter(pos, trace, us)
        total += piece_activity(pos, trace, us)
    return tapered(pos, total)
