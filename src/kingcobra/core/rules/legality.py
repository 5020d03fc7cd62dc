# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether one arbitrary move is legal, without generating the others.

A move from the hash table may belong to another position, or be any sixteen bits at all.
"""

from kingcobra.core.rules.attacks import (
    KING_ATTACKS,
    KNIGHT_ATTACKS,
    LINE,
    PAWN_ATTACKS,
    bishop_attacks,
    rook_attacks,
)
from kingcobra.core.rules.basics import (
    BISHOP,
    CASTLING,
    EN_PASSANT,
    KING,
    KNIGHT,
    NO_PIECE,
    PAWN,
    PROMOTION,
    PROMOTION_SHIFT,
    ROOK,
    TWO_BITS,
    castling_right,
    colour_of,
    move_from,
    move_kind,
    move_to,
    type_of,
)
from kingcobra.core.rules.bitboards import EMPTY, LAST_RANKS
from kingcobra.core.rules.movegen import castling_is_legal, check_mask
from kingcobra.core.rules.pawn_steps import pushed, pushed_again
from kingcobra.core.rules.position import (
    castling_side,
    en_passant_leaves_king_safe,
    is_attacked,
    king_square,
    occupied,
    present,
)
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import bit


@compiled
def attacks_from(piece_type, square, blocking):
    """What a piece other than a pawn attacks from a square."""
    if piece_type == KNIGHT:
        return KNIGHT_ATTACKS[square]
    if piece_type == KING:
        return KING_ATTACKS[square]
    attacks = EMPTY
    if piece_type != ROOK:
        attacks |= bishop_attacks(square, blocking)
    if piece_type != BISHOP:
        attacks |= rook_attacks(square, blocking)
    return attacks


@compiled
def pawn_targets(pos, origin, us):
    """Where a pawn may go by itself: captures and pushes, en passant, checks and pins apart."""
    free = ~occupied(pos)
    single = pushed(us, bit(origin)) & free
    double = pushed_again(us, single) & free
    return single | double | (PAWN_ATTACKS[us, origin] & pos.by_colour[us ^ 1])


@compiled
def is_legal(pos, move):
    """Whether these sixteen bits are a move that the generator would give."""
    us = pos.side
    origin = move_from(move)
    target = move_to(move)
    kind = move_kind(move)
    piece = pos.board[origin]
    if piece == NO_PIECE or colour_of(piece) != us:
        return False
    # Bits that only a promotion uses must be clear in any other move.
    if kind != PROMOTION and move >> PROMOTION_SHIFT & TWO_BITS:
        return False
    if kind == CASTLING:
        return is_legal_castling(pos, piece, origin, target)
    if kind == EN_PASSANT:
        return is_legal_en_passant(pos, piece, origin, target)
    if pos.by_colour[us] & bit(target):
        return False

    piece_type = type_of(piece)
    if piece_type == PAWN:
        if (kind == PROMOTION) != (bit(target) & LAST_RANKS != EMPTY):
            return False
        reachable = pawn_targets(pos, origin, us)
    elif kind == PROMOTION:
        return False
    else:
        reachable = attacks_from(piece_type, origin, occupied(pos))
    if reachable & bit(target) == EMPTY:
        return False

    king = king_square(pos, us)
    if piece_type == KING:
        return not is_attacked(pos, target, us ^ 1, occupied(pos) ^ bit(king))
    if present(pos).blockers[us] & bit(origin) and LINE[king, origin] & bit(target) == EMPTY:
        return False
    return check_mask(pos) & bit(target) != EMPTY


@compiled
def is_legal_castling(pos, piece, origin, target):
    """Castling of the king on `origin` with the rook on `target`."""
    state = present(pos)
    right = castling_right(pos.side, castling_side(origin, target))
    return (
        type_of(piece) == KING
        and state.castling_rights >> right & 1 != 0
        and pos.castling_rook[right] == target
        and state.checkers == EMPTY
        and castling_is_legal(pos, right)
    )


@compiled
def is_legal_en_passant(pos, piece, origin, target):
    """Capture en passant by the piece on `origin`."""
    return (
        type_of(piece) == PAWN
        and present(pos).en_passant == target
        and PAWN_ATTACKS[pos.side, origin] & bit(target) != EMPTY
        and en_passant_leaves_king_safe(pos, origin, target, pos.side)
    )
