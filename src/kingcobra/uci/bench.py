# SPDX-License-Identifier: GPL-3.0-or-later
"""`bench`: a fixed task. Its node count is the signature of the search, its time the speed."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from kingcobra.board.fen import FenError
from kingcobra.board.leaf_counter import LeafCounter
from kingcobra.board.position_handle import PositionHandle
from kingcobra.engine.background import Action, Job
from kingcobra.engine.limits import SearchLimits
from kingcobra.engine.search import Search
from kingcobra.engine.search_engine import SearchEngine
from kingcobra.errors import reason_of
from kingcobra.kernel.host import monotonic_ns
from kingcobra.text_values import quoted
from kingcobra.uci.bench_positions import CHESS960, STANDARD
from kingcobra.uci.evaluation_report import evaluation_report
from kingcobra.uci.go import GO_WORDS, GoCommand, parse_go
from kingcobra.uci.options import parse_bounded
from kingcobra.uci.protocol import UciError
from kingcobra.uci.search_printer import LinePrinter
from kingcobra.uci.streams import write_stderr

DEFAULTS = ("16", "1", "13", "default", "depth")
EVAL, INFINITE = "eval", "infinite"
LIMIT_TYPES = ("depth", "nodes", "movetime", "mate", "perft", EVAL, INFINITE)
INFINITE_BENCH_DEPTH = 10
STOPPED_EARLY = "Stopped early   : the totals are not those of the whole bench\n"
NS_PER_S = 1_000_000_000
NS_PER_MS = 1_000_000

Send = Callable[[str], None]


class BenchPosition(NamedTuple):
    """A position as text; checked only when its turn comes."""

    fen: str
    chess960: bool


class BenchLimits(NamedTuple):
    """What is done with each position: a search, leaves counted to `perft_depth` if there is one,
    or, if `only_evaluate`, neither."""

    search: SearchLimits
    perft_depth: int | None = None
    only_evaluate: bool = False


class BenchTask(NamedTuple):
    """`bench 16 1 13 default depth`."""

    hash_mb: int
    threads: int
    limits: BenchLimits
    positions: tuple[BenchPosition, ...]


@dataclass
class BenchTotals:
    """Sums over all positions."""

    nodes: int = 0
    quiescence_nodes: int = 0
    elapsed_ns: int = 1

    @property
    def nodes_per_second(self) -> int:
        """The speed."""
        return self.nodes * NS_PER_S // self.elapsed_ns


# --- text to values ---------------------------------------------------------------------------


def parse_task(words: list[str], current: PositionHandle) -> BenchTask:
    """`bench [hash] [threads] [limit] [default | current | file] [limit type]`."""
    if len(words) > len(DEFAULTS):
        raise UciError(f"bench: {quoted(words[-1])} is one word too many")
    hash_mb, threads, limit, source, limit_type = (*words, *DEFAULTS[len(words) :])
    if limit_type not in LIMIT_TYPES:
        raise UciError(f"bench: limit type {quoted(limit_type)}, known: {', '.join(LIMIT_TYPES)}")
    try:
        size_mb = parse_bounded(hash_mb, "Hash", "bench: hash")
    except UciError as error:
        raise UciError(f"{error}, or limits as for go") from None
    return BenchTask(
        size_mb,
        parse_bounded(threads, "Threads", "bench: threads"),
        _limits(limit_type, limit, current),
        _positions(source, current),
    )


def _limits(limit_type: str, limit: str, current: PositionHandle) -> BenchLimits:
    """An evaluation and an infinite search have no limit: the word in its place is not read."""
    if limit_type == EVAL:
        return BenchLimits(SearchLimits(), only_evaluate=True)
    if limit_type == INFINITE:
        return BenchLimits(SearchLimits(infinite=True))
    command = _go_command([limit_type, limit], current)
    return BenchLimits(command.limits, command.perft_depth)


def _go_command(words: list[str], position: PositionHandle) -> GoCommand:
    """The words as `go` understands them. UciError for the first that `go` would ignore."""
    try:
        command = parse_go(words, position)
    except UciError as error:
        raise UciError(f"bench: {error}") from None
    if command.word_errors:
        raise UciError(f"bench: {command.word_errors[0]}")
    return command


def _positions(source: str, current: PositionHandle) -> tuple[BenchPosition, ...]:
    if source == "default":
        return (
            *(BenchPosition(fen, False) for fen in STANDARD),
            *(BenchPosition(fen, True) for fen in CHESS960),
        )
    if source == "current":
        return (BenchPosition(current.fen(), current.chess960),)
    try:
        lines = Path(source).read_text("utf-8").splitlines()
    except OSError as error:
        expected = "expected default, current or a file"
        raise UciError(
            f"bench: cannot read {quoted(source)}: {reason_of(error)}; {expected}"
        ) from None
    except UnicodeDecodeError:
        raise UciError(f"bench: {quoted(source)} is not UTF-8 text") from None
    return tuple(BenchPosition(line.strip(), current.chess960) for line in lines if line.strip())


def is_go_form(words: list[str]) -> bool:
    """Whether the words are limits as `go` takes them, for the current position."""
    return bool(words) and words[0] in GO_WORDS


def parse_go_form(words: list[str], position: PositionHandle) -> GoCommand:
    """`bench depth 8`; a search that would not end by itself becomes one of a fixed depth."""
    command = _go_command(words, position)
    limits = command.limits._replace(infinite=False, ponder=False)
    ends = limits.depth or limits.nodes or limits.mate or limits.movetime_ms
    if not ends and limits.clock_ms is None:
        limits = limits._replace(depth=INFINITE_BENCH_DEPTH)
    return command._replace(limits=limits)


# --- the work ---------------------------------------------------------------------------------


class Bench:
    """Searches positions one after the other; `stop` ends it early, from any thread."""

    def __init__(self, engine: SearchEngine, send: Send) -> None:
        self._engine = engine
        self._send = send
        self._stopped = threading.Event()
        self._search: Search | None = None
        self._counter: LeafCounter | None = None
        self.totals = BenchTotals()

    def stop(self) -> None:
        """Ends the position under way, and the bench with it."""
        self._stopped.set()
        if self._search is not None:
            self._search.stop()
        if self._counter is not None:
            self._counter.stop()

    @property
    def stopped(self) -> bool:
        """Whether it was stopped early."""
        return self._stopped.is_set()

    def run(self, task: BenchTask) -> None:
        """Takes all positions in turn. A position that cannot be played is named and left out."""
        started_ns = monotonic_ns()
        for number, (fen, chess960) in enumerate(task.positions, 1):
            try:
                position = PositionHandle(self._engine.core, fen, chess960)
            except FenError as error:
                self._send(f"info string error: {error}")
                continue
            self._send(f"\nPosition: {number}/{len(task.positions)} ({fen})")
            self.take(position, task.limits)
            if self.stopped:
                break
        self.totals.elapsed_ns = max(monotonic_ns() - started_ns, 1)

    def take(self, position: PositionHandle, limits: BenchLimits) -> None:
        """Searches one position, or counts its leaves, and adds to the totals."""
        started_ns = monotonic_ns()
        if limits.only_evaluate:
            given_cp = self._engine.given_white_cp(position)
            self._send(evaluation_report(self._engine.evaluator, position, given_cp))
        elif limits.perft_depth is not None:
            self._count(position, limits.perft_depth)
        else:
            self._take_search(position, limits.search)
        self.totals.elapsed_ns = max(monotonic_ns() - started_ns, 1)

    def _take_search(self, position: PositionHandle, limits: SearchLimits) -> None:
        printer = LinePrinter(position, self._engine.scale, self._send)
        self._search = search = self._engine.search(position, limits, printer)
        if self._stopped.is_set():
            search.stop()
        result = search.run()
        self.totals.nodes += result.nodes
        self.totals.quiescence_nodes += result.quiescence_nodes

    def _count(self, position: PositionHandle, depth: int) -> None:
        """Counts leaves instead of searching; a count that was stopped does not count."""
        self._counter = counter = LeafCounter(self._engine.core, position)
        if self._stopped.is_set():
            return
        leaves = counter.count(depth)
        if not counter.stopped:
            self._send(f"Nodes searched: {leaves}")
            self.totals.nodes += leaves


class BenchJob(Job):
    """Either form of `bench`, on fresh threads and an empty table: as many and as large as those of
    the game, unless given."""

    def __init__(
        self,
        engine: SearchEngine,
        send: Send,
        threads: int | None = None,
        hash_mb: int | None = None,
    ) -> None:
        self._bench = Bench(engine, send)
        self._restore = engine.lend(threads, hash_mb)

    def run(self) -> Action:
        """Also when it fails, the game gets its threads and its table back."""
        try:
            self._measure()
        finally:
            self._restore()
        return self._close

    def _measure(self) -> None:
        raise NotImplementedError

    def _close(self) -> None:
        raise NotImplementedError

    def stop(self) -> None:
        """Ends the bench early."""
        self._bench.stop()

    @property
    def is_measurement(self) -> bool:
        """Yes: the totals are what was asked for."""
        return True


class SuiteBench(BenchJob):
    """`bench 16 1 13 default depth`. The closing lines go to stderr, as Stockfish's do."""

    def __init__(self, engine: SearchEngine, task: BenchTask, send: Send) -> None:
        super().__init__(engine, send, task.threads, task.hash_mb)
        self._task = task

    def _measure(self) -> None:
        self._bench.run(self._task)

    def _close(self) -> None:
        # An infinite bench ends no other way.
        stopped_early = self._bench.stopped and not self.awaits_stop
        write_stderr(suite_summary(self._bench.totals, stopped_early))

    @property
    def awaits_stop(self) -> bool:
        """Whether its searches have no limit."""
        return self._task.limits.search.infinite


