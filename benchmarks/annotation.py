# SPDX-License-Identifier: GPL-3.0-or-later
"""How much faster two jobs annotate games than one, with start-up and all. The games are those of
the tests, often enough for both jobs to have work until the end."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.engines import EngineFailed
from benchmarks.figures import Figure

GAMES = Path(__file__).parent.parent / "tests" / "data" / "games.pgn"
# So many copies of the file, which has 101 plies that can be annotated.
COPIES = 20
PLIES = 101 * COPIES
NODES = 20_000
JOBS = (1, 2)


def seconds(games: Path, jobs: int, output: Path) -> float:
    """How long one command takes."""
    options = ("--nodes", str(NODES), "--jobs", str(jobs), "-o", str(output))
    command = (sys.executable, "-m", "kingcobra", "annotate", str(games), *options)
    started = time.monotonic()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode:
        raise EngineFailed(done.stderr.decode().strip().splitlines()[-1])
    return time.monotonic() - started


def measure(rounds: int) -> Iterator[Figure]:
    """The best round of each number of jobs; they must write the same bytes."""
    with TemporaryDirectory() as folder:
        games = Path(folder) / "games.pgn"
        games.write_text((GAMES.read_text("utf-8") + "\n") * COPIES, "utf-8")
        outputs = {jobs: Path(folder) / f"{jobs}.pgn" for jobs in JOBS}
        best: dict[int, float] = {}
        for _ in range(rounds):
            for jobs, output in outputs.items():
                best[jobs] = min(best.get(jobs, float("inf")), seconds(games, jobs, output))
        first, *others = (output.read_bytes() for output in outputs.values())
        if any(other != first for other in others):
            raise EngineFailed("different bytes from different numbers of jobs")
    for jobs in JOBS:
        yield Figure(f"annotated, {NODES} nodes, jobs {jobs}", PLIES / best[jobs], "positions/s")
    yield Figure("annotated, two jobs to one", best[1] / best[2], "x")
