# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches on a local Ray, a worker of which is killed; skipped where Ray is not installed."""

import json
import os
import signal
import sys
from pathlib import Path

import pytest

from kingcobra.arena.engine_spec import EngineSpec
from kingcobra.arena.game import GameTask, Rules
from kingcobra.arena.match_tool import main
from kingcobra.arena.openings import Opening
from kingcobra.arena.time_control import TimeControl

ray = pytest.importorskip("ray")

ENGINE = Path(__file__).with_name("misbehaving_engine.py")
PATIENCE_S = 120.0


@pytest.fixture(scope="module")
def local_ray():
    """A cluster of this machine alone."""
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def _spec(name):
    return EngineSpec((sys.executable, str(ENGINE), "well"), name)


@pytest.mark.slow
@pytest.mark.usefixtures("local_ray")
def test_a_killed_worker_costs_only_its_own_game():
    from kingcobra.arena.ray_pool import RayPool

    rules = Rules(TimeControl(nodes=1), 0.02, PATIENCE_S, PATIENCE_S, max_moves=200)
    tasks = [GameTask(number, 0, Opening(), _spec("A"), _spec("B")) for number in range(2)]
    with RayPool(rules, 2, "auto") as pool:
        victim, _ = pool.process_ids()
        for task in tasks:
            pool.submit(task)
        os.kill(victim, signal.SIGKILL)
        finished = []
        while pool.busy:
            finished += pool.wait(PATIENCE_S)
        by_number = {item.task.number: item.record for item in finished}
        assert by_number[0] is None
        assert by_number[1].fault is None
        assert victim not in pool.process_ids()
        pool.submit(tasks[0])
        (again,) = pool.wait(PATIENCE_S)
        assert again.record.number == 0


@pytest.mark.slow
@pytest.mark.usefixtures("local_ray")
def test_a_match_on_the_cluster_writes_the_same_files(tmp_path):
    pgn = tmp_path / "out.pgn"
    engines = [
        word
        for name in ("A", "B")
        for word in ("--engine", f"cmd='{sys.executable}' '{ENGINE}' well,name={name}")
    ]
    settings = ["--tc", "nodes=5", "--games", "4", "--max-moves", "5", "--pgn", str(pgn)]
    assert main([*engines, *settings, "--concurrency", "2", "--cluster", "auto"]) == 0
    lines = Path(f"{pgn}.state").read_text().splitlines()[1:]
    assert sorted(json.loads(line)["number"] for line in lines) == [0, 1, 2, 3]
    longer = [word if word != "4" else "6" for word in settings]
    assert main([*engines, *longer, "--resume"]) == 0
    assert pgn.read_text().count("[Event ") == 6
