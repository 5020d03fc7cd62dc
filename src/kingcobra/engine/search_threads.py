# SPDX-License-Identifier: GPL-3.0-or-later
"""Threads that think together: each searches the whole tree by itself, all share the hash table."""

import _thread
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.search.layout import (
    AGE_CYCLE,
    AGE_STEP,
    PICKED_LINES,
    PV_REPORT,
    REPORTS,
    Report,
    RootMove,
)
from kingcobra.core.search.scores import INFINITE, MATE_BAND, MAX_PLY
from kingcobra.engine.clock import Budget
from kingcobra.engine.limits import GoLimits
from kingcobra.engine.search_thread import SearchThread
from kingcobra.engine.skill import DEFAULT_SEED, Skill, fraction, next_state
from kingcobra.kernel.host import monotonic_ns
from kingcobra.kernel.objects import Core
from kingcobra.kernel.system.memory import Memory

REPORT_INTERVAL_S = 0.01
# How often whoever listens is given the chance to say what is going on.
TICK_NS = 1_000_000_000
VOTE_OFFSET = 14


class SearchResult(NamedTuple):
    """What a search came to: the best line, empty when there is no legal move."""

    line: list[int]
    score: int
    nodes: int
    elapsed_ns: int
    # How many moves `go mate` asked for, where it is proved that there is no such mate.
    refuted_mate: int = 0


