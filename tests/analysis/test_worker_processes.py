# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes that annotate games: a lost one costs its game alone."""

import os
import signal
import threading
from dataclasses import replace

import pytest

from kingcobra.analysis.settings import AnnotationError
from kingcobra.analysis.work_item import GameTask
from kingcobra.analysis.worker_processes import WorkerProcesses, interrupts_postponed
from tests.analysis.games import SETTINGS
from tests.processes import all_gone, children_of

SHORT = GameTask(0, "1. e4 e5 *")
ENDLESS_NODES = 10**15

pytestmark = pytest.mark.usefixtures("core")


def test_a_lost_process_is_replaced():
    """Whether the signal comes while the game is searched or before does not matter."""
    with WorkerProcesses(SETTINGS, 1) as workers:
        assert workers.has_room()
        workers.submit(SHORT)
        assert not workers.has_room()
        ((task, first),) = workers.answers()
        assert task == SHORT
        (worker,) = workers._workers
        os.kill(worker.process.pid, signal.SIGSTOP)
        workers.submit(SHORT)
        os.kill(worker.process.pid, signal.SIGKILL)
        assert workers.answers() == [(SHORT, None)]
        workers.submit(SHORT)
        assert workers.answers() == [(SHORT, first)]


def test_a_process_that_cannot_start_is_named():
    settings = replace(SETTINGS, network="missing.nnue")
    with WorkerProcesses(settings, 1) as workers:
        workers.submit(SHORT)
        with pytest.raises(AnnotationError, match=r"missing\.nnue: not found"):
            workers.answers()


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="no signal masks")
def test_ctrl_c_at_a_terminal_does_not_reach_the_processes():
    """There it goes to all processes, also to one that is still being started."""
    with WorkerProcesses(SETTINGS, 1) as workers:
        (worker,) = workers._workers
        os.kill(worker.process.pid, signal.SIGINT)
        workers.submit(SHORT)
        assert workers.answers()[0].outcome is not None


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


def test_none_is_left_at_the_end():
    before = set(children_of(os.getpid()))
    with WorkerProcesses(replace(SETTINGS, nodes=ENDLESS_NODES), 2) as workers:
        workers.submit(SHORT)
        started = set(children_of(os.getpid())) - before
        pids = {worker.process.pid for worker in workers._workers}
        assert pids <= started
    assert all_gone(pids)
