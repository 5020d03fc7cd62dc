# SPDX-License-Identifier: GPL-3.0-or-later
"""The terms of the classical evaluation, and where each one's weights lie in one long vector.

Every weight is a pair, for the middlegame and for the endgame.
"""

from kingcobra.core.rules.basics import FILES, PIECE_TYPES, RANKS, SQUARES

# Levels of danger to a king that have a weight of their own.
DANGER_STEPS = 26

# Each term and its number of weights.
TERMS = (
    ("material", PIECE_TYPES),
    ("square", PIECE_TYPES * SQUARES),
    ("bishop_pair", 1),
    ("knight_mobility", 9),
    ("bishop_mobility", 14),
    ("rook_mobility", 15),
    ("queen_mobility", 28),
    ("passed", RANKS),
    ("passed_free", RANKS),
    ("passed_safe", RANKS),
    ("passed_our_king", FILES),
    ("passed_their_king", FILES),
    ("isolated", FILES // 2),
    ("doubled", 1),
    ("backward", 1),
    ("supported", RANKS),
    ("beside", RANKS),
    ("bishop_pawns", 1),
    ("rook_half_open", 1),
    ("rook_open", 1),
    ("outpost", 2),
    ("pawn_threat", PIECE_TYPES),
    ("minor_threat", PIECE_TYPES),
    ("rook_threat", PIECE_TYPES),
    ("hanging", PIECE_TYPES),
    ("shelter", 2 * RANKS),
    ("storm", 2 * RANKS),
    ("checks", PIECE_TYPES),
    ("danger", DANGER_STEPS),
    ("tempo", 1),
)

OFFSETS = {}
WEIGHTS_IN_ALL = 0
for _name, _size in TERMS:
    OFFSETS[_name] = WEIGHTS_IN_ALL
    WEIGHTS_IN_ALL += _size
