# SPDX-License-Identifier: GPL-3.0-or-later
"""`speedtest`: how fast this machine searches, measured as it is used: by playing a game."""

import threading
from collections.abc import Iterator
from typing import NamedTuple

from kingcobra.board.position_handle import PositionHandle
from kingcobra.engine.background import Action, Job
from kingcobra.engine.limits import SearchLimits
from kingcobra.engine.options import MAX_HASH_MB, MAX_THREADS
from kingcobra.engine.reports import SearchListener
from kingcobra.engine.search import Search
from kingcobra.engine.search_engine import SearchEngine
from kingcobra.kernel.host import monotonic_ns
from kingcobra.kernel.levels import choose_level
from kingcobra.kernel.system import numa
from kingcobra.text_values import parse_integer, quoted
from kingcobra.uci.options import parse_bounded
from kingcobra.uci.protocol import UciError
from kingcobra.uci.streams import write_stderr
from kingcobra.version import __version__

# A game that this engine once played against itself, from a Sicilian into the late middlegame.
_GAME_TEXT = (
    "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6 f1c4 e7e6 e1g1 b7b5 c4d3 h7h5 h2h3 b8d7"
    " c1g5 c8b7 a2a4 b5b4 c3e2 d8a5 h3h4 b7e4 e2g3 e4d3 d1d3 d7e5 d3e2 a5b6 c2c3 f8e7 a4a5 b6c5"
    " f1b1 b4c3 e2d1 c5c7 b2c3 f6d5 g3e4 d5f6 g5f6 g7f6 e4g3 d6d5 g3h5 h8g8 b1b6 c7c3 b6b3 c3c8"
    " a1b1 e8f8 b3b7 g8h8 h5f4 e7d6 g2g3 a8b8 b7b6 b8b6 a5b6 c8b7 d1c2 f8e8 g1h2 e8e7 h2h3 b7c8"
)

GAME = _GAME_TEXT.split()
# Searched first and not counted: memory gets its pages, the CPU its clock rate.
WARM_UP_POSITIONS = 3

HASH_MB_PER_THREAD = 128
DEFAULT_SECONDS = 150
MAX_SECONDS = 24 * 3600
MS_PER_S, NS_PER_MS, NS_PER_S = 1000, 1_000_000, 1_000_000_000
# How often progress is printed.
PROGRESS_LINES = 10


class SpeedTask(NamedTuple):
    """How many threads, how much memory, how long."""

    threads: int
    hash_mb: int
    seconds: int


def parse_speed_task(words: list[str]) -> SpeedTask:
    """`speedtest [threads] [hash] [seconds]`; without words all threads that this process may use,
    128 MiB for each of them, 150 seconds."""
    if len(words) > len(SpeedTask._fields):
        raise UciError(f"speedtest: {quoted(words[-1])} is one word too many")
    threads_text, hash_text, seconds_text = (*words, *[""] * (len(SpeedTask._fields) - len(words)))
    threads = min(len(numa.allowed_cpus()), MAX_THREADS)
    if threads_text:
        threads = parse_bounded(threads_text, "Threads", "speedtest: threads")
    hash_mb = min(threads * HASH_MB_PER_THREAD, MAX_HASH_MB)
    if hash_text:
        hash_mb = parse_bounded(hash_text, "Hash", "speedtest: hash")
    return SpeedTask(threads, hash_mb, _seconds(seconds_text) if seconds_text else DEFAULT_SECONDS)


def _seconds(text: str) -> int:
    seconds = parse_integer(text, 1, MAX_SECONDS)
    if seconds is None:
        raise UciError(
            f"speedtest: seconds {quoted(text)}, expected a number from 1 to {MAX_SECONDS}"
        )
    return seconds


class SpeedTest(Job):
    """Searches the positions of the game, all for the same time, on threads and a table of its own.
    All it says goes to stderr."""

    def __init__(self, engine: SearchEngine, task: SpeedTask) -> None:
        self._engine = engine
        self._task = task
        self._restore = engine.lend(task.threads, task.hash_mb)
        self._stopped = threading.Event()
        self._current: Search | None = None
        self._positions_done = 0
        self._nodes = 0
        self._elapsed_ns = 0
        self._fullest_permille = 0

    def stop(self) -> None:
        """Ends the search under way, and the test with it."""
        self._stopped.set()
        if self._current is not None:
            self._current.stop()

    @property
    def is_measurement(self) -> bool:
        """Yes: the speed is what was asked for."""
        return True

    def run(self) -> Action:
        """Also when it fails, the game gets its threads and its table back."""
        try:
            self._measure()
        finally:
            self._restore()
        return lambda: write_stderr(self.summary())

    def _measure(self) -> None:
        """Plays the warm-up, forgets it, and plays the game."""
        share_ms = max(self._task.seconds * MS_PER_S // len(GAME), 1)
        for board in self._positions(GAME[:WARM_UP_POSITIONS]):
            self._search(board, share_ms)
        self._nodes = self._elapsed_ns = 0
        self._engine.clear_learnt()
        for number, board in enumerate(self._positions(GAME), 1):
            self._search(board, share_ms)
            self._positions_done = number
            if number * PROGRESS_LINES % len(GAME) < PROGRESS_LINES:
                write_stderr(f"Position {number}/{len(GAME)}")

    def _positions(self, moves: list[str]) -> Iterator[PositionHandle]:
        """The game as far as these moves go; ends early once stopped."""
        board = PositionHandle(self._engine.core)
        for move in moves:
            if self._stopped.is_set():
                return
            board.play(move)
            yield board

    def _search(self, board: PositionHandle, share_ms: int) -> None:
        started_ns = monotonic_ns()
        limits = SearchLimits(movetime_ms=share_ms)
        self._current = search = self._engine.search(board, limits, SearchListener(), started_ns)
        if self._stopped.is_set():
            search.stop()
        result = search.run()
        self._nodes += result.nodes
        self._elapsed_ns += monotonic_ns() - started_ns
        self._fullest_permille = max(self._fullest_permille, result.hashfull_permille)

    def summary(self) -> str:
        """What was measured, and on what."""
        facts = {
            "Version": f"Kingcobra {__version__}",
            "CPU level": choose_level().level.name,
            "Available CPUs": len(numa.allowed_cpus()),
            "Threads": self._task.threads,
            "Hash (MiB)": self._task.hash_mb,
            "Hash filled (per mille)": self._fullest_permille,
            "Total time (ms)": self._elapsed_ns // NS_PER_MS,
            "Nodes searched": self._nodes,
            "Nodes/second": self._nodes * NS_PER_S // max(self._elapsed_ns, 1),
        }
        if self._stopped.is_set():
            facts["Stopped"] = f"after {self._positions_done} of {len(GAME)} positions"
        width = max(map(len, facts))
        lines = (f"{name:<{width}} : {value}" for name, value in facts.items())
        return "\n".join(("\n===========================", *lines))
