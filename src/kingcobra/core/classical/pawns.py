# SPDX-License-Identifier: GPL-3.0-or-later
"""Terms of the classical evaluation: pawns."""

from typing import NamedTuple

from kingcobra.core.classical.credit import (
    AHEAD,
    AHEAD_BESIDE,
    DISTANCE,
    FILES_BESIDE,
    credit,
    placed,
    relative_rank,
)
from kingcobra.core.classical.terms import OFFSETS
from kingcobra.core.rules.attacks import PAWN_ATTACKS
from kingcobra.core.rules.basics import FILES, PAWN, file_of
from kingcobra.core.rules.bitboards import EMPTY, NOT_FILE_H
from kingcobra.core.rules.pawn_steps import attacked, forward
from kingcobra.core.rules.position import king_square, occupied, pieces
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import bit, lsb, without_lsb

PASSED = OFFSETS["passed"]
PASSED_FREE = OFFSETS["passed_free"]
PASSED_SAFE = OFFSETS["passed_safe"]
PASSED_OUR_KING = OFFSETS["passed_our_king"]
PASSED_THEIR_KING = OFFSETS["passed_their_king"]
ISOLATED = OFFSETS["isolated"]
DOUBLED = OFFSETS["doubled"]
BACKWARD = OFFSETS["backward"]
SUPPORTED = OFFSETS["supported"]
BESIDE = OFFSETS["beside"]
PASSED_KING_FROM_RANK = 3


class PawnStructure(NamedTuple):
    """The worth of one side's pawns, and the squares of those that are passed."""

    total: int
    passed: int


@compiled
def pawn_structure(pos, trace, us):
    """One side's PawnStructure: where its pawns stand, and which are isolated, doubled, backward,
    connected or passed."""
    total = 0
    passed = EMPTY
    ours = pieces(pos, us, PAWN)
    theirs = pieces(pos, us ^ 1, PAWN)
    their_attacks = attacked(us ^ 1, theirs)
    pawns = ours
    while pawns:
        square = lsb(pawns)
        pawns = without_lsb(pawns)
        rank = relative_rank(us, square)
        file = file_of(square)
        stop = square + forward(us)
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
    return PawnStructure(total, passed)


@compiled
def passed_pawns(pos, trace, us, passed, their_attacks):
    """One side's pawns that no enemy pawn can stop: is the way free, is it safe, and which king is
    near?"""
    total = 0
    passed &= pos.by_colour[us]
    while passed:
        square = lsb(passed)
        passed = without_lsb(passed)
        rank = relative_rank(us, square)
        stop = square + forward(us)
        if AHEAD[us, square] & occupied(pos) == EMPTY:
            total += credit(trace, us, PASSED_FREE + rank, 1)
        if rank >= PASSED_KING_FROM_RANK:
            if AHEAD[us, square] & their_attacks == EMPTY:
                total += credit(trace, us, PASSED_SAFE + rank, 1)
            our_distance = DISTANCE[king_square(pos, us), stop]
            their_distance = DISTANCE[king_square(pos, us ^ 1), stop]
            total += credit(trace, us, PASSED_OUR_KING + our_distance, rank)
            total += credit(trace, us, PASSED_THEIR_KING + their_distance, rank)
    return total
