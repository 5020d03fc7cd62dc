# SPDX-License-Identifier: GPL-3.0-or-later
"""UCI move text: e2e4, e7e8q, e1g1 (standard castling), e1h1 (Chess960 castling)."""

import numpy as np

from kingcobra.core.notation.characters import (
    BYTE_OF_TYPE,
    SMALL,
    SPACE,
    byte_at,
    capital,
    put,
    put_square,
    square_at,
)
from kingcobra.core.rules.basics import (
    CASTLING,
    EN_PASSANT,
    KING,
    KNIGHT,
    NO_MOVE,
    NO_PIECE,
    NO_SQUARE,
    PAWN,
    PROMOTION,
    QUEEN,
    ROOK,
    SIDES,
    castled_king_square,
    castling_right,
    file_of,
    move_from,
    move_kind,
    move_promotion,
    move_to,
    piece_of,
    plain_move,
    promotion_move,
    special_move,
)
from kingcobra.core.rules.legality import is_legal
from kingcobra.core.rules.position import castling_side, present
from kingcobra.kernel.compiled import compiled

SQUARES_ONLY, WITH_PROMOTION = 4, 5


# --- reading ----------------------------------------------------------------------------------


@compiled
def read_uci_move(pos, text, length):
    """The legal move that the text means, NO_MOVE if there is none. A promotion letter may be a
    capital. Chess960 also reads castling in its standard spelling where that can mean nothing
    else; not the other way round."""
    if length != SQUARES_ONLY and length != WITH_PROMOTION:
        return np.int64(NO_MOVE)
    origin = square_at(text, 0)
    target = square_at(text, 2)
    if origin < 0 or target < 0:
        return np.int64(NO_MOVE)
    promoted = np.int64(NO_PIECE)
    if length == WITH_PROMOTION:
        promoted = promotion_type(byte_at(text, SQUARES_ONLY))
        if promoted == NO_PIECE:
            return np.int64(NO_MOVE)
    move = move_between(pos, origin, target, promoted)
    if is_legal(pos, move):
        return move
    if promoted == NO_PIECE and pos.board[origin] == piece_of(pos.side, KING):
        return castling_to(pos, origin, target)
    return np.int64(NO_MOVE)


@compiled
def promotion_type(byte):
    """The piece type that a letter of either size names, NO_PIECE if a pawn cannot become it."""
    letter = capital(byte)
    for piece_type in range(KNIGHT, QUEEN + 1):
        if BYTE_OF_TYPE[piece_type] == letter:
            return np.int64(piece_type)
    return np.int64(NO_PIECE)


@compiled
def move_between(pos, origin, target, promoted):
    """The move of whatever stands on `origin` to `target`, legal or not. Castling is written as in
    Chess960 only if the variant is on."""
    if promoted != NO_PIECE:
        return promotion_move(origin, target, promoted)
    piece = pos.board[origin]
    if piece == piece_of(pos.side, PAWN):
        if target == present(pos).en_passant and file_of(origin) != file_of(target):
            return special_move(origin, target, EN_PASSANT)
    if pos.chess960 and pos.board[target] == piece_of(pos.side, ROOK):
        if piece == piece_of(pos.side, KING):
            return special_move(origin, target, CASTLING)
    return plain_move(origin, target)


@compiled
def castling_to(pos, king, target):
    """The legal castling that brings the king to a square, NO_MOVE if there is none."""
    for side in range(SIDES):
        if castled_king_square(pos.side, side) == target:
            return legal_castling(pos, king, side)
    return np.int64(NO_MOVE)


@compiled
def legal_castling(pos, king, side):
    """Castling of the king to one side if it is legal, else NO_MOVE."""
    rook = np.int64(pos.castling_rook[castling_right(pos.side, side)])
    if rook == NO_SQUARE:
        return np.int64(NO_MOVE)
    move = special_move(king, rook, CASTLING)
    return move if is_legal(pos, move) else np.int64(NO_MOVE)


# --- writing ----------------------------------------------------------------------------------


@compiled
def put_uci_move(text, at, move, us, chess960):
    """Writes a move of the side `us`; returns the offset behind it."""
    origin = move_from(move)
    target = move_to(move)
    if move_kind(move) == CASTLING and not chess960:
        target = castled_king_square(us, castling_side(origin, target))
    at = put_square(text, at, origin)
    at = put_square(text, at, target)
    if move_kind(move) == PROMOTION:
        at = put(text, at, BYTE_OF_TYPE[move_promotion(move)] + SMALL)
    return at


@compiled
def write_uci_moves(pos, moves, text):
    """Writes a list of moves, blanks between them; returns the number of bytes."""
    at = np.int64(0)
    for index in range(moves.count):
        at = put_uci_move(text, at, np.int64(moves.moves[index]), pos.side, pos.chess960)
        at = put(text, at, SPACE)
    return max(at - 1, np.int64(0))
