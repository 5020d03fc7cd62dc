# SPDX-License-Identifier: GPL-3.0-or-later
"""Terms of the classical evaluation: how safe the kings are."""

from kingcobra.core.classical.credit import FILE_SQUARES, credit, placed, relative_rank
from kingcobra.core.classical.terms import DANGER_STEPS, OFFSETS
from kingcobra.core.rules.attacks import KING_ATTACKS, KNIGHT_ATTACKS, bishop_attacks, rook_attacks
from kingcobra.core.rules.basics import (
    BISHOP,
    COLOURS,
    FILES,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    RANKS,
    ROOK,
    WHITE,
    file_of,
)
from kingcobra.core.rules.bitboards import EMPTY
from kingcobra.core.rules.position import king_square, occupied, pieces
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import lsb, msb, popcount

SHELTER = OFFSETS["shelter"]
STORM = OFFSETS["storm"]
CHECKS = OFFSETS["checks"]
DANGER = OFFSETS["danger"]

# Units of danger; the weights of the term `danger` say what a number of units is worth.
WEAK_SQUARE_UNITS = 2
KNIGHT_CHECK_UNITS = 3
BISHOP_CHECK_UNITS = 2
ROOK_CHECK_UNITS = 4
QUEEN_CHECK_UNITS = 3
NO_QUEEN_UNITS = -6


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


@compiled
def king_danger(pos, trace, us, ours, theirs):
    """What an attack on the enemy king is worth: pieces near it, squares beside it that only the
    king protects, and checks that cost nothing. `ours` and `theirs` are both sides' Activity."""
    units = ours.danger
    guarded = theirs.attacked
    king = king_square(pos, us ^ 1)
    blocking = occupied(pos)
    straight = rook_attacks(king, blocking)
    diagonal = bishop_attacks(king, blocking)
    weak = KING_ATTACKS[king] & ours.attacked & ~guarded
    safe = ~pos.by_colour[us] & ~guarded & (~KING_ATTACKS[king] | ours.twice)
    total = 0
    checks = popcount(ours.by_knights & KNIGHT_ATTACKS[king] & safe)
    if checks:
        total += credit(trace, us, CHECKS + KNIGHT, checks)
        units += KNIGHT_CHECK_UNITS
    checks = popcount(ours.by_bishops & diagonal & safe)
    if checks:
        total += credit(trace, us, CHECKS + BISHOP, checks)
        units += BISHOP_CHECK_UNITS
    checks = popcount(ours.by_rooks & straight & safe)
    if checks:
        total += credit(trace, us, CHECKS + ROOK, checks)
        units += ROOK_CHECK_UNITS
    checks = popcount(ours.by_queens & (straight | diagonal) & safe)
    if checks:
        total += credit(trace, us, CHECKS + QUEEN, checks)
        units += QUEEN_CHECK_UNITS
    units += WEAK_SQUARE_UNITS * popcount(weak)
    if pieces(pos, us, QUEEN) == EMPTY:
        units += NO_QUEEN_UNITS
    return total + credit(trace, us, DANGER + max(0, min(units, DANGER_STEPS - 1)), 1)
