# SPDX-License-Identifier: GPL-3.0-or-later
"""What several threads gain: nodes a second, and the time to a depth, beside one thread. One, two,
four … threads, as many as there are CPUs."""

import os
import re
import subprocess
from collections.abc import Iterator

from benchmarks.compiled_core import load
from benchmarks.engines import KINGCOBRA, EngineFailed
from benchmarks.figures import Figure

MILLION = 1e6
MS_PER_S = 1000
HASH_MB = 64
# Deep enough for threads to share work, over the fifty positions of the bench.
DEPTH = 16
SPEED = re.compile(r"Nodes/second\s*: (\d+)")
TIME = re.compile(r"Total time \(ms\)\s*: (\d+)")


def bench(threads: int) -> tuple[float, float]:
    """Nodes a second and seconds of a bench. EngineFailed if it prints none."""
    command = (*KINGCOBRA, "bench", str(HASH_MB), str(threads), str(DEPTH))
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    speed, time = SPEED.search(result.stderr), TIME.search(result.stderr)
    if speed is None or time is None:
        raise EngineFailed(f"{' '.join(command)}: no speed printed")
    return float(speed[1]), int(time[1]) / MS_PER_S


def numbers_of_threads() -> list[int]:
    """Powers of two up to the number of CPUs."""
    return [1 << power for power in range((os.cpu_count() or 1).bit_length())]


def measure(rounds: int) -> Iterator[Figure]:
    """Best of several benches in turn."""
    load()  # so that the cache is warm
    best: dict[int, tuple[float, float]] = {}
    for _ in range(rounds):
        for threads in numbers_of_threads():
            speed, seconds = bench(threads)
            fastest, shortest = best.get(threads, (speed, seconds))
            best[threads] = max(speed, fastest), min(seconds, shortest)
    speed_of_one, seconds_of_one = best[1]
    for threads, (speed, seconds) in best.items():
        yield Figure(f"search, {threads} threads", speed / MILLION, "M nodes/s")
        if threads > 1:
            yield Figure(f"{threads} threads / one, nodes a second", speed / speed_of_one, "x")
            yield Figure(f"one / {threads} threads, time to depth", seconds_of_one / seconds, "x")
