# SPDX-License-Identifier: GPL-3.0-or-later
"""How a game ends, by the rules of FIDE and in python-chess's words."""

from typing import TYPE_CHECKING

from chess import Outcome, Termination

from kingcobra.core.rules.basics import FIFTY_MOVES_PLIES, WHITE

if TYPE_CHECKING:
    from kingcobra.api.board import Board

SEVENTY_FIVE_MOVES_PLIES = 150
THREEFOLD, FIVEFOLD = 3, 5


def outcome_of(board: "Board", claim_draw: bool) -> Outcome | None:
    """How the game has ended, None if it goes on. Draws that a player has to claim count only if
    `claim_draw` says so; they may also be claimed with the next move."""
    if not board.has_legal_moves():
        if board.is_check():
            return Outcome(Termination.CHECKMATE, board.record.side != WHITE)
        # Material comes before stalemate, as in python-chess.
        is_dead = board.is_insufficient_material()
        return _draw(Termination.INSUFFICIENT_MATERIAL if is_dead else Termination.STALEMATE)
    if board.is_insufficient_material():
        return _draw(Termination.INSUFFICIENT_MATERIAL)
    if board.halfmove_clock >= SEVENTY_FIVE_MOVES_PLIES:
        return _draw(Termination.SEVENTYFIVE_MOVES)
    if board.is_repetition(FIVEFOLD):
        return _draw(Termination.FIVEFOLD_REPETITION)
    if claim_draw and can_claim_fifty_moves(board):
        return _draw(Termination.FIFTY_MOVES)
    if claim_draw and can_claim_threefold_repetition(board):
        return _draw(Termination.THREEFOLD_REPETITION)
    return None


def _draw(reason: Termination) -> Outcome:
    return Outcome(reason, None)


def can_claim_fifty_moves(board: "Board") -> bool:
    """Whether the side to move can claim the draw, now or with a move."""
    if board.is_fifty_moves():
        return True
    if board.halfmove_clock < FIFTY_MOVES_PLIES - 1:
        return False
    return any(_draws_by_fifty_moves(board, move) for move in board.moves())


def _draws_by_fifty_moves(board: "Board", move: int) -> bool:
    board.play_move(move)
    is_draw = board.is_fifty_moves()
    board.pop()
    return is_draw


def can_claim_threefold_repetition(board: "Board") -> bool:
    """Whether the side to move can claim the draw, now or with a move."""
    if board.is_repetition(THREEFOLD):
        return True
    return any(board.occurrences_before(move) >= THREEFOLD - 1 for move in board.moves())