class SearchThreads:
    """The workers of one engine. All methods are called from one thread, `stop` and `ponderhit`
    from any."""

    def __init__(self, core: Core, evaluate_address: int) -> None:
        self._core = core
        self._evaluate = evaluate_address
        self._connect: Callable[[SearchThread], None] = lambda _worker: None
        self.workers: list[SearchThread] = []
        self._tunables: dict[str, int] = {}
        self._given: dict[int, int] = {}
        self._skill = Skill()
        self.tells_refutations = False
        self._age = 0
        self._endless = False
        self._may_answer = threading.Event()
        self._may_answer.set()
        self._telling = threading.Lock()
        self._tell: Callable[[Report, int], None] = lambda _report, _nodes: None
        self._tick: Callable[[], None] = lambda: None
        # Hears of a fault that the search survives, the first of each; from any thread.
        self.on_fault: Callable[[Exception], None] = lambda _error: None
        self._has_fault = False
        # Entered by each thread with its number around its work: where it may run.
        self.placed: Callable[[int], AbstractContextManager[Any]] = nullcontext
        self.set_threads(1)

    def set_threads(self, count: int) -> None:
        """Keeps that many workers; what the remaining ones learnt stays. On OutOfMemory all do."""
        added = [self._new_worker(number) for number in range(len(self.workers), count)]
        self.workers = [*self.workers[:count], *added]

    def _new_worker(self, number: int) -> SearchThread:
        worker = SearchThread(self._core, number, self._evaluate)
        worker.set_tunables(self._tunables)
        self._connect(worker)
        worker.give_values(self._given)
        worker.record.random_state = DEFAULT_SEED
        return worker

    def use_evaluation(self, connect: Callable[[SearchThread], None]) -> None:
        """Has `connect` give each worker its evaluation, also those to come."""
        for worker in self.workers:
            connect(worker)
        self._connect = connect

    def replace_workers(self, count: int) -> Callable[[], None]:
        """Puts that many workers in place of those there are, and returns what brings the old ones
        back as they were."""
        kept, kept_age = self.workers, self._age
        self.workers = [self._new_worker(number) for number in range(count)]
        self._age = 0

        def bring_back() -> None:
            self.workers, self._age = kept, kept_age

        return bring_back

    def seed(self, seed: int) -> None:
        """Sets the generator of random choices; not zero. The same seed, the same choices."""
        self.main.record.random_state = seed

    def give_values(self, values: dict[int, int]) -> None:
        """Replaces the scores that the user gave to positions, for their side to move."""
        self._given = dict(values)
        for worker in self.workers:
            worker.give_values(values)

    def forget(self) -> None:
        """Clears all that the workers learnt."""
        for worker in self.workers:
            worker.forget()

    def set_tunable(self, name: str, value: int) -> None:
        """Sets one parameter of the search for all workers, also those to come."""
        self._tunables[name] = value
        for worker in self.workers:
            worker.set_tunables(self._tunables)

    @property
    def nodes(self) -> int:
        """Moves made in the present search."""
        return sum(worker.record.nodes for worker in self.workers)

    @property
    def quiescence_nodes(self) -> int:
        """Those of them that quiescence made."""
        return sum(worker.record.quiescence_nodes for worker in self.workers)

    def _helper_nodes(self) -> int:
        return sum(worker.record.nodes for worker in self.workers[1:])

    @property
    def main(self) -> SearchThread:
        """The worker that watches the limits and reports."""
        return self.workers[0]

    @property
    def awaits_stop(self) -> bool:
        """Whether the search holds its answer back until `stop` or `ponderhit`."""
        return not self._may_answer.is_set()

    def fullness_permille(self) -> int:
        """How full the hash table is; that of the last search, empty before the first one."""
        if not self.main.record.table:
            return 0
        return self._core.fullness_permille(self.main.address)

    def disconnect_table(self) -> None:
        """The table is about to go; the next search brings another one."""
        for worker in self.workers:
            worker.record.table = 0

    # --- one search ---------------------------------------------------------------------------

    def prepare(
        self,
        board: PositionHandle,
        root_moves: list[int],
        limits: GoLimits,
        budget: Budget,
        lines: int,
        table: Memory,
        started_ns: int,
        skill: Skill,
    ) -> None:
        """Hands the position to the workers; from now on `stop` is heard."""
        self._age = (self._age + AGE_STEP) % AGE_CYCLE
        self._skill = skill
        if not skill.is_full:
            lines = max(lines, PICKED_LINES)
        depth = 0 if limits.infinite else min(limits.depth, MAX_PLY - 1)
        addresses = [worker.address for worker in self.workers]
        for worker, next_address in zip(self.workers, [*addresses[1:], 0], strict=True):
            worker.record.next_worker = next_address
            worker.use_table(table, self._age)
            worker.prepare(board, root_moves, lines, depth)
            worker.set_limits(limits, budget, started_ns)
        self.main.record.pondering = int(limits.ponder)
        self.main.record.tells_refutations = int(self.tells_refutations)
        self.main.record.pick_depth = 0 if skill.is_full else skill.depth
        self._endless = limits.infinite
        self._may_answer.clear()
        if not (limits.infinite or limits.ponder):
            self._may_answer.set()

    def think(
        self, tell: Callable[[Report, int], None], tick: Callable[[], None] = lambda: None
    ) -> SearchResult:
        """Runs the prepared search to its end in the calling thread, which must not be the one
        that says `stop`. `tell` gets each report with the nodes of all workers; `tick` is called
        every second."""
        self._tell = tell
        self._tick = tick
        self._has_fault = False
        main = self.main
        if main.record.root_count == 0:
            self._may_answer.wait()
            return SearchResult([], 0, 0, 0)
        self._think_together()
        elapsed = monotonic_ns() - main.record.limits.started_ns
        elected = self._elected()
        root = elected.record.root[0]
        if elected is not main:
            self._attempt(self._tell, self._report_of(elected, elapsed), self.nodes)
        if not self._skill.is_full:
            root = self._picked()
        refuted = main.record.limits.mate if self._core.is_mate_refuted(main.address) else 0
        line = list(root.pv[: root.pv_length])
        return SearchResult(line, int(root.score), self.nodes, elapsed, refuted)

    def _think_together(self) -> None:
        """All workers at once, until the main one has ended and may answer. Whatever happens, none
        of them is at work afterwards."""
        helpers: list[threading.Thread] = []
        ended = threading.Event()
        try:
            for worker in self.workers[1:]:
                name = f"worker {worker.record.number}"
                helper = threading.Thread(
                    target=self._attempt, args=(self._think_in_place, worker), name=name
                )
                helper.start()
                helpers.append(helper)
            # Unlike Thread.start this does not wait until the new thread has had its first turn.
            _thread.start_new_thread(self._report_until, (ended,))
            self._think_in_place(self.main)
            self._may_answer.wait()
        finally:
            self._stop_workers()
            for helper in helpers:
                helper.join()
            with self._telling:
                ended.set()
        # The answer does not wait for another thread to be woken: the rest is told from here.
        self._drain_reports()

    def after_fault(self) -> SearchResult:
        """What a search that broke down can still answer, when it may: the move that its main
        worker liked best."""
        self._may_answer.wait()
        record = self.main.record
        line = [record.root[0].move] if record.root_count else []
        elapsed_ns = monotonic_ns() - record.limits.started_ns
        return SearchResult(line, int(record.root[0].score), self.nodes, elapsed_ns)

    def _attempt(self, action: Callable[..., None], *arguments: Any) -> None:
        """For what must not cost the move when it breaks down: telling, and helping."""
        try:
            action(*arguments)
        except Exception as error:
            if not self._has_fault:
                self._has_fault = True
                self.on_fault(error)

    def _think_in_place(self, worker: SearchThread) -> None:
        with self.placed(worker.record.number):
            worker.think()

    def stop(self) -> None:
        """Ends the search; it answers with what it has."""
        self._stop_workers()
        self._may_answer.set()

    def _stop_workers(self) -> None:
        for worker in self.workers:
            worker.stop()

    def ponderhit(self) -> None:
        """The expected move was played: from now on the clock counts. A search that was asked to be
        infinite stays so."""
        self.main.record.pondering = 0
        if not self._endless:
            self._may_answer.set()

    def _report_until(self, ended: threading.Event) -> None:
        """Tells what there is to tell while a search lasts, and nothing after it has ended."""
        next_tick_ns = monotonic_ns() + TICK_NS
        while not ended.wait(REPORT_INTERVAL_S):
            with self._telling:
                if ended.is_set():
                    return
                self._drain_reports()
                if monotonic_ns() >= next_tick_ns:
                    next_tick_ns += TICK_NS
                    self._attempt(self._tick)

    def _drain_reports(self) -> None:
        record = self.main.record
        first = max(record.reports_read, record.reports_written - REPORTS)
        for number in range(first, record.reports_written):
            report = record.reports[number % REPORTS]
            record.reports_read = number + 1
            self._attempt(self._tell, report, report.nodes + self._helper_nodes())

    def _report_of(self, worker: SearchThread, elapsed_ns: int) -> Report:
        """What a worker has found, as the main one would report it."""
        root = worker.record.root[0]
        report = Report(
            kind=PV_REPORT,
            depth=worker.record.completed_depth,
            deepest=root.deepest,
            line=1,
            score=root.score,
            bound=root.bound,
            nodes=worker.record.nodes,
            elapsed_ns=elapsed_ns,
            pv_length=root.pv_length,
        )
        report.pv[: root.pv_length] = root.pv[: root.pv_length]
        return report

    def _picked(self) -> RootMove:
        """One of the main worker's lines, by the random generator in its record."""
        record = self.main.record
        lines: list[RootMove] = list(record.picked[: record.picked_count])
        if not lines:
            known = [root for root in record.root[: record.lines] if root.score != -INFINITE]
            lines = known or [record.root[0]]
        record.random_state = next_state(record.random_state)
        scores = [root.score for root in lines]
        return lines[self._skill.choice(scores, fraction(record.random_state))]

    def _elected(self) -> SearchThread:
        """The worker whose best move gets most votes; depth and score give a vote its weight.
        Several lines, and proofs of mate, are the main worker's own."""
        candidates = [worker for worker in self.workers if worker.record.completed_depth > 0]
        limits = self.main.record.limits
        if len(candidates) < 2 or self.main.record.lines > 1 or limits.mate:
            return self.main
        lowest = min(worker.record.root[0].score for worker in candidates)
        votes: dict[int, int] = {}
        for worker in candidates:
            root = worker.record.root[0]
            weight = (root.score - lowest + VOTE_OFFSET) * worker.record.completed_depth
            votes[root.move] = votes.get(root.move, 0) + weight

        def rank(worker: SearchThread) -> tuple[int, int, int]:
            root = worker.record.root[0]
            shortest_mate = root.score if abs(root.score) >= MATE_BAND else 0
            return shortest_mate, votes[root.move], worker.record.completed_depth

        return max(candidates, key=rank)
