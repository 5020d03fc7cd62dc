# SPDX-License-Identifier: GPL-3.0-or-later
"""Work in a thread of its own, one job at a time."""

import threading
from collections.abc import Callable

Action = Callable[[], None]
# A thread that has not begun by then never will.
START_PATIENCE_S = 5.0


class Job:
    """Work that the engine does in the background."""

    def run(self) -> Action:
        """Does the work and returns its closing action, which is called when the engine is no
        longer busy: whoever reads the last line may set options."""
        raise NotImplementedError

    def stop(self) -> None:
        """Makes `run` return soon; from any thread."""
        raise NotImplementedError

    @property
    def awaits_stop(self) -> bool:
        """Whether `run` will not return before `stop` is called."""
        return False

    @property
    def is_measurement(self) -> bool:
        """Whether what is asked for later waits for its end, instead of cutting it short."""
        return False


class BackgroundWork:
    """Runs jobs. Its methods are called from one thread; `on_fault` and `on_idle` are called from
    the thread that works."""

    def __init__(self, on_fault: Callable[[Exception], None], on_idle: Action) -> None:
        self._on_fault = on_fault
        self._on_idle = on_idle
        self._job: Job | None = None
        self._thread: threading.Thread | None = None
        self._begun = threading.Event()
        self._done = threading.Event()
        self._closed = threading.Event()

    @property
    def busy(self) -> bool:
        """Whether a job is running. False from just before its closing action on."""
        return self._thread is not None and not self._done.is_set()

    @property
    def awaits_stop(self) -> bool:
        """Whether a job is running that ends only when it is stopped."""
        return self.busy and self._job is not None and self._job.awaits_stop

    @property
    def is_measuring(self) -> bool:
        """Whether a measurement is running. True until its closing action is done."""
        return self._job is not None and self._job.is_measurement and not self._closed.is_set()

    def start(self, job: Job) -> None:
        """Begins a job; none may be running. `on_idle` is called at the very end."""
        self._begun = begun = threading.Event()
        self._done = done = threading.Event()
        self._closed = closed = threading.Event()

        def run() -> None:
            begun.set()
            try:
                close = job.run()
                done.set()
                close()
            except Exception as error:  # an internal error must not end the process
                self._on_fault(error)
            finally:
                done.set()
                closed.set()
                self._on_idle()

        self._job = job
        self._thread = threading.Thread(target=run, name="work", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends the running job and waits until its closing action is done. Ctrl-C may have come
        while the thread was being started: then it is not certain that there is one."""
        if self._thread is not None and self._job is not None:
            if self._begun.wait(START_PATIENCE_S):
                if self.busy:
                    self._job.stop()
                self._thread.join()
        self._thread = self._job = None
