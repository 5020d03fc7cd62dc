# SPDX-License-Identifier: GPL-3.0-or-later
"""Waiting for a long task until it is done or the user wants to quit."""

import threading
from collections.abc import Callable

Call = Callable[[], None]


class Leaving(BaseException):
    """The user does not wait any longer. No fault, so nobody on the way out handles it."""


class InterruptibleWait:
    """Who waits is the loop's thread; all else may be called from any."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._quit_heard = False
        self._takes_long = False

    def hear_quit(self) -> None:
        """`quit` has come in, whatever is still to be done before it."""
        with self._changed:
            self._quit_heard = True
            self._changed.notify_all()

    def notice_length(self) -> None:
        """What is being waited for takes longer than anybody who has said `quit` should wait."""
        with self._changed:
            self._takes_long = True
            self._changed.notify_all()

    def wait_for(self, call: Call) -> None:
        """Has the call made by another thread and waits for it; what it raises is raised here. Once
        it takes long and `quit` was heard, Leaving is raised, and the call left to itself."""
        outcome: list[Exception | None] = []

        def run() -> None:
            try:
                call()
                error = None
            except Exception as fault:
                error = fault
            with self._changed:
                outcome.append(error)
                self._changed.notify_all()

        self._takes_long = False
        threading.Thread(target=run, name="set-up", daemon=True).start()
        with self._changed:
            self._changed.wait_for(lambda: outcome or (self._takes_long and self._quit_heard))
        if not outcome:
            raise Leaving
        if outcome[0] is not None:
            raise outcome[0]
