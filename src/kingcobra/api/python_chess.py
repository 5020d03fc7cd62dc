# SPDX-License-Identifier: GPL-3.0-or-later
"""Boards from and to python-chess, and its pictures of them."""

import chess
import chess.svg

from kingcobra.api.arguments import STANDARD_VARIANT, wrong_type
from kingcobra.api.board import Board

SVG_SIZE = 390


def from_chess(board: chess.Board) -> Board:
    """See Board.from_chess."""
    if not isinstance(board, chess.Board):
        raise wrong_type(board, "board", "a chess.Board")
    if board.uci_variant != STANDARD_VARIANT:
        raise ValueError(f"variant {board.uci_variant!r}, only chess is supported")
    start = board.copy()
    moves: list[chess.Move] = []
    while start.move_stack and start.move_stack[-1]:
        moves.append(start.pop())
    fen = start.fen(shredder=board.chess960, en_passant="fen")
    twin = Board(fen, chess960=board.chess960)
    for move in reversed(moves):
        twin.push(start.uci(move))
        start.push(move)
    return twin


def to_chess(board: Board) -> chess.Board:
    """See Board.to_chess."""
    twin = chess.Board(board.root().fen(), chess960=board.chess960)
    for text in board.move_stack:
        twin.push_uci(text)
    return twin


def board_svg(board: Board) -> str:
    """The board from White's side, with the last move and a check marked."""
    picture = to_chess(board)
    last = picture.peek() if picture.move_stack else None
    check = picture.king(picture.turn) if picture.is_check() else None
    return chess.svg.board(picture, lastmove=last, check=check, size=SVG_SIZE)
