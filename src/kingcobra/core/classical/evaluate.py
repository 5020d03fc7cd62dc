# SPDX-License-Identifier: GPL-3.0-or-later
"""The classical evaluation: a sum of named terms, each with a middlegame and an endgame weight. Of
that sum only a part counts in endings that are hard to win.

The sum is linear in its weights, so they can be fitted to the results of games: the same code that
adds the weights can also record how often each term occurs.
"""

import numpy as np

from kingcobra.core.classical.activity import hanging, piece_activity
from kingcobra.core.classical.credit import HALF, credit
from kingcobra.core.classical.drawish import ALL_PARTS, counting_units, winning_parts
from kingcobra.core.classical.kings import king_danger, king_shelter
from kingcobra.core.classical.pawns import passed_pawns, pawn_structure
from kingcobra.core.classical.terms import OFFSETS
from kingcobra.core.evaluation.layout import PAWN_ENTRIES
from kingcobra.core.rules.attacks import KING_ATTACKS
from kingcobra.core.rules.basics import BLACK, KING, KNIGHT, WHITE
from kingcobra.core.rules.position import king_square, present
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import popcount

# What each piece on the board adds to the phase.
PHASE = np.array([0, 0, 1, 1, 2, 4, 0], np.int64)
FULL_PHASE = 24
TEMPO = OFFSETS["tempo"]
PAWN_MASK = np.uint64(PAWN_ENTRIES - 1)


@compiled
def game_phase(pos):
    """FULL_PHASE with all pieces on the board, 0 with none."""
    phase = 0
    for piece_type in range(KNIGHT, KING):
        phase += PHASE[piece_type] * popcount(pos.by_type[piece_type])
    return min(phase, FULL_PHASE)


@compiled
def pawn_entry(pos, scratch):
    """The pawn structure of the position, from memory if it is there."""
    key = present(pos).pawn_key
    entry = scratch.pawns[np.int64(key & PAWN_MASK)]
    if entry.key != key:
        white = pawn_structure(pos, None, WHITE)
        black = pawn_structure(pos, None, BLACK)
        entry.key = key
        entry.total = white.total + black.total
        entry.passed = white.passed | black.passed
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
    """The mean of middlegame and endgame, weighted by the phase, as White sees it."""
    endgame = (total + HALF // 2) // HALF
    middlegame = total - endgame * HALF
    phase = game_phase(pos)
    return (middlegame * phase + endgame * (FULL_PHASE - phase)) // FULL_PHASE


@compiled
def winnable(pos, white):
    """What remains of White's advantage, or of Black's where it is negative, in drawish endings."""
    parts = winning_parts(pos, WHITE if white > 0 else BLACK)
    return white if parts == ALL_PARTS else counting_units(white, parts)


@compiled
def for_mover(pos, white):
    """A value as the side to move sees it."""
    return white if pos.side == WHITE else -white


@compiled
def against_each_other(pos, trace, us, passed, ours, theirs):
    """One side's terms that depend on both sides' Activity. Passed pawns of the other side may be
    among those given."""
    our_attacks = ours.attacked | KING_ATTACKS[king_square(pos, us)]
    their_attacks = theirs.attacked | KING_ATTACKS[king_square(pos, us ^ 1)]
    return (
        hanging(pos, trace, us, our_attacks, their_attacks)
        + king_danger(pos, trace, us, ours, theirs)
        + passed_pawns(pos, trace, us, passed, their_attacks)
    )


@compiled
def pieces_together(pos, trace, passed):
    """All that depends on more than pawns and one king."""
    white = piece_activity(pos, trace, WHITE)
    black = piece_activity(pos, trace, BLACK)
    return (
        white.total
        + black.total
        + against_each_other(pos, trace, WHITE, passed, white, black)
        + against_each_other(pos, trace, BLACK, passed, black, white)
    )


@compiled
def evaluate(pos, scratch):
    """The value of the position for the side to move, in internal units."""
    entry = pawn_entry(pos, scratch)
    total = credit(None, pos.side, TEMPO, 1) + entry.total
    total += remembered_shelter(pos, entry, WHITE) + remembered_shelter(pos, entry, BLACK)
    total += pieces_together(pos, None, entry.passed)
    return for_mover(pos, winnable(pos, tapered(pos, total)))


@compiled
def evaluate_anew(pos, trace):
    """As `evaluate`, without memory. `trace` is None, or the address of 16-bit counts, one for each
    weight, to which the terms that occur are added."""
    total = credit(trace, pos.side, TEMPO, 1)
    white = pawn_structure(pos, trace, WHITE)
    black = pawn_structure(pos, trace, BLACK)
    total += white.total + black.total
    total += king_shelter(pos, trace, WHITE) + king_shelter(pos, trace, BLACK)
    total += pieces_together(pos, trace, white.passed | black.passed)
    return for_mover(pos, winnable(pos, tapered(pos, total)))
