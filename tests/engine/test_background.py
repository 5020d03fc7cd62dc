# SPDX-License-Identifier: GPL-3.0-or-later
"""Work in the background, also when Ctrl-C comes while its thread is being started."""

import threading

import pytest

from kingcobra.engine import background
from kingcobra.engine.background import BackgroundWork, Job
from tests.processes import PATIENCE_S


class UntilStopped(Job):
    """Runs until it is stopped."""

    def __init__(self) -> None:
        self.stopped, self.closed = threading.Event(), threading.Event()

    def run(self):
        self.stopped.wait()
        return self.closed.set

    def stop(self) -> None:
        self.stopped.set()


class InterruptedAfterwards(threading.Thread):
    """Ctrl-C comes when the thread is there, but has not had its turn."""

    def start(self) -> None:
        begin = threading.Event()
        run = self.run
        self.run = lambda: (begin.wait(), run())  # type: ignore[method-assign]
        super().start()
        threading.Timer(0.05, begin.set).start()
        raise KeyboardInterrupt


class InterruptedBefore(threading.Thread):
    """Ctrl-C comes before there is a thread."""

    def start(self) -> None:
        raise KeyboardInterrupt


def test_a_job_whose_start_was_interrupted_is_stopped(monkeypatch):
    work, job = BackgroundWork(lambda _error: None, lambda: None), UntilStopped()
    monkeypatch.setattr(background, "START_PATIENCE_S", PATIENCE_S)
    with monkeypatch.context() as patch:
        patch.setattr(background.threading, "Thread", InterruptedAfterwards)
        with pytest.raises(KeyboardInterrupt):
            work.start(job)
    work.stop()
    assert job.closed.is_set()


def test_a_job_that_was_never_started_is_forgotten(monkeypatch):
    work, never = BackgroundWork(lambda _error: None, lambda: None), UntilStopped()
    with monkeypatch.context() as patch:
        patch.setattr(background, "START_PATIENCE_S", 0.0)
        patch.setattr(background.threading, "Thread", InterruptedBefore)
        with pytest.raises(KeyboardInterrupt):
            work.start(never)
        work.stop()
    assert not work.busy
    job = UntilStopped()
    work.start(job)
    work.stop()
    assert job.closed.is_set()
