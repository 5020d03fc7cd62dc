# SPDX-License-Identifier: GPL-3.0-or-later
"""Work that Ctrl-C interrupts."""

import os
import signal
import threading

import pytest

from kingcobra.api.interruptible import interruptible


def nothing() -> None:
    """Stops what needs no stopping."""


def test_results_and_errors_come_through():
    assert interruptible(lambda: 5, nothing) == 5
    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: 1 // 0, nothing)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_stops_the_work_and_waits_for_its_end():
    """Also where it comes before anybody waits for the work."""
    stopped, ended = threading.Event(), []

    def work() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        stopped.wait()
        ended.append(True)

    with pytest.raises(KeyboardInterrupt):
        interruptible(work, stopped.set)
    assert ended


def test_work_that_has_not_begun_is_not_waited_for(monkeypatch):
    late = []

    def interrupted(thread: threading.Thread) -> None:
        late.append(thread)
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "start", interrupted)
    done = []
    with pytest.raises(KeyboardInterrupt):
        interruptible(lambda: done.append(True), nothing)
    # Should the thread begin after all, it does nothing.
    late[0].run()
    assert not done