class GoFormBench(BenchJob):
    """`bench depth 8`: the current position."""

    def __init__(
        self, engine: SearchEngine, position: PositionHandle, limits: BenchLimits, send: Send
    ) -> None:
        super().__init__(engine, send)
        self._position = position
        self._limits = limits
        self._send = send

    def _measure(self) -> None:
        self._bench.take(self._position, self._limits)

    def _close(self) -> None:
        """The closing line is for programs to read."""
        if self._bench.stopped:
            self._send("info string bench stopped")
        self._send(go_form_summary(self._bench.totals))


# --- values to text ---------------------------------------------------------------------------


def suite_summary(totals: BenchTotals, stopped_early: bool = False) -> str:
    """The three closing lines, and one before them for totals that are not the whole task's."""
    return (
        "\n===========================\n"
        f"{STOPPED_EARLY if stopped_early else ''}"
        f"Total time (ms) : {totals.elapsed_ns // NS_PER_MS}\n"
        f"Nodes searched  : {totals.nodes}\n"
        f"Nodes/second    : {totals.nodes_per_second}"
    )


def go_form_summary(totals: BenchTotals) -> str:
    """The closing line of the form that takes limits."""
    return (
        f"bench nodes {totals.nodes}"
        f" negamax_nodes {totals.nodes - totals.quiescence_nodes}"
        f" quiescence_nodes {totals.quiescence_nodes}"
        f" time(s) {totals.elapsed_ns / NS_PER_S:.3f}s nps {totals.nodes_per_second}"
    )
