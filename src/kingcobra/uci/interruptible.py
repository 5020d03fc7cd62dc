# SPDX-License-Identifier: GPL-3.0-or-later
"""Waiting for slow work until the user quits."""

import threading

from kingcobra.engine.background import Action


class QuitRequested(BaseException):
    """The user quits while the loop waits. Not an error, so no handler of errors catches it."""


class InterruptibleWait:
    """The loop's thread waits; all other methods may be called from any thread."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._quit_requested = False
        self._is_long = False

    def request_quit(self) -> None:
        """`quit` has been read, whatever commands come before it."""
        with self._changed:
            self._quit_requested = True
            self._changed.notify_all()

    def mark_long(self) -> None:
        """The present work takes too long for a user who has typed `quit`."""
        with self._changed:
            self._is_long = True
            self._changed.notify_all()

    def wait_for(self, action: Action) -> None:
        """Runs the action in another thread and waits for it; what it raises is raised here. Once
        the work is long and `quit` was requested, QuitRequested is raised and the action left
        running."""
        outcome: list[Exception | None] = []

        def run() -> None:
            try:
                action()
                error = None
            except Exception as caught:
                error = caught
            with self._changed:
                outcome.append(error)
                self._changed.notify_all()

        self._is_long = False
        threading.Thread(target=run, name="set-up", daemon=True).start()
        with self._changed:
            self._changed.wait_for(lambda: outcome or (self._is_long and self._quit_requested))
        if not outcome:
            raise QuitRequested
        if outcome[0] is not None:
            raise outcome[0]
