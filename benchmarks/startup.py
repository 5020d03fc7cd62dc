# SPDX-License-Identifier: GPL-3.0-or-later
"""Warm start: launch until readyok, beside `import numpy`, and the first answer after it."""

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator

from benchmarks.clock import Contender, race
from benchmarks.engines import KINGCOBRA, PERFT_RESULT, Engine
from benchmarks.figures import Figure
from benchmarks.machines import load

# Starts are short and easily disturbed: many for each round asked for.
STARTS_PER_ROUND = 6
MILLISECONDS = 1e3

GREETING = "uci\nsetoption name Hash value 1\nisready"
YARDSTICK = (sys.executable, "-c", "import numpy")


def measure(rounds: int) -> Iterator[Figure]:
    """Best and median of many starts in turn with the yardstick's."""
    load()  # so that the cache is warm
    first_answers: list[float] = []

    def start() -> float:
        started = time.perf_counter()
        with Engine(KINGCOBRA) as engine:
            engine.ask(GREETING, "readyok")
            ready = time.perf_counter()
            engine.ask("go perft 1", PERFT_RESULT)
            first_answers.append(time.perf_counter() - ready)
        return ready - started

    def import_numpy() -> None:
        subprocess.run(YARDSTICK, check=True)

    ours = Contender("launch to readyok", start)
    yardstick = Contender('python -c "import numpy"', import_numpy)
    race([ours, yardstick], rounds * STARTS_PER_ROUND)
    for contender in (ours, yardstick):
        yield Figure(f"{contender.name}, best", contender.best_s * MILLISECONDS, "ms")
        yield Figure(f"{contender.name}, median", contender.median_s * MILLISECONDS, "ms")
    yield Figure("readyok / import numpy, best", ours.best_s / yardstick.best_s, "x")
    yield Figure("readyok / import numpy, median", ours.median_s / yardstick.median_s, "x")
    answered = first_answers[1:]  # the warm-up turn is not a figure
    best_ms = min(answered) * MILLISECONDS
    median_ms = statistics.median(answered) * MILLISECONDS
    yield Figure("first go perft 1 after readyok, best", best_ms, "ms")
    yield Figure("first go perft 1 after readyok, median", median_ms, "ms")
