# SPDX-License-Identifier: GPL-3.0-or-later
"""`bench`: a fixed task. Its node count is the signature of the search, its time the speed."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kingcobra.board.fen import FenError
from kingcobra.board.leaf_counter import LeafCounter
from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.search.layout import Report
from kingcobra.engine.limits import GoLimits
from kingcobra.engine.search_engine import SearchEngine
from kingcobra.errors import reason_of
from kingcobra.kernel.host import monotonic_ns
from kingcobra.text_values import quoted
from kingcobra.uci.bench_positions import CHESS960, STANDARD
from kingcobra.uci.evaluation_report import evaluation_report
from kingcobra.uci.go import GO_WORDS, parse_go
from kingcobra.uci.options import option_named
from kingcobra.uci.protocol import UciError

DEFAULTS = ("16", "1", "13", "default", "depth")
EVAL, INFINITE = "eval", "infinite"
LIMIT_TYPES = ("depth", "nodes", "movetime", "mate", "perft", EVAL, INFINITE)
INFINITE_BENCH_DEPTH = 10
NS_PER_S = 1_000_000_000
NS_PER_MS = 1_000_000

Say = Callable[[str], None]
# A report, the nodes of all threads, the position.
Tell = Callable[[Report, int, PositionHandle], None]


@dataclass(frozen=True)
class BenchTask:
    """What to search and how far; or, if `only_evaluate`, not at all."""

    hash_mb: int
    threads: int
    limits: GoLimits
    positions: tuple[tuple[str, bool], ...]
    only_evaluate: bool = False


@dataclass
class BenchTotals:
    """What came of it."""

    nodes: int = 0
    quiescence_nodes: int = 0
    elapsed_ns: int = 1

    @property
    def nodes_per_second(self) -> int:
        """The speed."""
        return self.nodes * NS_PER_S // self.elapsed_ns


def parse_task(words: list[str], current: tuple[str, bool]) -> BenchTask:
    """`bench [hash] [threads] [limit] [default | current | file] [limit type]`."""
    if len(words) > len(DEFAULTS):
        raise UciError(f"bench: {quoted(words[-1])} is one word too many")
    hash_mb, threads, limit, source, limit_type = (*words, *DEFAULTS[len(words) :])
    if limit_type not in LIMIT_TYPES:
        raise UciError(f"bench: limit type {quoted(limit_type)}, known: {', '.join(LIMIT_TYPES)}")
    return BenchTask(
        option_named("Hash").parse(hash_mb),
        option_named("Threads").parse(threads),
        _limits(limit_type, limit),
        _positions(source, current),
        limit_type == EVAL,
    )


def _limits(limit_type: str, limit: str) -> GoLimits:
    """An evaluation and an endless search have no limit: whatever stands in its place will do."""
    if limit_type == EVAL:
        return GoLimits()
    if limit_type == INFINITE:
        return GoLimits(infinite=True)
    limits, complaints = parse_go([limit_type, limit])
    if complaints:
        raise UciError(f"bench: {complaints[0]}")
    return limits


def _positions(source: str, current: tuple[str, bool]) -> tuple[tuple[str, bool], ...]:
    if source == "default":
        return (*((fen, False) for fen in STANDARD), *((fen, True) for fen in CHESS960))
    if source == "current":
        return (current,)
    try:
        lines = Path(source).read_text("utf-8").splitlines()
    except OSError as error:
        raise UciError(f"bench: {quoted(source)} cannot be read: {reason_of(error)}") from None
    except UnicodeDecodeError:
        raise UciError(f"bench: {quoted(source)} is no UTF-8 text") from None
    return tuple((line.strip(), current[1]) for line in lines if line.strip())


def is_go_form(words: list[str]) -> bool:
    """Whether the words are limits as `go` takes them, for the current position."""
    return bool(words) and words[0] in GO_WORDS


def go_form_limits(words: list[str]) -> GoLimits:
    """The limits of `bench depth 8`; an endless one becomes a fixed depth."""
    limits, complaints = parse_go(words)
    if complaints:
        raise UciError(f"bench: {complaints[0]}")
    if limits.infinite:
        limits.infinite = False
        limits.depth = INFINITE_BENCH_DEPTH
    return limits


class Bench:
    """Runs positions one after the other in a thread of its own; `halt` ends it early."""

    def __init__(self, engine: SearchEngine, say: Say) -> None:
        self._engine = engine
        self._say = say
        self._halted = threading.Event()
        self._counter: LeafCounter | None = None
        self.totals = BenchTotals()

    def halt(self) -> None:
        """Ends the bench after the position under way, which ends at once."""
        self._halted.set()
        self._engine.pool.stop()
        if self._counter is not None:
            self._counter.stop()

    def run(self, task: BenchTask, tell: Tell) -> None:
        """Takes all positions in turn. A position that cannot be played is named and left out."""
        started_ns = monotonic_ns()
        for number, (fen, chess960) in enumerate(task.positions, 1):
            try:
                board = PositionHandle(self._engine.core, fen, chess960)
            except FenError as error:
                self._say(f"info string error: {error}")
                continue
            self._say(f"\nPosition: {number}/{len(task.positions)} ({fen})")
            if task.only_evaluate:
                self._say(evaluation_report(self._engine.evaluator, board))
            else:
                self.take(board, task.limits, tell)
            if self._halted.is_set():
                break
        self.totals.elapsed_ns = max(monotonic_ns() - started_ns, 1)

    def take(self, board: PositionHandle, limits: GoLimits, tell: Tell) -> None:
        """Searches one position, or counts its leaves, and adds to the totals."""
        started_ns = monotonic_ns()
        if limits.perft is not None:
            self._count(board, limits.perft)
        else:
            self._search(board, limits, tell)
        self.totals.elapsed_ns = max(monotonic_ns() - started_ns, 1)

    def _search(self, board: PositionHandle, limits: GoLimits, tell: Tell) -> None:
        self._engine.prepare(board, limits, monotonic_ns())
        if self._halted.is_set():
            self._engine.pool.stop()
        finding = self._engine.pool.think(lambda report, nodes: tell(report, nodes, board))
        self.totals.nodes += finding.nodes
        self.totals.quiescence_nodes += self._engine.pool.quiescence_nodes

    def _count(self, board: PositionHandle, depth: int) -> None:
        """Counts leaves instead of searching; a count that was stopped does not count."""
        self._counter = counter = LeafCounter(self._engine.core, board)
        if self._halted.is_set():
            return
        leaves = counter.count(depth)
        if not counter.stopped:
            self._say(f"Nodes searched: {leaves}")
            self.totals.nodes += leaves

    def stockfish_summary(self) -> str:
        """The three closing lines."""
        return (
            "\n===========================\n"
            f"Total time (ms) : {self.totals.elapsed_ns // NS_PER_MS}\n"
            f"Nodes searched  : {self.totals.nodes}\n"
            f"Nodes/second    : {self.totals.nodes_per_second}"
        )

    def go_form_summary(self) -> str:
        """The closing line of the form that takes limits."""
        totals = self.totals
        return (
            f"bench nodes {totals.nodes}"
            f" negamax_nodes {totals.nodes - totals.quiescence_nodes}"
            f" quiescence_nodes {totals.quiescence_nodes}"
            f" time(s) {totals.elapsed_ns / NS_PER_S:.3f}s nps {totals.nodes_per_second}"
        )
