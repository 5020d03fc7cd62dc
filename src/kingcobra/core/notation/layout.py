# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be wrong with the text of a position, and how long texts get."""

from kingcobra.core.rules.layout import MAX_MOVES

# Errors of a FEN, by number. An error comes with the offset of the byte that it is about.
(
    FEN_IS_FINE,
    EMPTY_TEXT,
    TOO_MANY_FIELDS,
    WRONG_RANKS,
    WRONG_LETTER,
    WRONG_RANK_LENGTH,
    WRONG_KINGS,
    TOO_MANY_PAWNS,
    TOO_MANY_MEN,
    PAWN_ON_LAST_RANK,
    WRONG_SIDE,
    CASTLING_IMPOSSIBLE,
    CASTLING_REPEATED,
    NOT_A_SQUARE,
    WRONG_EN_PASSANT_RANK,
    WRONG_HALFMOVE_CLOCK,
    WRONG_MOVE_NUMBER,
    OPPONENT_IN_CHECK,
) = range(18)

# An error in one integer: its number, and its offset above it.
OFFSET_SHIFT = 8
ERROR_MASK = (1 << OFFSET_SHIFT) - 1

MAX_FIELDS = 6
MAX_PAWNS, MAX_MEN = 8, 16
MAX_COUNTER = 99_999

# Room for texts that compiled code writes: a position, one move in any notation with a blank behind
# it, and all moves of a position.
FEN_BYTES = 128
MOVE_BYTES = 10
MOVES_BYTES = MAX_MOVES * MOVE_BYTES
