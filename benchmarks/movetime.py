# SPDX-License-Identifier: GPL-3.0-or-later
"""How late the move of `go movetime` comes while every core is busy with something else."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack

from benchmarks.compiled_core import load
from benchmarks.engines import KINGCOBRA, Engine
from benchmarks.figures import Figure

MOVETIME_MS = 50
SEARCHES_PER_ROUND = 100
MILLISECONDS = 1e3
BUSY = (sys.executable, "-c", "while True: pass")
# From the opening to the ending, so that no search is over before its time.
POSITIONS = (
    "startpos",
    "fen r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7",
    "fen 2r3k1/pp3ppp/4pn2/3p4/1q1P4/1B2PQ2/PP3PPP/2R3K1 b - - 4 22",
    "fen 8/5pk1/3p2p1/1p1Pp2p/1P2P2P/2R2KP1/5P2/r7 b - - 6 41",
)


def measure(rounds: int) -> Iterator[Figure]:
    """Time from `go` to `bestmove`, as a GUI sees it, less the time it was given."""
    load()  # so that the cache is warm
    late_ms = []
    with ExitStack() as stack:
        for _ in range(os.cpu_count() or 1):
            stack.callback(subprocess.Popen(BUSY).kill)
        engine = stack.enter_context(Engine(KINGCOBRA))
        engine.request("uci\nisready", "readyok")
        for number in range(rounds * SEARCHES_PER_ROUND):
            engine.request(f"position {POSITIONS[number % len(POSITIONS)]}\nisready", "readyok")
            started = time.perf_counter()
            engine.request(f"go movetime {MOVETIME_MS}", "bestmove")
            taken_ms = (time.perf_counter() - started) * MILLISECONDS
            late_ms.append(taken_ms - MOVETIME_MS)
    yield Figure("go movetime 50, busy cores: late, median", statistics.median(late_ms), "ms")
    yield Figure("go movetime 50, busy cores: late, worst", max(late_ms), "ms")
