# SPDX-License-Identifier: GPL-3.0-or-later
"""Boards of three kinds, ours, python-chess's and FEN text, as positions; moves there and back."""

from collections.abc import Iterable
from typing import TypeAlias

import chess

from kingcobra.api.arguments import STANDARD_VARIANT, require_many, require_text
from kingcobra.api.core import loaded_core
from kingcobra.api.errors import EngineError
from kingcobra.board.move_text import MoveError
from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.rules.basics import (
    BLACK,
    CASTLING,
    KING_SIDE,
    PROMOTION,
    QUEEN_SIDE,
    WHITE,
    castled_king_square,
    move_from,
    move_kind,
    move_promotion,
    move_to,
    plain_move,
    promotion_move,
    rank_of,
)
from kingcobra.text_values import quoted

AnyBoard: TypeAlias = PositionHandle | chess.Board | str
AnyMove: TypeAlias = chess.Move | str


def position_of(board: AnyBoard) -> PositionHandle:
    """The position with the part of its past that matters for repetitions, independent of the
    board. FenError for what cannot be played."""
    if isinstance(board, PositionHandle):
        return board.copy_for(loaded_core())
    if isinstance(board, str):
        return PositionHandle(loaded_core(), board)
    if not isinstance(board, chess.Board):
        raise TypeError(
            f"board {board!r} ({type(board).__name__}),"
            " expected kingcobra.Board, chess.Board or FEN text"
        )
    if board.uci_variant != STANDARD_VARIANT:
        raise EngineError(f"variant {quoted(str(board.uci_variant))}, only chess is supported")
    moves = _reversible_moves(board)
    start = board.copy(stack=len(moves))
    for _ in moves:
        start.pop()
    fen = start.fen(shredder=board.chess960)
    position = PositionHandle(loaded_core(), fen, board.chess960)
    for move in moves:
        position.play_move(legal_move(position, move))
    return position


def _reversible_moves(board: chess.Board) -> list[chess.Move]:
    """The moves since the last capture, pawn move or null move: no earlier position can recur."""
    count = min(len(board.move_stack), board.halfmove_clock)
    moves = board.move_stack[len(board.move_stack) - count :]
    nulls = [at for at, move in enumerate(moves, 1) if not move]
    return moves[nulls[-1] :] if nulls else moves


def legal_move(position: PositionHandle, move: AnyMove) -> int:
    """A move as the core knows it. MoveError if it is not legal."""
    if isinstance(move, chess.Move):
        if move.promotion is None:
            code = plain_move(move.from_square, move.to_square)
        else:
            code = promotion_move(move.from_square, move.to_square, move.promotion)
        if move and position.is_legal(code):
            return code
        move = move.uci()  # castling, en passant, or not legal
    require_text(move, "move", "a chess.Move or UCI text")
    return position.parse_move(move)


def root_moves_of(position: PositionHandle, moves: Iterable[AnyMove] | None) -> tuple[int, ...]:
    """The moves to search, each once, empty for all of them. EngineError names one that is not
    legal, and a list without moves."""
    if moves is None:
        return ()
    require_many(moves, "root_moves", "None or a list of moves")
    try:
        codes = tuple(dict.fromkeys(legal_move(position, move) for move in moves))
    except MoveError as error:
        raise EngineError(f"root_moves: {error} in {position.fen()}") from None
    if not codes:
        raise EngineError("root_moves has no move, expected None or legal moves")
    return codes


def chess_move(move: int, chess960: bool) -> chess.Move:
    """A move of the core as python-chess knows it."""
    origin, target = move_from(move), move_to(move)
    kind = move_kind(move)
    if kind == PROMOTION:
        return chess.Move(origin, target, move_promotion(move))
    if kind == CASTLING and not chess960:
        side = KING_SIDE if target > origin else QUEEN_SIDE
        target = castled_king_square(WHITE if rank_of(origin) == 0 else BLACK, side)
    return chess.Move(origin, target)


def chess_moves(moves: Iterable[int], chess960: bool) -> list[chess.Move]:
    """Moves that follow one another, or several of one position."""
    return [chess_move(move, chess960) for move in moves]
