# SPDX-License-Identifier: GPL-3.0-or-later
"""Standard algebraic notation: bytes to legal moves.

Read generously: with or without the signs for captures, checks and promotions, with more about the
origin than needed, with - or : for x, with zeros for the letter O.
"""

import numpy as np

from kingcobra.core.notation.characters import (
    BYTE_OF_TYPE,
    DASH,
    EQUALS,
    LOWER_A,
    ONE,
    ZERO,
    byte_at,
    is_blank,
    skip_blanks,
    square_at,
)
from kingcobra.core.notation.uci_moves import legal_castling, promotion_type, read_uci_move
from kingcobra.core.rules.basics import (
    EN_PASSANT,
    FILES,
    KING,
    KING_SIDE,
    KNIGHT,
    NO_MOVE,
    NO_PIECE,
    PAWN,
    QUEEN_SIDE,
    RANKS,
    file_of,
    plain_move,
    promotion_move,
    rank_of,
    special_move,
)
from kingcobra.core.rules.legality import is_legal
from kingcobra.core.rules.position import king_square, pieces, present
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import lsb, without_lsb

# What reading gives beside a move, and beside NO_MOVE for text that means no legal one.
AMBIGUOUS = -1
ANY = -1

TAKES, TAKES_TOO, CASTLES = ord("x"), ord(":"), ord("O")
CHECKS, MATES, GOOD, BAD = ord("+"), ord("#"), ord("!"), ord("?")
SHORT_BYTES, LONG_BYTES = 3, 5


@compiled
def read_move(pos, text, start, end):
    """The legal move that the bytes from start to end mean, as UCI text or else as SAN. NO_MOVE if
    there is none, AMBIGUOUS if there are several."""
    move = read_uci_move(pos, text + start, end - start)
    return move if move != NO_MOVE else read_san(pos, text, start, end)


@compiled
def read_san(pos, text, start, end):
    """The same for SAN alone."""
    start = skip_blanks(text, start, end)
    while end > start and is_blank(byte_at(text, end - 1)):
        end -= 1
    while end > start and is_remark(byte_at(text, end - 1)):
        end -= 1
    if end - start < 2:
        return np.int64(NO_MOVE)
    first = byte_at(text, start)
    if first == CASTLES or first == ZERO:
        return read_castling(pos, text, start, end)
    return read_piece_move(pos, text, start, end)


@compiled
def is_remark(byte):
    """Whether it is a sign that may end a move and says nothing about which move it is."""
    return byte == CHECKS or byte == MATES or byte == GOOD or byte == BAD


@compiled
def read_castling(pos, text, start, end):
    """O-O and O-O-O, also with zeros."""
    if end - start != SHORT_BYTES and end - start != LONG_BYTES:
        return np.int64(NO_MOVE)
    for at in range(start, end):
        byte = byte_at(text, at)
        is_dash_expected = (at - start) & 1
        if is_dash_expected and byte != DASH:
            return np.int64(NO_MOVE)
        if not is_dash_expected and byte != CASTLES and byte != ZERO:
            return np.int64(NO_MOVE)
    side = KING_SIDE if end - start == SHORT_BYTES else QUEEN_SIDE
    return legal_castling(pos, king_square(pos, pos.side), side)


@compiled
def read_piece_move(pos, text, start, end):
    """All other moves, read from their end: promotion, target, sign of a capture, then whatever is
    said about the origin."""
    promoted = promotion_type(byte_at(text, end - 1))
    if promoted != NO_PIECE:
        end -= 1
        if byte_at(text, end - 1) == EQUALS:
            end -= 1
    if end - start < 2:
        return np.int64(NO_MOVE)
    target = square_at(text, end - 2)
    if target < 0:
        return np.int64(NO_MOVE)
    end -= 2
    if end > start and is_separator(byte_at(text, end - 1)):
        end -= 1
    rank = np.int64(ANY)
    if end > start and 0 <= byte_at(text, end - 1) - ONE < RANKS:
        end -= 1
        rank = byte_at(text, end) - ONE
    file = np.int64(ANY)
    if end > start and 0 <= byte_at(text, end - 1) - LOWER_A < FILES:
        end -= 1
        file = byte_at(text, end) - LOWER_A
    piece_type = np.int64(PAWN)
    if end > start:
        end -= 1
        piece_type = piece_type_of(byte_at(text, end))
    if end != start or piece_type == NO_PIECE:
        return np.int64(NO_MOVE)
    return find_move(pos, piece_type, file, rank, target, promoted)


@compiled
def is_separator(byte):
    """Whether it may stand before the target."""
    return byte == TAKES or byte == TAKES_TOO or byte == DASH


@compiled
def piece_type_of(byte):
    """KNIGHT to KING for a capital letter, else NO_PIECE."""
    for piece_type in range(KNIGHT, KING + 1):
        if BYTE_OF_TYPE[piece_type] == byte:
            return np.int64(piece_type)
    return np.int64(NO_PIECE)


@compiled
def find_move(pos, piece_type, file, rank, target, promoted):
    """The one legal move of a piece of that type to the target, from the given file and rank where
    they are not ANY."""
    if piece_type == PAWN:
        # A pawn that captures names its file.
        if file == ANY:
            file = file_of(target)
    elif promoted != NO_PIECE:
        return np.int64(NO_MOVE)
    found = np.int64(NO_MOVE)
    movers = pieces(pos, pos.side, piece_type)
    while movers:
        origin = lsb(movers)
        movers = without_lsb(movers)
        if file != ANY and file_of(origin) != file:
            continue
        if rank != ANY and rank_of(origin) != rank:
            continue
        move = plain_move(origin, target)
        if promoted != NO_PIECE:
            move = promotion_move(origin, target, promoted)
        elif piece_type == PAWN and target == present(pos).en_passant:
            if file_of(origin) != file_of(target):
                move = special_move(origin, target, EN_PASSANT)
        if is_legal(pos, move):
            if found != NO_MOVE:
                return np.int64(AMBIGUOUS)
            found = move
    return found
