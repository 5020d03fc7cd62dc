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
    format_effort,
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
        send: Callable[[str], None],
        shows_wdl: bool = False,
    ) -> None:
        self._root = position
        self._scale = scale
        self._send = send
        self._shows_wdl = shows_wdl

    def on_line(self, report: LineReport) -> None:
        """`info depth … pv …`."""
        self._send(format_line_report(report, self._root.record, self._scale, self._shows_wdl))

    def on_current_move(self, current: CurrentMove) -> None:
        """`info depth … currmove …`."""
        self._send(format_current_move(current, self._root.record))

    def on_refutation(self, moves: list[int]) -> None:
        """`info refutation …`."""
        self._send(format_refutation(moves, self._root.record))


class SearchPrinter(LinePrinter):
    """Prints a whole search: its lines, its progress, and its best move."""

    _best_line: LineReport | None = None

    def on_line(self, report: LineReport) -> None:
        """`info depth … pv …`."""
        if report.number == 1:
            self._best_line = report
        super().on_line(report)

    def on_progress(self, progress: SearchProgress) -> None:
        """`info nodes … cpuload …` and, if asked for, `info currline …` of each thread."""
        self._send(f"info {format_effort(progress)} cpuload {progress.load_permille}")
        for number, moves in enumerate(progress.current_lines, 1):
            if moves:
                self._send(f"info currline {number} {format_moves(moves, self._root.record)}")

    def closing_text(self, result: SearchResult) -> str:
        """`bestmove`, and what the opponent is expected to play, after an `info` with the final
        nodes and time unless the last one had them."""
        if not result.moves:
            return f"{self._end_of_game()}\nbestmove {NO_MOVE}"
        lines = self._final_effort(result)
        if result.refuted_mate:
            lines.append(f"info string no mate in {result.refuted_mate}")
        best, *rest = (format_move(move, self._root.record) for move in result.moves)
        lines.append(f"bestmove {best} ponder {rest[0]}" if rest else f"bestmove {best}")
        return "\n".join(lines)

    def _final_effort(self, result: SearchResult) -> list[str]:
        """The best line once more, as it was printed last, with what was searched since then."""
        line = self._best_line
        if line is None:
            return [f"info {format_effort(result)}"]
        if line.nodes == result.nodes:
            return []
        closing = line._replace(
            nodes=result.nodes,
            elapsed_ns=result.elapsed_ns,
            hashfull_permille=result.hashfull_permille,
            table_hits=result.table_hits,
        )
        return [format_line_report(closing, self._root.record, self._scale, self._shows_wdl)]

    def fallback_text(self) -> str:
        """`bestmove` without a result: the first legal move."""
        moves = self._root.legal_moves()
        return f"bestmove {moves[0] if moves else NO_MOVE}"

    def _end_of_game(self) -> str:
        """The line that says mate or stalemate."""
        return f"info depth 0 score {'mate 0' if self._root.is_check() else 'cp 0'}"
