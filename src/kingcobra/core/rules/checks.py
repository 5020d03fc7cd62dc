# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a move gives check, without making it."""

from kingcobra.core.rules.attacks import (
    BETWEEN,
    BISHOP_RAYS,
    KNIGHT_ATTACKS,
    LINE,
    PAWN_ATTACKS,
    ROOK_RAYS,
    bishop_attacks,
    rook_attacks,
)
from kingcobra.core.rules.basics import (
    BISHOP,
    CASTLING,
    KNIGHT,
    NORMAL,
    NORTH,
    PAWN,
    PROMOTION,
    QUEEN,
    ROOK,
    castled_king_square,
    castled_rook_square,
    move_from,
    move_kind,
    move_promotion,
    move_to,
    type_of,
)
from kingcobra.core.rules.bitboards import EMPTY
from kingcobra.core.rules.position import (
    castling_side,
    diagonal_sliders,
    king_square,
    occupied,
    present,
    straight_sliders,
)
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import bit


@compiled
def gives_check(pos, move):
    """Whether a legal move attacks the enemy king, by the piece itself or by one behind it."""
    us = pos.side
    origin = move_from(move)
    target = move_to(move)
    kind = move_kind(move)
    king = king_square(pos, us ^ 1)
    if kind == CASTLING:
        return castling_gives_check(pos, us, king, origin, target)
    # Discovered: a blocker of the enemy king leaves its line.
    if present(pos).blockers[us ^ 1] & bit(origin) and LINE[king, origin] & bit(target) == EMPTY:
        return True
    if kind == NORMAL:
        return attacks_king(type_of(pos.board[origin]), us, target, king, occupied(pos))
    after = (occupied(pos) ^ bit(origin)) | bit(target)
    if kind == PROMOTION:
        return attacks_king(move_promotion(move), us, target, king, after)
    return en_passant_gives_check(pos, us, king, target, after)


@compiled
def attacks_king(piece_type, us, square, king, blocking):
    """Whether a piece of ours on a square attacks the enemy king."""
    if piece_type == PAWN:
        return PAWN_ATTACKS[us, square] & bit(king) != EMPTY
    if piece_type == KNIGHT:
        return KNIGHT_ATTACKS[square] & bit(king) != EMPTY
    aligned = EMPTY
    if piece_type == ROOK or piece_type == QUEEN:
        aligned |= ROOK_RAYS[king]
    if piece_type == BISHOP or piece_type == QUEEN:
        aligned |= BISHOP_RAYS[king]
    return aligned & bit(square) != EMPTY and BETWEEN[king, square] & blocking == EMPTY


@compiled
def castling_gives_check(pos, us, king, king_from, rook_from):
    """The rook may give check from its new square."""
    side = castling_side(king_from, rook_from)
    rook_to = castled_rook_square(us, side)
    after = (
        (occupied(pos) ^ bit(king_from) ^ bit(rook_from))
        | bit(castled_king_square(us, side))
        | bit(rook_to)
    )
    return rook_attacks(rook_to, after) & bit(king) != EMPTY


@compiled
def en_passant_gives_check(pos, us, king, target, after):
    """The pawn may give check, or one of the two pawns that are gone may have been in the way."""
    if PAWN_ATTACKS[us, target] & bit(king):
        return True
    after ^= bit(target ^ NORTH)
    ours = pos.by_colour[us]
    return (
        (rook_attacks(king, after) & straight_sliders(pos))
        | (bishop_attacks(king, after) & diagonal_sliders(pos))
    ) & ours != EMPTY
