# SPDX-License-Identifier: GPL-3.0-or-later
"""Standard algebraic notation: moves to bytes."""

import numpy as np

from kingcobra.core.notation.characters import (
    BYTE_OF_TYPE,
    DASH,
    EQUALS,
    LOWER_A,
    ONE,
    SPACE,
    put,
    put_number,
    put_square,
)
from kingcobra.core.rules.basics import (
    BLACK,
    CASTLING,
    KING_SIDE,
    NO_PIECE,
    PAWN,
    PROMOTION,
    WHITE,
    file_of,
    move_from,
    move_kind,
    move_promotion,
    move_to,
    plain_move,
    rank_of,
    type_of,
)
from kingcobra.core.rules.bitboards import EMPTY
from kingcobra.core.rules.checks import gives_check
from kingcobra.core.rules.counting import count_all
from kingcobra.core.rules.legality import attacks_from, is_legal
from kingcobra.core.rules.position import castling_side, make, occupied, pieces, unmake
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import bit, load_u16, lsb, without_lsb

TAKES, CASTLES, CHECKS, MATES, DOT = ord("x"), ord("O"), ord("+"), ord("#"), ord(".")


@compiled
def put_san(pos, text, at, move):
    """Writes a legal move, with + or #; returns the offset behind it. Makes the move and takes it
    back, so the position needs room for one more ply."""
    at = put_plain_san(pos, text, at, move)
    if not gives_check(pos, move):
        return at
    make(pos, move)
    replies = count_all(pos)
    unmake(pos, move)
    return put(text, at, CHECKS if replies else MATES)


@compiled
def put_plain_san(pos, text, at, move):
    """Writes a legal move without + and #."""
    origin = move_from(move)
    target = move_to(move)
    kind = move_kind(move)
    if kind == CASTLING:
        return put_castling(text, at, castling_side(origin, target))
    piece_type = type_of(np.int64(pos.board[origin]))
    if piece_type != PAWN:
        at = put(text, at, BYTE_OF_TYPE[piece_type])
        at = put_distinction(pos, text, at, piece_type, origin, target)
        if pos.board[target] != NO_PIECE:
            at = put(text, at, TAKES)
        return put_square(text, at, target)
    if file_of(origin) != file_of(target):
        at = put(text, at, LOWER_A + file_of(origin))
        at = put(text, at, TAKES)
    at = put_square(text, at, target)
    if kind == PROMOTION:
        at = put(text, at, EQUALS)
        at = put(text, at, BYTE_OF_TYPE[move_promotion(move)])
    return at


@compiled
def put_castling(text, at, side):
    """Writes O-O or O-O-O."""
    at = put(text, at, CASTLES)
    for _ in range(1 if side == KING_SIDE else 2):
        at = put(text, at, DASH)
        at = put(text, at, CASTLES)
    return at


@compiled
def put_distinction(pos, text, at, piece_type, origin, target):
    """Writes what distinguishes the moving piece from others of its kind that may go there too: its
    file if that suffices, else its rank, else both."""
    others = attacks_from(piece_type, target, occupied(pos)) & pieces(pos, pos.side, piece_type)
    others &= ~bit(origin)
    if others == EMPTY:
        return at
    rivals = on_file = on_rank = 0
    while others:
        rival = lsb(others)
        others = without_lsb(others)
        if is_legal(pos, plain_move(rival, target)):
            rivals += 1
            if file_of(rival) == file_of(origin):
                on_file += 1
            if rank_of(rival) == rank_of(origin):
                on_rank += 1
    if rivals == 0:
        return at
    if on_file == 0 or on_rank != 0:
        at = put(text, at, LOWER_A + file_of(origin))
    if on_file != 0:
        at = put(text, at, ONE + rank_of(origin))
    return at


@compiled
def write_san_moves(pos, moves, text, at):
    """Writes a list of moves, blanks between them; returns the offset behind the last."""
    for index in range(moves.count):
        at = put_san(pos, text, at, np.int64(moves.moves[index]))
        at = put(text, at, SPACE)
    return at - 1 if moves.count else at


@compiled
def write_line(pos, moves_address, count, text, numbered):
    """Writes moves that follow each other, with move numbers if asked, and plays them. Returns the
    number of bytes; or, below zero, -1 less the index of a move that is not legal. The moves before
    it are then played."""
    at = np.int64(0)
    for index in range(count):
        move = np.int64(load_u16(moves_address, index))
        if not is_legal(pos, move):
            return np.int64(-1) - index
        if numbered and (pos.side == WHITE or index == 0):
            at = put_move_number(pos, text, at)
        at = put_san(pos, text, at, move)
        at = put(text, at, SPACE)
        make(pos, move)
    return max(at - 1, np.int64(0))


@compiled
def put_move_number(pos, text, at):
    """Writes the number of the move to come: `1. ` for White, `1...` for Black."""
    at = put_number(text, at, pos.game_ply // 2 + 1)
    at = put(text, at, DOT)
    if pos.side == BLACK:
        at = put(text, at, DOT)
        return put(text, at, DOT)
    return put(text, at, SPACE)
