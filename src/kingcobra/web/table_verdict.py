# SPDX-License-Identifier: GPL-3.0-or-later
"""The verdict of endgame tables on a position, in words."""

import chess

from kingcobra.tablebases import TablebaseError, Tablebases

FIFTY_MOVES_PLIES = 100
DRAW, CURSED_WIN, WIN = 0, 1, 2


def may_be_known(board: chess.Board, largest: int) -> bool:
    """Whether tables of so many men can have a position: none has castling."""
    return chess.popcount(board.occupied) <= largest and not board.castling_rights


def table_verdict(tables: Tablebases, board: chess.Board) -> str:
    """`White wins (7 moves to the next capture, pawn move or mate)`; empty where the tables do not
    say, or where there is no move left."""
    if not may_be_known(board, tables.largest) or not any(board.legal_moves):
        return ""
    fen = board.fen()
    try:
        result = tables.probe_wdl(fen)
    except TablebaseError:
        return ""
    try:
        plies = abs(tables.probe_dtz(fen))
    except TablebaseError:
        plies = None
    winner = board.turn if result > DRAW else not board.turn
    return verdict_text(abs(result), winner, plies, board.halfmove_clock)


def verdict_text(result: int, winner: chess.Color, plies: int | None, clock: int) -> str:
    """A result (DRAW, CURSED_WIN, WIN) in words. `plies` to the next capture, pawn move or mate are
    None where they are not known; `clock` are the plies since the last one."""
    if result == DRAW:
        return "A draw with best play"
    side = "White" if winner == chess.WHITE else "Black"
    if plies is None:
        known = ""
    else:
        moves = (plies + 1) // 2
        unit = "move" if moves == 1 else "moves"
        known = f" ({moves} {unit} to the next capture, pawn move or mate)"
    if result == CURSED_WIN:
        return f"A draw by the fifty-move rule; without it {side} would win{known}"
    if plies is not None and plies + clock > FIFTY_MOVES_PLIES:
        return f"{side} would win{known}, but fifty moves without one are over before that: a draw"
    return f"{side} wins{known}"
