# SPDX-License-Identifier: GPL-3.0-or-later
"""Warm start: launch until readyok, beside `import numpy`, and the first answer after it."""

import itertools
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator

from benchmarks.clock import Contender, race
from benchmarks.compiled_core import load
from benchmarks.engines import KINGCOBRA, PERFT_RESULT, Engine
from benchmarks.figures import Figure

# Starts are short and easily disturbed, so there are many in a round.
STARTS_PER_ROUND = 6
MILLISECONDS = 1e3

GREETING = "uci\nsetoption name Hash value 1\nisready"
# The first command of a process, in turn, and how its answer begins.
FIRST_COMMANDS = {"go perft 1": PERFT_RESULT, "go depth 1": "bestmove"}
YARDSTICK = (sys.executable, "-c", "import numpy")


def measure(rounds: int) -> Iterator[Figure]:
    """Best and median of many starts in turn with the yardstick's."""
    load()  # so that the cache is warm
    first_answers: dict[str, list[float]] = {command: [] for command in FIRST_COMMANDS}
    commands = itertools.cycle(FIRST_COMMANDS)

    def start() -> float:
        command = next(commands)
        started = time.perf_counter()
        with Engine(KINGCOBRA) as engine:
            engine.request(GREETING, "readyok")
            ready = time.perf_counter()
            engine.request(command, FIRST_COMMANDS[command])
            first_answers[command].append(time.perf_counter() - ready)
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
    for command, answered_s in first_answers.items():
        # The first of all was the warm-up turn, which is not a figure.
        answered_ms = [seconds * MILLISECONDS for seconds in answered_s[1:]]
        yield Figure(f"first {command} after readyok, best", min(answered_ms), "ms")
        yield Figure(f"first {command} after readyok, median", statistics.median(answered_ms), "ms")
