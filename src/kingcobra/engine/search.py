# SPDX-License-Identifier: GPL-3.0-or-later
"""One search, from the moment its position is handed over to its result."""

import _thread
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.search.layout import (
    PICKED_LINES,
    PV_REPORT,
    REFUTATION_REPORT,
    REPORTS,
    STACK_BEFORE_ROOT,
    Report,
    RootMove,
)
from kingcobra.engine.choice import elected_thread, picked_line
from kingcobra.engine.clock import Budget
from kingcobra.engine.endgame_tables import EndgameTables
from kingcobra.engine.limits import SearchLimits
from kingcobra.engine.reports import (
    CurrentMove,
    LineReport,
    SearchListener,
    SearchProgress,
    SearchResult,
)
from kingcobra.engine.search_tables import RankingDeadline, SearchTables, ShownLine
from kingcobra.engine.search_thread import SearchThread
from kingcobra.engine.search_threads import SearchThreads
from kingcobra.engine.skill import Skill
from kingcobra.kernel.host import monotonic_ns
from kingcobra.kernel.objects import LoadedObject

# All that continuing lines by the tables may cost once the time of a move is over.
CLOSING_NS = 2_000_000
REPORT_INTERVAL_S = 0.01
PROGRESS_INTERVAL_NS = 1_000_000_000
PERMILLE = 1000


class SearchTask(NamedTuple):
    """What is searched, and how. `position` must not change while the search lasts."""

    position: PositionHandle
    limits: SearchLimits
    budget: Budget
    started_ns: int
    lines: int = 1
    skill: Skill = Skill()
    shows_refutations: bool = False
    shows_current_lines: bool = False
    tables: EndgameTables | None = None
    # How long the tables may take to continue a line; zero for as long as it takes.
    line_ns: int = 0


