# SPDX-License-Identifier: GPL-3.0-or-later
"""Waiting that Ctrl-C interrupts. Python hears of it in the main thread, and only between two steps
of its own: not while compiled code runs there. Nor does it hear of a signal that comes just before
the thread falls asleep; so nothing here sleeps for long."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from typing import TypeVar

T = TypeVar("T")

# How long a signal may go unnoticed.
LISTEN_EVERY_S = 0.2
# How often work that ought to end is told so: it may only just have begun.
STOP_EVERY_S = 0.05


def wait_for_change(condition: threading.Condition, is_there: Callable[[], bool]) -> None:
    """Waits until something holds; the condition's lock is held, and notified of changes."""
    while not is_there():
        condition.wait(LISTEN_EVERY_S)


def interruptible(work: Callable[[], T], stop: Callable[[], None]) -> T:
    """What `work` returns or raises; it runs in a thread of its own. Whatever interrupts the wait
    for it has `stop` called until it has ended."""
    outcome: Future[T] = Future()
    beginning = threading.Lock()
    is_wanted, has_begun = True, False

    def run() -> None:
        nonlocal has_begun
        with beginning:
            has_begun = is_wanted
        if not has_begun:
            return
        try:
            outcome.set_result(work())
        except BaseException as error:
            outcome.set_exception(error)

    try:
        threading.Thread(target=run, daemon=True).start()
        while not outcome.done():
            wait_for([outcome], LISTEN_EVERY_S)
        return outcome.result()
    except BaseException:
        with beginning:
            is_wanted = False
        while has_begun and not outcome.done():
            stop()
            wait_for([outcome], STOP_EVERY_S)
        raise
