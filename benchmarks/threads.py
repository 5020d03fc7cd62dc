# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes per second of two threads beside one."""

import re
from collections.abc import Iterator

from benchmarks.compiled_core import load
from benchmarks.engines import KINGCOBRA, Engine
from benchmarks.figures import Figure

MILLION = 1e6
SEARCH_MS = 3000
HASH_MB = 64
SPEED = re.compile(r" nps (\d+)")
MIDDLEGAME = "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7"


def nodes_per_second(threads: int) -> int:
    """The speed in the last line of a search of some seconds."""
    with Engine(KINGCOBRA) as engine:
        engine.request(
            f"setoption name Threads value {threads}\nsetoption name Hash value {HASH_MB}\n"
            f"position fen {MIDDLEGAME}\nisready",
            "readyok",
        )
        lines = engine.request_lines(f"go movetime {SEARCH_MS}", "bestmove")
    speeds = [int(found[1]) for line in lines if (found := SPEED.search(line))]
    return speeds[-1]


def measure(rounds: int) -> Iterator[Figure]:
    """Best of several searches in turn."""
    load()  # so that the cache is warm
    speeds: dict[int, list[int]] = {1: [], 2: []}
    for _ in range(rounds):
        for threads, measured in speeds.items():
            measured.append(nodes_per_second(threads))
    for threads, measured in speeds.items():
        yield Figure(f"search, {threads} threads", max(measured) / MILLION, "M nodes/s")
    yield Figure("two threads / one", max(speeds[2]) / max(speeds[1]), "x")
