# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the lines of a growing book begin."""

from pathlib import Path

import chess
import chess.pgn

from kingcobra.books.growing import position_text
from kingcobra.engine.opening_book import BookError

PGN_SUFFIX = ".pgn"


def start_positions(text: str) -> list[str]:
    """Positions that a FEN, or the last positions of a file of games, or nothing (the start
    position) means. BookError for a FEN that is none and a file without games."""
    if not text:
        return [position_text(chess.Board())]
    if text.lower().endswith(PGN_SUFFIX):
        return _last_positions(Path(text))
    try:
        board = chess.Board(text)
    except ValueError as error:
        raise BookError(f"--from {text!r}: {error}") from None
    if not board.is_valid():
        raise BookError(f"--from {text!r}: this position cannot be played")
    return [position_text(board)]


def _last_positions(path: Path) -> list[str]:
    found = []
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            found.append(position_text(game.end().board()))
    if not found:
        raise BookError(f"{path}: no games")
    return list(dict.fromkeys(found))
