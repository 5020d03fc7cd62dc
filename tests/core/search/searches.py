# SPDX-License-Identifier: GPL-3.0-or-later
"""Searches inside the test's own process."""

from dataclasses import dataclass

import chess

from kingcobra.board.move_text import format_move
from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.search.layout import EXACT
from kingcobra.core.search.scores import MATE, MATE_BAND
from kingcobra.engine.limits import SearchLimits
from kingcobra.engine.reports import SearchListener
from kingcobra.engine.search_engine import SearchEngine


@dataclass(frozen=True)
class ReportedLine:
    """One reported line, in values that stay."""

    depth: int
    number: int
    score: int
    bound: int
    nodes: int
    moves: tuple[str, ...]


@dataclass(frozen=True)
class Searched:
    """What became of a search."""

    lines: list[ReportedLine]
    best: list[str]
    score: int
    nodes: int
    refuted_mate: int
    refutations: list[tuple[str, ...]]


def search(
    engine: SearchEngine, fen: str, chess960: bool = False, board=None, **limits
) -> Searched:
    """Searches a position, or a board with its past, with the engine's table and threads as they
    are."""
    board = board or PositionHandle(engine.core, fen, chess960)
    reported = []
    refutations = []

    class Listener(SearchListener):
        def on_line(self, report):
            moves = tuple(format_move(move, board.record) for move in report.moves)
            reported.append(
                ReportedLine(
                    report.depth, report.number, report.score, report.bound, report.nodes, moves
                )
            )

        def on_refutation(self, moves):
            refutations.append(tuple(format_move(move, board.record) for move in moves))

    root_moves = tuple(board.parse_move(text) for text in limits.pop("searchmoves", ()))
    search_limits = SearchLimits(root_moves=root_moves, **limits)
    result = engine.search(board, search_limits, Listener()).run()
    best = [format_move(move, board.record) for move in result.moves]
    return Searched(reported, best, result.score, result.nodes, result.refuted_mate, refutations)


def board_after(fen: str, moves: tuple[str, ...], chess960: bool = False) -> chess.Board:
    """The position after a line, each move of which must be legal."""
    board = chess.Board(fen, chess960=chess960)
    for move in moves:
        parsed = board.parse_uci(move)  # raises for what is illegal
        board.push(parsed)
    return board


def require_sound(fen: str, searched: Searched, chess960: bool = False) -> None:
    """All lines are legal; one with an exact mate score is as long as it says, and mates."""
    for line in searched.lines:
        board = board_after(fen, line.moves, chess960)
        if line.bound == EXACT and abs(line.score) >= MATE_BAND:
            assert len(line.moves) == MATE - abs(line.score), (fen, line)
            assert board.is_checkmate(), (fen, line)
