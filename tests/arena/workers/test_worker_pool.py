# SPDX-License-Identifier: GPL-3.0-or-later
"""Worker processes: one that is killed costs its own game only."""

import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from kingcobra.arena.engines.engine_spec import EngineSpec
from kingcobra.arena.engines.time_control import TimeControl
from kingcobra.arena.games.game import GameTask, Rules
from kingcobra.arena.games.openings import Opening
from kingcobra.arena.workers.worker_pool import LocalPool
from tests.arena.mock_engines import MISBEHAVING_ENGINE
from tests.processes import all_gone

TIMEOUT_S = 600.0
STANDSTILL_S = 0.5


def _spec(name):
    return EngineSpec((sys.executable, str(MISBEHAVING_ENGINE), "well"), name)


def test_a_killed_worker_is_replaced_and_its_task_handed_back():
    rules = Rules(TimeControl(nodes=1), 0.02, TIMEOUT_S, TIMEOUT_S, max_moves=2)
    task = GameTask(0, 0, Opening(), _spec("A"), _spec("B"))
    with LocalPool(rules, 1) as pool:
        (victim,) = pool.process_ids()
        os.kill(victim, signal.SIGSTOP)  # or it might be done with the game before it is killed
        pool.submit(task)
        assert not pool.has_idle
        os.kill(victim, signal.SIGKILL)
        (lost,) = pool.wait(TIMEOUT_S)
        assert lost.task == task
        assert lost.record is None
        assert pool.process_ids() != [victim]
        pool.submit(task)
        (finished,) = pool.wait(TIMEOUT_S)
        assert finished.record is not None
        assert finished.record.plies == 4
        assert '[White "A"]' in finished.pgn
        survivors = pool.process_ids()
    assert all_gone(survivors)


def _played_by_stubborn_engines(pool, tmp_path):
    """The processes of two engines that ignore `quit`, each after a game."""
    pids = tmp_path / "pids"
    stubborn = EngineSpec(
        (sys.executable, str(MISBEHAVING_ENGINE), "stubborn", "1", str(pids)), "S"
    )
    for number in range(2):
        pool.submit(GameTask(number, 0, Opening(), stubborn, _spec("B")))
    while pool.busy:
        assert all(finished.record for finished in pool.wait(TIMEOUT_S))
    engines = [int(pid) for pid in pids.read_text().split()]
    assert len(engines) == 2
    return engines


def test_no_engine_outlives_the_pool(tmp_path):
    rules = Rules(TimeControl(nodes=1), 0.02, TIMEOUT_S, TIMEOUT_S, max_moves=2)
    with LocalPool(rules, 2) as pool:
        engines = _played_by_stubborn_engines(pool, tmp_path)
    assert all_gone(engines)


def test_no_engine_outlives_a_pool_whose_workers_hear_all_of_its_end_at_once(tmp_path):
    """A busy machine lets them hear of the closed connection and of both SIGTERMs in one go."""
    rules = Rules(TimeControl(nodes=1), 0.02, TIMEOUT_S, TIMEOUT_S, max_moves=2)
    with LocalPool(rules, 2) as pool:
        engines = _played_by_stubborn_engines(pool, tmp_path)
        workers = pool.process_ids()
        for pid in workers:
            os.kill(pid, signal.SIGSTOP)
        go_on = threading.Timer(STANDSTILL_S, lambda: [os.kill(p, signal.SIGCONT) for p in workers])
        go_on.start()
    go_on.join()
    assert all_gone(engines)


def test_a_worker_is_deaf_to_the_interrupt_key_from_its_first_moment():
    """On a terminal the key reaches every process; a new worker would print a traceback."""
    rules = Rules(TimeControl(nodes=1), 0.02, TIMEOUT_S, TIMEOUT_S)
    with LocalPool(rules, 1) as pool:
        (pid,) = pool.process_ids()
        status = Path(f"/proc/{pid}/status")
        if not status.exists():
            pytest.skip("this system does not list the signals of a process")
        fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
        deaf = int(fields["SigBlk"], 16) | int(fields["SigIgn"], 16)
        assert deaf & 1 << (signal.SIGINT - 1)
        assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
