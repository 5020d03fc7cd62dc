# SPDX-License-Identifier: GPL-3.0-or-later
"""The moves of PGN games as book makers see them: position, move, and what came of it."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple, TextIO

import chess
import chess.pgn
import chess.polyglot

WIN, DRAW, LOSS = 2, 1, 0
WHITE_POINTS = {"1-0": WIN, "0-1": LOSS}
PROMOTION_SHIFT, ORIGIN_SHIFT = 12, 6
PROMOTION_MASK, SQUARE_MASK = 7, 63


class PlayedMove(NamedTuple):
    """A move of a game; `points` are the mover's, 2 for a win. Unknown results count as draws."""

    key: int
    move_code: int
    points: int
    is_white: bool


class Tally(NamedTuple):
    """How far the reading is."""

    games: int
    faulty_games: int
    bytes_read: int


class _Moves(chess.pgn.BaseVisitor[list[PlayedMove]]):
    """Collects the main line up to a ply; variations are skipped."""

    def __init__(self, max_ply: int) -> None:
        self._max_ply = max_ply
        self._result = ""
        self.error = ""

    def begin_game(self) -> None:
        self._plies: list[tuple[int, int, bool]] = []

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        if tagname == "Result":
            self._result = tagvalue

    def begin_variation(self) -> chess.pgn.SkipType:
        return chess.pgn.SKIP

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        if len(self._plies) < self._max_ply:
            key = chess.polyglot.zobrist_hash(board)
            self._plies.append((key, book_code(board, move), board.turn))

    def handle_error(self, error: Exception) -> None:
        self.error = self.error or str(error)

    def result(self) -> list[PlayedMove]:
        white = WHITE_POINTS.get(self._result, DRAW)
        return [
            PlayedMove(key, code, white if is_white else WIN - white, is_white)
            for key, code, is_white in self._plies
        ]


def book_code(board: chess.Board, move: chess.Move) -> int:
    """A move as books write it: castling is the king taking its rook."""
    move = chess.Move.from_uci(board.uci(move, chess960=True))
    promotion = 0 if move.promotion is None else move.promotion - chess.PAWN
    return move.to_square | move.from_square << ORIGIN_SHIFT | promotion << PROMOTION_SHIFT


def legal_move(board: chess.Board, code: int) -> chess.Move | None:
    """What a book's code means in a position, None where that is no legal move. Castling may be
    written either way."""
    promotion = code >> PROMOTION_SHIFT & PROMOTION_MASK
    move = chess.Move(
        code >> ORIGIN_SHIFT & SQUARE_MASK,
        code & SQUARE_MASK,
        promotion + chess.PAWN if promotion else None,
    )
    try:
        return board.parse_uci(move.uci()) or None
    except ValueError:
        return None


def read_games(
    path: Path, max_ply: int, report: Callable[[Tally], None], fault: Callable[[str], None]
) -> Iterator[PlayedMove]:
    """The moves of all games of a file, in its order. A game that cannot be read to its end
    counts as far as it makes sense; `fault` hears of it. May raise OSError."""
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        yield from _moves_of(file, path, max_ply, report, fault)


def _same(visitor: _Moves) -> _Moves:
    return visitor


def _moves_of(
    file: TextIO,
    path: Path,
    max_ply: int,
    report: Callable[[Tally], None],
    fault: Callable[[str], None],
) -> Iterator[PlayedMove]:
    games = faulty = 0
    while True:
        visitor = _Moves(max_ply)
        moves = chess.pgn.read_game(file, Visitor=partial(_same, visitor))
        if moves is None:
            return
        games += 1
        if visitor.error:
            faulty += 1
            fault(f"{path}: game {games}: {visitor.error}; using the moves before it")
        report(Tally(games, faulty, file.buffer.tell()))
        yield from moves
