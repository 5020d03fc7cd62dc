# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines of an analysis as the page shows them."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import chess
from chess.engine import InfoDict, PovScore, PovWdl

from kingcobra.analysis.accuracy import win_percent
from kingcobra.analysis.score import pawns_text

MOST_PLIES = 16
CERTAIN, LOST = 100.0, 0.0


class ShownScore(NamedTuple):
    """A score in words, and White's winning chances in percent by Lichess's rule."""

    text: str
    white_percent: float


def shown_score(score: PovScore) -> ShownScore:
    """White's view: `+0.31`, `#-3`."""
    white = score.white()
    mate = white.mate()
    if mate is not None:
        # Mate(0) is a loss for whoever is to move: only the score itself knows its sign.
        is_won = white > chess.engine.Cp(0)
        return ShownScore(f"#{mate}", CERTAIN if is_won else LOST)
    centipawns = white.score() or 0
    sign = "+" if centipawns > 0 else ""
    return ShownScore(f"{sign}{pawns_text(centipawns)}", win_percent(centipawns))


def lines_json(board: chess.Board, infos: Iterable[InfoDict]) -> list[dict[str, Any]]:
    """The lines that have a score and moves, best first."""
    return [_line_json(board, info) for info in infos if "score" in info and info.get("pv")]


def _line_json(board: chess.Board, info: InfoDict) -> dict[str, Any]:
    score = shown_score(info["score"])
    moves = info["pv"][:MOST_PLIES]
    return {
        "score": score.text,
        "percent": round(score.white_percent, 1),
        "wdl": _white_wdl(info.get("wdl")),
        "depth": info.get("depth", 0),
        "uci": board.uci(moves[0]),
        "from": chess.square_name(moves[0].from_square),
        "to": chess.square_name(_shown_target(board, moves[0])),
        "san": _san_line(board, moves),
    }


def _white_wdl(wdl: PovWdl | None) -> list[int] | None:
    return None if wdl is None else list(wdl.white())


def _shown_target(board: chess.Board, move: chess.Move) -> chess.Square:
    """Where an arrow points to: where the king goes when it castles."""
    if not board.is_castling(move):
        return move.to_square
    file = 6 if board.is_kingside_castling(move) else 2
    return chess.square(file, chess.square_rank(move.from_square))


def _san_line(board: chess.Board, moves: list[chess.Move]) -> str:
    """`12. Nf3 d5 13. c4`. A line is cut before a move that is not legal."""
    game = board.copy(stack=False)
    words = []
    for move in moves:
        if move not in game.legal_moves:
            break
        if game.turn == chess.WHITE:
            words.append(f"{game.fullmove_number}.")
        elif not words:
            words.append(f"{game.fullmove_number}…")
        words.append(game.san_and_push(move))
    return " ".join(words)
