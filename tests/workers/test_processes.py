# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes that do tasks: a lost one costs its task alone."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from kingcobra.workers.processes import WorkerProcesses, interrupts_postponed
from tests.processes import PATIENCE_S, all_gone, children_of
from tests.workers.tasks import ENDLESS, EXIT, PRINT, RefusedError, multiplying


def multipliers(size=1, factor=2):
    return WorkerProcesses(multiplying, factor, size, RefusedError)


def test_tasks_are_done():
    with multipliers(size=2) as workers:
        assert workers.size == 2
        found = {}
        for task in (3, 4):
            assert workers.has_room()
            workers.submit(task)
        assert not workers.has_room()
        while len(found) < 2:
            found |= dict(workers.answers())
    assert found == {3: 6, 4: 8}


def test_what_is_printed_does_not_disturb_the_answers(capfd):
    with multipliers() as workers:
        workers.submit(PRINT)
        assert workers.answers() == [(PRINT, 0)]
    assert "printed by a worker" in capfd.readouterr().err


def test_none_is_an_answer_for_a_lost_process_alone():
    """Whether the signal comes while the task is done or before does not matter."""
    with multipliers() as workers:
        workers.submit(5)
        assert workers.answers() == [(5, 10)]
        (worker,) = workers._workers
        os.kill(worker.process.pid, signal.SIGSTOP)
        workers.submit(6)
        os.kill(worker.process.pid, signal.SIGKILL)
        assert workers.answers() == [(6, None)]
        workers.submit(7)
        assert workers.answers() == [(7, 14)]


def test_a_task_that_ends_its_process_is_named():
    with multipliers() as workers:
        workers.submit(EXIT)
        assert workers.answers() == [(EXIT, None)]
        workers.submit(1)
        assert workers.answers() == [(1, 2)]


@pytest.mark.parametrize(
    ("factor", "message"), [(None, "None is not a factor"), (EXIT, "ended while it started")]
)
def test_a_process_that_cannot_start_is_named(factor, message):
    with multipliers(factor=factor) as workers:
        workers.submit(1)
        with pytest.raises(RefusedError, match=message):
            workers.answers()


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="no signal masks")
@pytest.mark.parametrize("is_main", [True, False])
def test_ctrl_c_at_a_terminal_does_not_reach_the_processes(is_main):
    """There it goes to all processes, also to one that is still being started."""
    answers = []

    def use():
        with multipliers() as workers:
            (worker,) = workers._workers
            os.kill(worker.process.pid, signal.SIGINT)
            workers.submit(1)
            answers.extend(workers.answers())

    if is_main:
        use()
    else:
        thread = threading.Thread(target=use)
        thread.start()
        thread.join()
    assert answers == [(1, 2)]


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="no signal masks")
def test_ctrl_c_is_postponed_and_not_lost():
    reached = []
    # Threads, to which the system may give the signal.
    ended = threading.Event()
    others = [threading.Thread(target=ended.wait) for _ in range(4)]
    for thread in others:
        thread.start()

    def interrupted():
        with interrupts_postponed():
            os.kill(os.getpid(), signal.SIGINT)
            reached.append(True)

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    ended.set()
    assert reached


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_none_is_left_at_the_end():
    with multipliers(size=2) as workers:
        workers.submit(ENDLESS)
        pids = {worker.process.pid for worker in workers._workers}
        assert pids <= set(children_of(os.getpid()))
    assert all_gone(pids)


PARENT = """
from kingcobra.workers.processes import WorkerProcesses
from tests.workers.tasks import ENDLESS, RefusedError, multiplying
with WorkerProcesses(multiplying, 2, 2, RefusedError) as workers:
    workers.submit(1)
    workers.answers()
    workers.submit(ENDLESS)
    print("working", flush=True)
    workers.answers()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_processes_end_with_their_parent():
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True)
    assert parent.stdout.readline() == "working\n"
    workers = children_of(parent.pid)
    parent.kill()
    parent.wait(PATIENCE_S)
    assert len(workers) == 2
    assert all_gone(workers)


def test_the_folder_of_the_user_does_not_matter(tmp_path, monkeypatch):
    (tmp_path / "pickle.py").write_text("raise SystemExit('imported by mistake')")
    monkeypatch.chdir(tmp_path)
    with multipliers() as workers:
        workers.submit(1)
        assert workers.answers() == [(1, 2)]
