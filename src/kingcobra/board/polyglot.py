# SPDX-License-Identifier: GPL-3.0-or-later
"""Polyglot's view of a position: its hash key, its move codes, and the entries of its books."""

import struct
from collections.abc import Iterable
from typing import NamedTuple

from kingcobra.board.polyglot_words import WORDS
from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.rules.basics import (
    CASTLING,
    CASTLINGS,
    FILES,
    KING_SIDE,
    KNIGHT,
    NO_PIECE,
    NO_SQUARE,
    NORTH,
    PAWN,
    PROMOTION,
    QUEEN_SIDE,
    SQUARES,
    TO_SHIFT,
    WHITE,
    castled_king_square,
    colour_of,
    file_of,
    move_from,
    move_kind,
    move_promotion,
    move_to,
    piece_of,
    type_of,
)

# Where the words of each kind begin: pieces on squares, castling rights, files, the side to move.
KINDS_OF_MEN = 12
CASTLING_WORDS = KINDS_OF_MEN * SQUARES
EN_PASSANT_WORDS = CASTLING_WORDS + CASTLINGS
TURN_WORD = EN_PASSANT_WORDS + FILES

# A move's bits: target, origin, promotion piece (0 for none, 1 for a knight to 4 for a queen).
ORIGIN_SHIFT, PROMOTION_SHIFT = 6, 12

ENTRY_FORMAT = struct.Struct(">QHHI")
MAX_WEIGHT = 0xFFFF


class BookEntry(NamedTuple):
    """Sixteen bytes of a book file: a position's key, a move, how good it is, and a word that
    learning programs use."""

    key: int
    move_code: int
    weight: int
    learn: int = 0

    def packed(self) -> bytes:
        """As the file has it."""
        return ENTRY_FORMAT.pack(*self)


def polyglot_key(position: PositionHandle) -> int:
    """The key under which books file a position. An en-passant square counts where an enemy pawn
    stands beside the pawn that has just advanced, whether or not it may take."""
    record = position.record
    key = 0
    for square, piece in enumerate(record.board):
        if piece != NO_PIECE:
            kind = 2 * (type_of(piece) - PAWN) + (colour_of(piece) == WHITE)
            key ^= WORDS[SQUARES * kind + square]
    rights = position.state.castling_rights
    for right in range(CASTLINGS):
        if rights >> right & 1:
            key ^= WORDS[CASTLING_WORDS + right]
    passed = position.square_passed_by_pawn()
    if passed != NO_SQUARE and _pawn_stands_beside(position, passed):
        key ^= WORDS[EN_PASSANT_WORDS + file_of(passed)]
    if record.side == WHITE:
        key ^= WORDS[TURN_WORD]
    return key


def _pawn_stands_beside(position: PositionHandle, passed: int) -> bool:
    mover = position.record.side
    advanced = passed - NORTH if mover == WHITE else passed + NORTH
    beside = [
        square
        for square in (advanced - 1, advanced + 1)
        if abs(file_of(square) - file_of(advanced)) == 1
    ]
    return any(position.piece_at(square) == piece_of(mover, PAWN) for square in beside)


def move_code(move: int) -> int:
    """A move as books write it; castling is the king taking its rook."""
    code = move_to(move) | move_from(move) << ORIGIN_SHIFT
    if move_kind(move) == PROMOTION:
        code |= (move_promotion(move) - KNIGHT + 1) << PROMOTION_SHIFT
    return code


def move_of_code(code: int, legal: Iterable[int]) -> int | None:
    """The legal move that a book's code means, None where it means none: keys of different
    positions may collide. Castling is also understood when written as the king's own step."""
    alternatives = {}
    for move in legal:
        if move_code(move) == code:
            return move
        if move_kind(move) == CASTLING:
            alternatives[_kings_own_step(move)] = move
    return alternatives.get(code)


def _kings_own_step(castling: int) -> int:
    origin, rook = move_from(castling), move_to(castling)
    side = KING_SIDE if rook > origin else QUEEN_SIDE
    colour = origin // (SQUARES // 2)
    return castled_king_square(colour, side) | origin << TO_SHIFT
