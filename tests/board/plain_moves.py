# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves as plain Python reads and writes them: the slow, obvious twin of core/notation."""

import re
from collections.abc import Iterable

from kingcobra.board.fen import FILE_LETTERS, PIECE_LETTERS, square_name, square_number
from kingcobra.board.move_text import MoveError, format_move
from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.rules.basics import (
    CASTLING,
    KING_SIDE,
    PAWN,
    PROMOTION,
    QUEEN_SIDE,
    castled_king_square,
    file_of,
    move_from,
    move_kind,
    move_promotion,
    move_to,
    rank_of,
    type_of,
)
from kingcobra.core.rules.layout import CHECK, CHECKMATE, Position
from kingcobra.text_values import quoted

CASTLE_SHORT, CASTLE_LONG = "O-O", "O-O-O"
_SUFFIXES = {CHECK: "+", CHECKMATE: "#"}

_PATTERN = re.compile(
    r"(?P<piece>[NBRQK])?(?P<file>[a-h])?(?P<rank>[1-8])?[x:-]?"
    r"(?P<target>[a-h][1-8])(?:=?(?P<promotion>[NBRQnbrq]))?"
)


# --- UCI --------------------------------------------------------------------------------------


def match_move(text: str, legal: Iterable[int], position: Position) -> int:
    """The legal move that the text means. A promotion letter may be a capital. Chess960 also reads
    castling in its standard spelling where that can mean nothing else; not the other way round."""
    wanted = text.lower() if text[:4].islower() else text
    spellings = {format_move(move, position): move for move in legal}
    if wanted in spellings:
        return spellings[wanted]
    for move in spellings.values() if position.chess960 else ():
        if move_kind(move) == CASTLING and wanted == _standard_castling(move):
            return move
    raise MoveError(f"illegal move {quoted(text)}")


def _standard_castling(move: int) -> str:
    origin, target = move_from(move), move_to(move)
    side = KING_SIDE if target > origin else QUEEN_SIDE
    return square_name(origin) + square_name(castled_king_square(rank_of(origin) != 0, side))


# --- SAN --------------------------------------------------------------------------------------


def format_san(board: PositionHandle, move: int) -> str:
    """A legal move as SAN, with + or #."""
    return _without_suffix(board, move) + _SUFFIXES.get(board.effect_of(move), "")


def _without_suffix(board: PositionHandle, move: int) -> str:
    origin, target = move_from(move), move_to(move)
    if move_kind(move) == CASTLING:
        return CASTLE_SHORT if target > origin else CASTLE_LONG
    piece_type = type_of(board.piece_at(origin))
    takes = "x" if board.is_capture(move) else ""
    if piece_type != PAWN:
        letter = PIECE_LETTERS[piece_type - PAWN]
        return f"{letter}{_distinction(board, move)}{takes}{square_name(target)}"
    text = f"{FILE_LETTERS[file_of(origin)]}x" if takes else ""
    text += square_name(target)
    if move_kind(move) == PROMOTION:
        text += f"={PIECE_LETTERS[move_promotion(move) - PAWN]}"
    return text


def _distinction(board: PositionHandle, move: int) -> str:
    """What distinguishes the moving piece from others of its kind: its file if that suffices, else
    its rank, else both."""
    origin, target = move_from(move), move_to(move)
    piece = board.piece_at(origin)
    rivals = [
        move_from(other)
        for other in board.moves()
        if move_to(other) == target
        and move_from(other) != origin
        and move_kind(other) != CASTLING
        and board.piece_at(move_from(other)) == piece
    ]
    if not rivals:
        return ""
    if all(file_of(rival) != file_of(origin) for rival in rivals):
        return FILE_LETTERS[file_of(origin)]
    if all(rank_of(rival) != rank_of(origin) for rival in rivals):
        return str(rank_of(origin) + 1)
    return square_name(origin)


def parse_san(board: PositionHandle, text: str) -> int:
    """The legal move that SAN text stands for. MoveError if there is none, or more than one."""
    bare = text.strip().rstrip("+#!?")
    found = [move for move in board.moves() if _matches(board, move, bare)]
    if len(found) == 1:
        return found[0]
    raise MoveError(f"{'ambiguous' if found else 'illegal'} move {quoted(text)}")


def _matches(board: PositionHandle, move: int, text: str) -> bool:
    origin, target = move_from(move), move_to(move)
    if move_kind(move) == CASTLING:
        name = CASTLE_SHORT if target > origin else CASTLE_LONG
        return text.replace("0", "O") == name
    parts = _PATTERN.fullmatch(text)
    if parts is None or square_number(parts["target"]) != target:
        return False
    piece_type = type_of(board.piece_at(origin))
    wanted = PIECE_LETTERS.index(parts["piece"]) + PAWN if parts["piece"] else PAWN
    promoted = move_promotion(move) if move_kind(move) == PROMOTION else None
    asked = PIECE_LETTERS.index(parts["promotion"].upper()) + PAWN if parts["promotion"] else None
    return (
        piece_type == wanted
        and promoted == asked
        and (parts["file"] is None or FILE_LETTERS[file_of(origin)] == parts["file"])
        and (parts["rank"] is None or rank_of(origin) + 1 == int(parts["rank"]))
        # A pawn that captures names its file.
        and (wanted != PAWN or parts["file"] is not None or file_of(origin) == file_of(target))
    )
