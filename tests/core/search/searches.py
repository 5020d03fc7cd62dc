# SPDX-License-Identifier: GPL-3.0-or-later
"""Searches inside the test's own process."""

from dataclasses import dataclass

import chess

from kingcobra.board.move_text import format_move
from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.search.layout import EXACT, PV_REPORT
from kingcobra.core.search.scores import MATE, MATE_BAND
from kingcobra.engine.limits import GoLimits
from kingcobra.engine.search_engine import SearchEngine


@dataclass(frozen=True)
class Told:
    """One reported line, in values that stay."""

    depth: int
    line: int
    score: int
    bound: int
    nodes: int
    moves: tuple[str, ...]


@dataclass(frozen=True)
class Searched:
    """What became of a search."""

    told: list[Told]
    best: list[str]
    score: int
    nodes: int
    refuted_mate: int


def search(
    engine: SearchEngine, fen: str, chess960: bool = False, board=None, **limits
) -> Searched:
    """Searches a position, or a board with its past, with the engine's table and workers as they
    are."""
    board = board or PositionHandle(engine.core, fen, chess960)
    told = []

    def tell(report, nodes):
        if report.kind == PV_REPORT:
            moves = tuple(format_move(move, board.record) for move in report.pv[: report.pv_length])
            told.append(Told(report.depth, report.line, report.score, report.bound, nodes, moves))

    engine.prepare(board, GoLimits(**limits), engine.core.clock_ns())
    finding = engine.pool.think(tell)
    best = [format_move(move, board.record) for move in finding.line]
    return Searched(told, best, finding.score, finding.nodes, finding.refuted_mate)


def board_after(fen: str, moves: tuple[str, ...], chess960: bool = False) -> chess.Board:
    """The position after a line, each move of which must be legal."""
    board = chess.Board(fen, chess960=chess960)
    for move in moves:
        parsed = board.parse_uci(move)  # raises for what is illegal
        board.push(parsed)
    return board


def require_sound(fen: str, searched: Searched, chess960: bool = False) -> None:
    """All lines are legal; one with an exact mate score is as long as it says, and mates."""
    for told in searched.told:
        board = board_after(fen, told.moves, chess960)
        if told.bound == EXACT and abs(told.score) >= MATE_BAND:
            assert len(told.moves) == MATE - abs(told.score), (fen, told)
            assert board.is_checkmate(), (fen, told)
