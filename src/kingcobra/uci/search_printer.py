# SPDX-License-Identifier: GPL-3.0-or-later
"""What a search says while it runs and when it ends, as lines of text."""

import time
from collections.abc import Callable

from kingcobra.board.move_text import format_move
from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.search.layout import PV_REPORT, STACK_BEFORE_ROOT, Report
from kingcobra.engine.search_engine import SearchEngine
from kingcobra.engine.search_thread import SearchThread
from kingcobra.engine.search_threads import SearchResult
from kingcobra.kernel.host import monotonic_ns
from kingcobra.uci.info import format_line, format_report

PERMILLE = 1000
NO_MOVE = "(none)"


class SearchPrinter:
    """The voice of one search. Its methods are called from the threads that work."""

    def __init__(
        self, engine: SearchEngine, board: PositionHandle, say: Callable[[str], None]
    ) -> None:
        self._engine = engine
        self._say = say
        self._position = type(board.record).from_buffer_copy(board.record)
        self._fen, self._chess960 = board.fen(), board.chess960
        self._wall_ns, self._cpu_ns = monotonic_ns(), time.process_time_ns()

    def tell(self, report: Report, nodes: int) -> None:
        """One report of the main worker. Lines beyond those that the user wants to see are the
        engine's own business."""
        engine = self._engine
        if report.kind == PV_REPORT and report.line > engine.lines:
            return
        full = engine.pool.fullness_permille()
        self._say(
            format_report(report, self._position, nodes, full, engine.scale, engine.shows_wdl)
        )

    def tick(self) -> None:
        """Every second: how busy the engine keeps its CPUs and, if wanted, what it looks at."""
        self._say(f"info cpuload {self._load_permille()}")
        if not self._engine.shows_current_line:
            return
        for number, worker in enumerate(self._engine.pool.workers, 1):
            line = self._current_line(worker)
            if line:
                self._say(f"info currline {number} {format_line(line, self._position)}")

    def answer(self, finding: SearchResult) -> str:
        """bestmove, and what the opponent is expected to play."""
        if not finding.line:
            return f"{self._end_of_game()}bestmove {NO_MOVE}"
        best, *rest = finding.line
        text = f"bestmove {format_move(best, self._position)}"
        if finding.refuted_mate:
            text = f"info string no mate in {finding.refuted_mate}\n{text}"
        return f"{text} ponder {format_move(rest[0], self._position)}" if rest else text

    def any_answer(self) -> str:
        """An answer that needs no finding: the first legal move."""
        moves = PositionHandle(self._engine.core, self._fen, self._chess960).legal_moves()
        return f"bestmove {moves[0] if moves else NO_MOVE}"

    def _end_of_game(self) -> str:
        """The line that says mate or stalemate."""
        board = PositionHandle(self._engine.core, self._fen, self._chess960)
        return f"info depth 0 score {'mate 0' if board.is_check() else 'cp 0'}\n"

    def _load_permille(self) -> int:
        """Since the last call: of the CPU time that all threads together could have had."""
        wall_ns, cpu_ns = monotonic_ns(), time.process_time_ns()
        possible_ns = max(wall_ns - self._wall_ns, 1) * len(self._engine.pool.workers)
        load = (cpu_ns - self._cpu_ns) * PERMILLE // possible_ns
        self._wall_ns, self._cpu_ns = wall_ns, cpu_ns
        return min(load, PERMILLE)

    def _current_line(self, worker: SearchThread) -> list[int]:
        """The moves from the root to where a worker is. It does not wait while we look, so the
        line is cut before the first move that is not legal after those before it."""
        record = worker.record
        length = record.position.ply - self._position.ply
        stack = record.stack[STACK_BEFORE_ROOT : STACK_BEFORE_ROOT + max(length, 0)]
        moves = [entry.move for entry in stack]
        board = PositionHandle(self._engine.core, self._fen, self._chess960)
        line: list[int] = []
        for move in moves:
            if not move or not board.is_legal(move):
                break
            board.play_move(move)
            line.append(move)
        return line
