# SPDX-License-Identifier: GPL-3.0-or-later
"""Work in a thread of its own, one piece at a time."""

import threading
from collections.abc import Callable

Call = Callable[[], None]


class BackgroundWork:
    """What the engine does while it listens. Its methods are called from one thread; `on_fault`
    from the one that works."""

    def __init__(self, on_fault: Callable[[Exception], None]) -> None:
        self._on_fault = on_fault
        self._halt: Call | None = None
        self._thread: threading.Thread | None = None
        self._done = threading.Event()
        self._endless = False

    @property
    def busy(self) -> bool:
        """Whether work is under way. False from just before its last word on, although the thread
        that says it still lives."""
        return self._thread is not None and not self._done.is_set()

    @property
    def endless(self) -> bool:
        """Whether work is under way that was started as such."""
        return self.busy and self._endless

    def start(
        self, work: Callable[[], Call], halt: Call, when_done: Call, endless: bool = False
    ) -> None:
        """Begins work; `halt` makes it end soon, and `endless` work ends no other way. The last
        word, which work returns, is said when nothing is under way any more: whoever hears it may
        set options. `when_done` is called at the very end."""
        self._done = done = threading.Event()
        self._endless = endless

        def run() -> None:
            try:
                last_word = work()
                done.set()
                last_word()
            except Exception as error:  # a fault of ours must not take the game down with it
                self._on_fault(error)
            finally:
                done.set()
                when_done()

        self._halt = halt
        self._thread = threading.Thread(target=run, name="work", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends the work under way and waits until it has said its last word."""
        if self._thread is not None and self._halt is not None:
            self._halt()
            self._thread.join()
        self._thread = self._halt = None
