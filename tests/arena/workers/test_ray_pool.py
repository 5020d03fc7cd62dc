# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches, tests and tunings on a local Ray, a worker of which is killed in mid-match; skipped
where Ray is not installed."""

import json
import os
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kingcobra.arena.commands.match import main
from kingcobra.arena.commands.sprt import main as sprt_main
from kingcobra.arena.commands.tune import main as tune_main
from kingcobra.arena.engines.engine_spec import EngineSpec
from kingcobra.arena.engines.time_control import TimeControl
from kingcobra.arena.games.game import GameTask, Rules
from kingcobra.arena.games.openings import Opening
from tests.arena.mock_engines import MISBEHAVING_ENGINE, engine_words

try:
    import ray
except ImportError:
    ray = None

pytestmark = pytest.mark.skipif(ray is None, reason="Ray is not installed")

TIMEOUT_S = 600.0
POLL_S = 0.02
EXIT_INTERRUPTED = 130
HEAD = """
import sys, ray
context = ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
print(context.address_info["gcs_address"], flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="module")
def local_ray():
    """A cluster of this machine alone."""
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def cluster_of_others():
    """The address of a cluster that another process keeps, and the environment that lets one in:
    newer versions of Ray want a token."""
    environment = {**os.environ, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    head = subprocess.Popen(
        [sys.executable, "-c", HEAD],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    yield head.stdout.readline().strip(), environment
    head.communicate(timeout=TIMEOUT_S)


def _spec(name):
    return EngineSpec((sys.executable, str(MISBEHAVING_ENGINE), "well"), name)


def _numbers(pgn):
    lines = Path(f"{pgn}.state").read_text().splitlines()[1:]
    return [json.loads(line)["number"] for line in lines]


def test_a_cluster_that_is_not_there_is_one_clear_line(tmp_path, capsys):
    assert not ray.is_initialized()
    settings = ["--tc", "nodes=5", "--games", "2", "--pgn", str(tmp_path / "out.pgn")]
    assert main([*engine_words("well", "well"), *settings, "--cluster", "127.0.0.1:1"]) == 1
    errors = capsys.readouterr().err
    assert errors.splitlines()[-1].startswith("kingcobra match: --cluster 127.0.0.1:1: ")
    assert "Traceback" not in errors


@pytest.mark.slow
@pytest.mark.usefixtures("local_ray")
def test_a_killed_worker_costs_only_its_own_game():
    from kingcobra.arena.workers.ray_pool import RayPool

    rules = Rules(TimeControl(nodes=1), 0.02, TIMEOUT_S, TIMEOUT_S, max_moves=200)
    tasks = [GameTask(number, 0, Opening(), _spec("A"), _spec("B")) for number in range(2)]
    with RayPool(rules, 2, "auto") as pool:
        victim, _ = pool.process_ids()
        for task in tasks:
            pool.submit(task)
        os.kill(victim, signal.SIGKILL)
        finished = []
        while pool.busy:
            finished += pool.wait(TIMEOUT_S)
        by_number = {item.task.number: item.record for item in finished}
        assert by_number[0] is None
        assert by_number[1].fault is None
        assert victim not in pool.process_ids()
        pool.submit(tasks[0])
        (again,) = pool.wait(TIMEOUT_S)
        assert again.record.number == 0


@pytest.fixture
def killer(monkeypatch):
    """Kills one worker at play, once, after the first game of a pool has ended."""
    from kingcobra.arena.workers.ray_pool import RayPool

    wait = RayPool.wait
    victims: list[int] = []

    def wait_and_kill(pool, timeout_s):
        finished = wait(pool, timeout_s)
        if finished and not victims and pool.busy:
            number = next(i for i, worker in enumerate(pool._workers) if worker.task is not None)
            victims.append(pool.process_ids()[number])
            os.kill(victims[0], signal.SIGKILL)
        return finished

    monkeypatch.setattr(RayPool, "wait", wait_and_kill)
    return victims


@pytest.mark.slow
@pytest.mark.usefixtures("local_ray")
def test_a_match_outlives_a_worker_killed_in_its_middle(tmp_path, capsys, killer):
    pgn = tmp_path / "out.pgn"
    settings = ["--tc", "nodes=5", "--games", "8", "--max-moves", "60", "--pgn", str(pgn)]
    settings += ["--concurrency", "2", "--cluster", "auto"]
    assert main([*engine_words("well", "well"), *settings]) == 0
    assert len(killer) == 1
    assert sorted(_numbers(pgn)) == list(range(8))
    assert pgn.read_text().count("[Event ") == 8
    output = capsys.readouterr().out
    assert "workers lost and replaced: 1" in output
    assert "A: " not in output.partition("A vs B: 8 games")[2]


@pytest.mark.slow
@pytest.mark.usefixtures("local_ray")
def test_a_test_on_the_cluster_stops_when_it_is_decided(tmp_path, capsys):
    pgn = tmp_path / "out.pgn"
    settings = ["--bounds=0,100", "--tc", "nodes=5", "--max-moves", "30", "--pgn", str(pgn)]
    settings += ["--resign", "1,500", "--concurrency", "2", "--cluster", "auto"]
    assert sprt_main([*engine_words("well", "losing"), *settings]) == 0
    output = capsys.readouterr().out
    assert "H1 accepted" in output
    assert 4 <= len(_numbers(pgn)) < 200


@pytest.mark.slow
@pytest.mark.usefixtures("local_ray", "core")
def test_a_tuning_on_the_cluster_outlives_a_killed_worker(tmp_path, capsys, killer):
    pgn = tmp_path / "tune.pgn"
    settings = ["razor_base", "--iterations", "4", "--tc", "nodes=200", "--max-moves", "10"]
    settings += ["--pgn", str(pgn)]
    assert tune_main([*settings, "--concurrency", "2", "--cluster", "auto"]) == 0
    assert len(killer) == 1
    assert "workers lost and replaced: 1" in capsys.readouterr().out
    assert sorted(_numbers(pgn)) == list(range(8))
    path = (tmp_path / "tune.csv").read_text()
    assert len(path.splitlines()) == 1 + 4
    assert tune_main([*settings, "--resume"]) == 0
    assert (tmp_path / "tune.csv").read_text() == path


@pytest.mark.slow
@pytest.mark.usefixtures("local_ray")
def test_a_match_on_the_cluster_writes_the_same_files(tmp_path):
    pgn = tmp_path / "out.pgn"
    engines = engine_words("well", "well")
    settings = ["--tc", "nodes=5", "--games", "4", "--max-moves", "5", "--pgn", str(pgn)]
    # More at once than the cluster has CPUs: those games wait their turn.
    assert main([*engines, *settings, "--concurrency", "4", "--cluster", "auto"]) == 0
    assert sorted(_numbers(pgn)) == [0, 1, 2, 3]
    longer = [word if word != "4" else "6" for word in settings]
    assert main([*engines, *longer, "--resume"]) == 0
    assert pgn.read_text().count("[Event ") == 6


@pytest.mark.slow
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_match_on_the_cluster_can_be_stopped_and_resumed(tmp_path, cluster_of_others, name):
    address, environment = cluster_of_others
    pgn = tmp_path / "out.pgn"
    settings = ["--tc", "nodes=5", "--games", "20", "--max-moves", "60", "--pgn", str(pgn)]
    words = [*engine_words("well", "well"), *settings, "--concurrency", "2"]
    match = subprocess.Popen(
        [sys.executable, "-m", "kingcobra", "match", *words, "--cluster", address],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + TIMEOUT_S
    state = Path(f"{pgn}.state")
    while time.monotonic() < deadline and not (
        state.exists() and state.read_text().count("\n") > 2
    ):
        time.sleep(POLL_S)
    match.send_signal(getattr(signal, name))
    _, errors = match.communicate(timeout=TIMEOUT_S)
    assert match.returncode == EXIT_INTERRUPTED
    assert "stopped; --resume continues" in errors
    assert "Traceback" not in errors
    assert 2 <= len(_numbers(pgn)) < 20
    assert main([*words, "--resume"]) == 0
    assert sorted(_numbers(pgn)) == list(range(20))