class Search:
    """A search that is ready to run: the threads have its position, their table is connected.
    `run` is called once, and is not called from the thread that may call `stop`. `stop` and
    `ponderhit` count from now on and may come from any thread."""

    def __init__(
        self,
        core: LoadedObject,
        threads: SearchThreads,
        task: SearchTask,
        listener: SearchListener,
        on_fault: Callable[[Exception], None],
        spend: Callable[[int], None] | None = None,
    ) -> None:
        self._core = core
        self._threads = threads
        self._task = task
        self._listener = listener
        self._on_fault = on_fault
        # Told how many nodes were searched, where these stand for time.
        self._spend = spend
        self._has_fault = False
        self._is_stopped = False
        # On a clock: when the lines must be out once the search itself is over.
        self._closing_ns = 0
        self._reporting = threading.Lock()
        self._load = _CpuLoad(len(threads.members))
        self._root_moves: list[int] = []
        self._tables = SearchTables(
            task.tables,
            task.position,
            is_used=not task.limits.mate,
            line_ns=task.line_ns,
            is_stopped=self._is_closing_late,
        )
        self._may_return = threading.Event()
        if not (task.limits.infinite or task.limits.ponder):
            self._may_return.set()
        self._hand_over()

    def _hand_over(self) -> None:
        task, threads = self._task, self._threads
        lines = task.lines if task.skill.is_full else max(task.lines, PICKED_LINES)
        self._root_moves = list(task.limits.root_moves) or task.position.moves()
        addresses = [thread.address for thread in threads.members]
        for thread, next_address in zip(threads.members, [*addresses[1:], 0], strict=True):
            thread.record.next_worker = next_address
            thread.prepare(task.position, self._root_moves, lines)
            self._tables.connect(thread)
            thread.set_limits(task.limits, task.budget, task.started_ns)
        main = threads.main.record
        main.pondering = int(task.limits.ponder)
        main.tells_refutations = int(task.shows_refutations)
        main.pick_depth = 0 if task.skill.is_full else task.skill.depth

    # --- from any thread ----------------------------------------------------------------------

    @property
    def awaits_stop(self) -> bool:
        """Whether the result is held back until `stop` or `ponderhit`."""
        return not self._may_return.is_set()

    def stop(self) -> None:
        """Ends the search; it returns what it has found."""
        self._is_stopped = True
        self._threads.stop()
        self._may_return.set()

    def ponderhit(self) -> None:
        """The expected move was played: from now on limits count, and with them time and nodes
        since the search began. An infinite search stays infinite."""
        self._threads.main.record.pondering = 0
        if not self._task.limits.infinite:
            self._may_return.set()

    # --- the search ---------------------------------------------------------------------------

    def run(self) -> SearchResult:
        """Searches until a limit is reached. An internal error is reported and costs strength, not
        the move."""
        try:
            result = self._searched()
        except Exception as error:
            self._on_fault(error)
            self._may_return.wait()
            result = self._best_so_far()
        if self._spend is not None:
            self._spend(result.nodes)
        return result

    def _best_so_far(self) -> SearchResult:
        """What some thread has found, or else any legal move."""
        for thread in self._threads.members:
            if thread.record.completed_depth > 0:
                best = thread.record.finished_best
                return self._result(list(best.pv[: best.pv_length]), int(best.score))
        record = self._threads.main.record
        return self._result([record.root[0].move] if record.root_count else [])

    def _searched(self) -> SearchResult:
        main = self._threads.main
        if main.record.root_count == 0:
            self._may_return.wait()
            return self._result([])
        # Here and not before, because a disk may be slow and time counts.
        is_late = RankingDeadline(main.record, self._task.budget.hard_ns).is_passed
        self._tables.rank(self._threads.members, self._root_moves, main.record.lines, is_late)
        self._run_threads()
        self._tables.report_damage()
        elected = elected_thread(self._threads)
        root = elected.record.root[0]
        if elected is not main:
            self._attempt(self._listener.on_line, self._line_of(elected))
        if not self._task.skill.is_full:
            root = picked_line(main, self._task.skill)
        refuted = main.record.limits.mate if self._core.is_mate_refuted(main.address) else 0
        shown = self._shown_root(root)
        return self._result(shown.moves, shown.score, refuted)

    def _shown_root(self, root: RootMove) -> ShownLine:
        """The line of a root move as people see it."""
        return self._tables.shown(list(root.pv[: root.pv_length]), int(root.score), root.bound)

    def _result(self, moves: list[int], score: int = 0, refuted_mate: int = 0) -> SearchResult:
        return SearchResult(
            moves=moves,
            score=score,
            nodes=self._threads.nodes,
            quiescence_nodes=self._threads.quiescence_nodes,
            elapsed_ns=monotonic_ns() - self._task.started_ns,
            hashfull_permille=self._threads.hashfull_permille(),
            refuted_mate=refuted_mate,
            table_hits=self._table_hits,
        )

    def _run_threads(self) -> None:
        """All threads at once, until the main one has ended and the result may be returned.
        Whatever happens, none of them is searching afterwards."""
        running: list[threading.Thread] = []
        ended = threading.Event()
        try:
            self._attempt(self._start_helpers, running)
            # Unlike Thread.start this does not wait until the new thread has had its first turn.
            self._attempt(_thread.start_new_thread, self._report_until, (ended,))
            self._search_in_place(self._threads.main)
            self._may_return.wait()
        finally:
            if self._task.budget.hard_ns:
                self._closing_ns = monotonic_ns() + CLOSING_NS
            self._threads.stop()
            for thread in running:
                thread.join()
            with self._reporting:
                ended.set()
        # The result does not wait for another thread to wake up: the rest is reported from here.
        self._pass_on_reports()

    def _start_helpers(self, running: list[threading.Thread]) -> None:
        """Starts the helpers and adds them to those that are running. RuntimeError where the system
        gives no more threads: those that there are search without the others."""
        for helper in self._threads.helpers:
            thread = threading.Thread(
                target=self._attempt,
                args=(self._search_in_place, helper),
                name=f"search {helper.record.number}",
            )
            thread.start()
            running.append(thread)

    def _is_closing_late(self) -> bool:
        """Whether lines are continued no further: nobody waits for more of them."""
        return self._is_stopped or 0 < self._closing_ns < monotonic_ns()

    def _search_in_place(self, thread: SearchThread) -> None:
        with self._threads.placement(thread.record.number):
            thread.think()

    def _attempt(self, action: Callable[..., object], *arguments: Any) -> None:
        """For what must not cost the move when it fails: reporting, and helper threads. Only the
        first failure is reported."""
        try:
            action(*arguments)
        except Exception as error:
            if not self._has_fault:
                self._has_fault = True
                self._on_fault(error)

    # --- reports ------------------------------------------------------------------------------

    def _report_until(self, ended: threading.Event) -> None:
        """Reports while the search lasts, and nothing after it has ended."""
        next_progress_ns = monotonic_ns() + PROGRESS_INTERVAL_NS
        while not ended.wait(REPORT_INTERVAL_S):
            with self._reporting:
                if ended.is_set():
                    return
                self._pass_on_reports()
                if monotonic_ns() >= next_progress_ns:
                    next_progress_ns += PROGRESS_INTERVAL_NS
                    self._attempt(lambda: self._listener.on_progress(self._progress()))

    def _pass_on_reports(self) -> None:
        """Empties the main thread's ring of reports."""
        record = self._threads.main.record
        first = max(record.reports_read, record.reports_written - REPORTS)
        reports: list[Report] = []
        for number in range(first, record.reports_written):
            reports.append(Report.from_buffer_copy(record.reports[number % REPORTS]))
            record.reports_read = number + 1
            # A slot that was written again meanwhile may hold parts of two reports.
            if record.reports_written - number >= REPORTS:
                reports.pop()
        newest = {report.line: report for report in reports if report.kind == PV_REPORT}
        for report in reports:
            self._attempt(self._pass_on, report, newest.get(report.line) is report)

    def _pass_on(self, report: Report, is_newest: bool) -> None:
        """Lines beyond those asked for are only there for weaker play to choose from. Only the
        newest of each are continued by the tables."""
        if report.kind == REFUTATION_REPORT:
            self._listener.on_refutation(list(report.pv[: report.pv_length]))
        elif report.kind != PV_REPORT:
            self._listener.on_current_move(CurrentMove(report.depth, report.pv[0], report.line))
        elif report.line <= self._task.lines:
            moves = list(report.pv[: report.pv_length])
            shown = self._tables.shown(moves, report.score, report.bound, is_newest)
            helper_nodes = sum(helper.record.nodes for helper in self._threads.helpers)
            self._listener.on_line(
                LineReport(
                    number=report.line,
                    depth=report.depth,
                    deepest_ply=report.deepest,
                    score=shown.score,
                    bound=shown.bound,
                    moves=shown.moves,
                    nodes=report.nodes + helper_nodes,
                    elapsed_ns=report.elapsed_ns,
                    hashfull_permille=self._threads.hashfull_permille(),
                    table_hits=self._table_hits,
                )
            )

    def _line_of(self, thread: SearchThread) -> LineReport:
        """The best line of a thread, as the main one would report it."""
        root = thread.record.root[0]
        shown = self._shown_root(root)
        return LineReport(
            number=1,
            depth=root.depth,
            deepest_ply=root.deepest,
            score=shown.score,
            bound=shown.bound,
            moves=shown.moves,
            nodes=self._threads.nodes,
            elapsed_ns=monotonic_ns() - self._task.started_ns,
            hashfull_permille=self._threads.hashfull_permille(),
            table_hits=self._table_hits,
        )

    @property
    def _table_hits(self) -> int:
        return self._tables.hits + self._threads.table_hits

    def _progress(self) -> SearchProgress:
        lines = []
        if self._task.shows_current_lines:
            lines = [self._current_line(thread) for thread in self._threads.members]
        return SearchProgress(
            nodes=self._threads.nodes,
            elapsed_ns=monotonic_ns() - self._task.started_ns,
            hashfull_permille=self._threads.hashfull_permille(),
            load_permille=self._load.permille_since_last(),
            current_lines=lines,
            table_hits=self._table_hits,
        )

    def _current_line(self, thread: SearchThread) -> list[int]:
        """The moves from the root to where a thread is. It does not wait while its stack is read,
        so the line is cut before the first move that is not legal after those before it."""
        position = self._task.position.copy()
        length = thread.record.position.ply - position.record.ply
        stack = thread.record.stack[STACK_BEFORE_ROOT : STACK_BEFORE_ROOT + max(length, 0)]
        line: list[int] = []
        for move in [entry.move for entry in stack]:
            if not move or not position.is_legal(move):
                break
            position.play_move(move)
            line.append(move)
        return line


class _CpuLoad:
    """How busy this process keeps its CPUs."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._wall_ns, self._cpu_ns = monotonic_ns(), time.process_time_ns()

    def permille_since_last(self) -> int:
        """Of the CPU time that the threads could have used since the last call."""
        wall_ns, cpu_ns = monotonic_ns(), time.process_time_ns()
        possible_ns = max(wall_ns - self._wall_ns, 1) * self._threads
        load = (cpu_ns - self._cpu_ns) * PERMILLE // possible_ns
        self._wall_ns, self._cpu_ns = wall_ns, cpu_ns
        return min(load, PERMILLE)
