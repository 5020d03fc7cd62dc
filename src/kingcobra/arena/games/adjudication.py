# SPDX-License-Identifier: GPL-3.0-or-later
"""Ends games early, by the scores of both engines or by tablebases."""

from dataclasses import dataclass

import chess

from kingcobra.arena.engines.answers import SearchInfo
from kingcobra.core.tables.layout import WDL
from kingcobra.engine.tablebases.folders import find_files, split_path
from kingcobra.tablebases import TablebaseError, Tablebases

MATE_CP = 100_000
WDL_WIN = 2
"""Tablebase value of a win that the fifty-move rule cannot spoil."""


@dataclass(frozen=True)
class ResignRule:
    """A side has lost once its own last `moves` scores are all at or below -`cp`."""

    moves: int
    cp: int


@dataclass(frozen=True)
class DrawRule:
    """Drawn once, from move `from_move` on, the last `moves` scores of both are within ±`cp`."""

    from_move: int
    moves: int
    cp: int


@dataclass(frozen=True)
class Adjudication:
    """Who won (None: a draw) and why."""

    winner: chess.Color | None
    reason: str


def _mover_cp(search_info: SearchInfo) -> int | None:
    if search_info.mate is not None:
        return MATE_CP if search_info.mate > 0 else -MATE_CP
    return search_info.cp


class Adjudicator:
    """Follows one game. A move without a score resets the counts."""

    def __init__(
        self,
        resign: ResignRule | None,
        draw: DrawRule | None,
        tables: Tablebases | None,
    ) -> None:
        self._resign = resign
        self._draw = draw
        self._tables = tables
        self._losing_moves = {chess.WHITE: 0, chess.BLACK: 0}
        self._drawish_plies = 0

    def after_move(self, board: chess.Board, search_info: SearchInfo) -> Adjudication | None:
        """To be called with the position after each move and the score of the engine that made
        it."""
        mover = not board.turn
        mover_cp = _mover_cp(search_info)
        if self._resign is not None:
            losing = mover_cp is not None and mover_cp <= -self._resign.cp
            self._losing_moves[mover] = self._losing_moves[mover] + 1 if losing else 0
            if self._losing_moves[mover] >= self._resign.moves:
                return Adjudication(not mover, "adjudicated: resignation by score")
        if self._draw is not None:
            drawish = mover_cp is not None and abs(mover_cp) <= self._draw.cp
            self._drawish_plies = self._drawish_plies + 1 if drawish else 0
            if (
                board.fullmove_number >= self._draw.from_move
                and self._drawish_plies >= 2 * self._draw.moves
            ):
                return Adjudication(None, "adjudicated: draw by score")
        return self._by_tables(board)

    def _by_tables(self, board: chess.Board) -> Adjudication | None:
        """Only after a capture or pawn move: tables assume a fifty-move count of zero."""
        if self._tables is None or board.halfmove_clock != 0 or board.castling_rights:
            return None
        if board.occupied.bit_count() > self._tables.largest:
            return None
        try:
            value = self._tables.probe_wdl(board.fen())
        except TablebaseError:
            return None
        if abs(value) < WDL_WIN:
            return Adjudication(None, "adjudicated: tablebase draw")
        return Adjudication(
            board.turn if value > 0 else not board.turn, "adjudicated: tablebase win"
        )


def open_tables(path: str | None) -> Tablebases | None:
    """The tables of a folder, or of several joined by the system's path separator; None without
    one. Loads the compiled core."""
    return None if path is None else Tablebases(path)


def require_tables(path: str | None) -> None:
    """FileNotFoundError if the folders have no tables with results."""
    if path is None:
        return
    found = (file for folder in split_path(path) for file in find_files(folder, []))
    if not any(file.kind == WDL for file in found):
        raise FileNotFoundError(f"no Syzygy tables in {path}")
