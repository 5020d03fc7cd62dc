# SPDX-License-Identifier: GPL-3.0-or-later
"""How much faster two jobs annotate games than one, with start-up and all: 200 games, 20,000 nodes
a position. All ways must write the same bytes: one job, two jobs, a run that was killed and
resumed and, where Ray is installed, a cluster of this machine."""

import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.engines import EngineFailed
from benchmarks.figures import Figure
from kingcobra.analysis.game_files import read_game_texts
from kingcobra.analysis.parsed_game import BrokenGameError, parse_game

SOURCE = Path(__file__).parent.parent / "tests" / "data" / "games.pgn"
GAMES = 200
NODES = 20_000
ONE, TWO = ("--jobs", "1"), ("--jobs", "2")
RAY = ("--jobs", "2", "--cluster", "local")
# Games that are done before a run is killed.
DONE_BEFORE_KILL = 20
POLL_S = 0.05


def write_games(path: Path) -> int:
    """Writes so many games, each with a number of its own: equal games are annotated once. Returns
    the number of moves."""
    games = []
    for game in read_game_texts(SOURCE):
        try:
            games.append(parse_game(game.text))
        except BrokenGameError:
            continue
    plies = 0
    with path.open("w", encoding="utf-8") as file:
        for number in range(GAMES):
            game = games[number % len(games)]
            game.tree.headers["Round"] = str(number + 1)
            plies += len(game.nodes)
            print(game.tree, end="\n\n", file=file)
    return plies


def command(games: Path, output: Path, *options: str) -> tuple[str, ...]:
    """What a user would type."""
    words = ("annotate", str(games), "--nodes", str(NODES), "-o", str(output), *options)
    return (sys.executable, "-m", "kingcobra", *words)


def seconds(games: Path, output: Path, *options: str) -> float:
    """How long one command takes."""
    started = time.monotonic()
    done = subprocess.run(
        command(games, output, *options),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise EngineFailed(done.stderr.decode().strip().splitlines()[-1])
    return time.monotonic() - started


def kill_and_resume(games: Path, output: Path) -> None:
    """Annotates games in two runs; the first is killed."""
    journal = output.with_name(f"{output.name}.progress")
    first = subprocess.Popen(command(games, output, *TWO), stderr=subprocess.DEVNULL)
    while first.poll() is None:
        if journal.exists() and journal.read_bytes().count(b"\n") > DONE_BEFORE_KILL:
            first.kill()
        time.sleep(POLL_S)
    if not journal.exists():
        raise EngineFailed("the run was over before it could be killed")
    seconds(games, output, *TWO, "--resume")


def measure(rounds: int) -> Iterator[Figure]:
    """The best round of each number of jobs."""
    with TemporaryDirectory() as folder:
        games = Path(folder) / "games.pgn"
        plies = write_games(games)
        outputs = {name: Path(folder) / f"{name}.pgn" for name in ("one", "two", "resumed", "ray")}
        best = {"one": float("inf"), "two": float("inf")}
        for _ in range(rounds):
            for name, jobs in (("one", ONE), ("two", TWO)):
                best[name] = min(best[name], seconds(games, outputs[name], *jobs))
        kill_and_resume(games, outputs["resumed"])
        if find_spec("ray") is not None:
            seconds(games, outputs["ray"], *RAY)
        written = {name: path.read_bytes() for name, path in outputs.items() if path.exists()}
    different = [name for name, data in written.items() if data != written["one"]]
    if different:
        raise EngineFailed(f"other bytes than from one job: {', '.join(different)}")
    for name, jobs in (("one", 1), ("two", 2)):
        yield Figure(f"annotated, {NODES} nodes, jobs {jobs}", plies / best[name], "positions/s")
    same = f"the same bytes: {', '.join(written)}"
    yield Figure("annotated, two jobs to one", best["one"] / best["two"], "x", same)
