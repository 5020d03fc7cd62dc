# SPDX-License-Identifier: GPL-3.0-or-later
"""A search as lines of UCI text: while it runs, and when it ends."""

from collections.abc import Callable

from kingcobra.board.move_text import format_move
from kingcobra.board.position_handle import PositionHandle
from kingcobra.engine.reports import (
    CurrentMove,
    LineReport,
    SearchListener,
    SearchProgress,
    SearchResult,
)
from kingcobra.networks.scale import Scale
from kingcobra.uci.info import (
    format_current_move,
    format_line_report,
    format_moves,
    format_refutation,
)

NO_MOVE = "(none)"


class LinePrinter(SearchListener):
    """Prints the lines of a search. `position` is its root."""

    def __init__(
        self,
        position: PositionHandle,
        scale: Scale,
        say: Callable[[str], None],
        shows_wdl: bool = False,
    ) -> None:
        self._root = position
        self._scale = scale
        self._say = say
        self._shows_wdl = shows_wdl

    def on_line(self, report: LineReport) -> None:
        """`info depth … pv …`."""
        self._say(format_line_report(report, self._root.record, self._scale, self._shows_wdl))

    def on_current_move(self, current: CurrentMove) -> None:
        """`info depth … currmove …`."""
        self._say(format_current_move(current, self._root.record))

    def on_refutation(self, moves: list[int]) -> None:
        """`info refutation …`."""
        self._say(format_refutation(moves, self._root.record))


class SearchPrinter(LinePrinter):
    """Prints a whole search: its lines, its progress, and its best move."""

    def on_progress(self, progress: SearchProgress) -> None:
        """`info cpuload …` and, if asked for, `info currline …` of each thread."""
        self._say(f"info cpuload {progress.load_permille}")
        for number, moves in enumerate(progress.current_lines, 1):
            if moves:
                self._say(f"info currline {number} {format_moves(moves, self._root.record)}")

    def closing_text(self, result: SearchResult) -> str:
        """`bestmove`, and what the opponent is expected to play."""
        if not result.moves:
            return f"{self._end_of_game()}\nbestmove {NO_MOVE}"
        best, *rest = result.moves
        text = f"bestmove {format_move(best, self._root.record)}"
        if result.refuted_mate:
            text = f"info string no mate in {result.refuted_mate}\n{text}"
        return f"{text} ponder {format_move(rest[0], self._root.record)}" if rest else text

    def fallback_text(self) -> str:
        """`bestmove` without a result: the first legal move."""
        moves = self._root.legal_moves()
        return f"bestmove {moves[0] if moves else NO_MOVE}"

    def _end_of_game(self) -> str:
        """The line that says mate or stalemate."""
        return f"info depth 0 score {'mate 0' if self._root.is_check() else 'cp 0'}"
