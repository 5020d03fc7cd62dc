# SPDX-License-Identifier: GPL-3.0-or-later
"""One move as UCI text: e2e4, e7e8q, e1g1 (standard castling), e1h1 (Chess960 castling). Reading,
and lists of moves, are compiled (core/notation)."""

from kingcobra.board.fen import square_name
from kingcobra.core.rules.basics import (
    BLACK,
    CASTLING,
    KING_SIDE,
    KNIGHT,
    PROMOTION,
    QUEEN_SIDE,
    WHITE,
    castled_king_square,
    move_from,
    move_kind,
    move_promotion,
    move_to,
    rank_of,
)
from kingcobra.core.rules.layout import Position
from kingcobra.errors import KingcobraError

PROMOTION_LETTERS = "nbrq"


class MoveError(KingcobraError, ValueError):
    """Text that is not a legal move in its position."""


def format_move(move: int, position: Position) -> str:
    """A move as UCI text. The position only tells the variant: the move may belong to any position
    of the same game."""
    return _spelled(move, bool(position.chess960))


def _spelled(move: int, chess960: bool) -> str:
    origin, target = move_from(move), move_to(move)
    if move_kind(move) == CASTLING and not chess960:
        side = KING_SIDE if target > origin else QUEEN_SIDE
        target = castled_king_square(WHITE if rank_of(origin) == 0 else BLACK, side)
    text = square_name(origin) + square_name(target)
    if move_kind(move) == PROMOTION:
        text += PROMOTION_LETTERS[move_promotion(move) - KNIGHT]
    return text
