# SPDX-License-Identifier: GPL-3.0-or-later
"""A position as the page shows it."""

from typing import Any

import chess
import chess.polyglot

from kingcobra.analysis.openings import Opening, opening_table
from kingcobra.web.played_game import colour_name, end_by_rule

# Later positions have no name.
MOST_OPENING_PLIES = 40
KING_FILES = {True: 6, False: 2}


def position_json(board: chess.Board) -> dict[str, Any]:
    """All that a page needs to show a position and to play a move in it."""
    end = end_by_rule(board)
    last = board.peek() if board.move_stack else None
    opening = opening_name(board)
    return {
        "fen": board.fen(),
        "men": {chess.square_name(s): piece.symbol() for s, piece in board.piece_map().items()},
        "turn": colour_name(board.turn),
        "legal": legal_json(board),
        "check": _square_name(board.king(board.turn)) if board.is_check() else None,
        "last": None if last is None else _squares(last),
        "end": None if end is None else end.reason,
        "opening": None if opening is None else f"{opening.eco} {opening.name}",
        "chess960": board.chess960,
    }


def legal_json(board: chess.Board) -> list[list[str]]:
    """From, to and UCI text of each legal move. Castling is there twice: the king may be moved to
    its own square or onto the rook."""
    if end_by_rule(board) is not None and not any(board.legal_moves):
        return []
    moves = []
    for move in board.legal_moves:
        origin, target = _squares(move)
        text = board.uci(move)
        moves.append([origin, target, text])
        if board.is_castling(move):
            moves += [[origin, other, text] for other in _other_targets(board, move)]
    taken = {(origin, target) for origin, target, text in moves if text == origin + target}
    # In Chess960 the king's own square may also be that of a plain king move, which comes first.
    return [m for m in moves if m[2][:4] == m[0] + m[1] or (m[0], m[1]) not in taken]


def _other_targets(board: chess.Board, move: chess.Move) -> list[str]:
    rank = chess.square_rank(move.from_square)
    is_kingside = board.is_kingside_castling(move)
    king = chess.square(KING_FILES[is_kingside], rank)
    rooks = [
        square
        for square in chess.SquareSet(board.clean_castling_rights() & chess.BB_RANKS[rank])
        if (square > move.from_square) == is_kingside
    ]
    squares = {king, *rooks} - {move.to_square, move.from_square}
    return [chess.square_name(square) for square in sorted(squares)]


def opening_name(board: chess.Board) -> Opening | None:
    """The name of the position or, if it has none, of the last one before it that has."""
    table = opening_table()
    game = board.copy()
    while game.ply() > MOST_OPENING_PLIES and game.move_stack:
        game.pop()
    while True:
        found = table.get(chess.polyglot.zobrist_hash(game))
        if found is not None or not game.move_stack:
            return found
        game.pop()


def _squares(move: chess.Move) -> list[str]:
    return [chess.square_name(move.from_square), chess.square_name(move.to_square)]


def _square_name(square: chess.Square | None) -> str | None:
    return None if square is None else chess.square_name(square)
