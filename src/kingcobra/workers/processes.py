# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes of this machine. A crash costs no more than the task that caused it."""

import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from types import TracebackType
from typing import Any, Generic, TypeAlias

from kingcobra.workers import serving
from kingcobra.workers.serving import READY, REFUSED, send
from kingcobra.workers.tasks import Answer, Failure, MakeServe, Result, Settings, Task

# How long Ctrl-C may go unnoticed: Python does not hear of a signal that comes just before a thread
# falls asleep.
LISTEN_EVERY_S = 0.2

# What a worker has said; None when it is dead.
Said: TypeAlias = tuple[str, Any] | None


class _Worker:
    """A process, what it is doing, and a thread that waits for its answers."""

    def __init__(self, request: bytes, heard: "queue.SimpleQueue[tuple[_Worker, Said]]") -> None:
        with interrupts_postponed():
            self.process = subprocess.Popen(
                # Not the folder in which the user happens to be: what is there has any name.
                [sys.executable, "-P", "-m", serving.__name__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(_absolute_paths())},
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        self.task: Any = None
        self.has_task = self.is_ready = False
        self._heard = heard
        # A dead process is noticed when its answer is waited for.
        with suppress(OSError):
            assert self.process.stdin is not None
            self.process.stdin.write(request)
            self.process.stdin.flush()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def begin(self, task: Any) -> None:
        self.task, self.has_task = task, True
        with suppress(OSError):
            assert self.process.stdin is not None
            send(self.process.stdin, task)

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with suppress(EOFError, OSError, ValueError, pickle.UnpicklingError):
            while True:
                self._heard.put((self, pickle.load(self.process.stdout)))
        self._heard.put((self, None))

    def end(self) -> None:
        """Kills the process. Nothing is heard of it afterwards."""
        self.process.kill()
        self.process.wait()
        self._listener.join()
        for pipe in (self.process.stdin, self.process.stdout):
            with suppress(OSError):
                assert pipe is not None
                pipe.close()


class WorkerProcesses(
    AbstractContextManager["WorkerProcesses[Task, Result]"], Generic[Task, Result]
):
    """A number of processes. A lost one is replaced."""

    def __init__(
        self,
        make_serve: MakeServe[Settings, Task, Result],
        settings: Settings,
        size: int,
        failure: Failure,
    ) -> None:
        self.size = size
        self._failure = failure
        self._request = pickle.dumps((make_serve, settings, failure))
        self._heard: queue.SimpleQueue[tuple[_Worker, Said]] = queue.SimpleQueue()
        self._workers: list[_Worker] = []
        try:
            for _ in range(size):
                self._workers.append(_Worker(self._request, self._heard))
        except BaseException:
            self.end()
            raise

    def has_room(self) -> bool:
        """Whether one of them has nothing to do."""
        return any(not worker.has_task for worker in self._workers)

    def submit(self, task: Task) -> None:
        """Gives a task to a worker that has none."""
        next(worker for worker in self._workers if not worker.has_task).begin(task)

    def answers(self) -> list[Answer[Task, Result]]:
        """Waits for at least one answer. The failure if workers cannot even start."""
        found: list[Answer[Task, Result]] = []
        while not found:
            with suppress(queue.Empty):
                found += self._answer(*self._heard.get(timeout=LISTEN_EVERY_S))
        return found

    def _answer(self, worker: _Worker, said: Said) -> list[Answer[Task, Result]]:
        if worker not in self._workers:
            return []
        kind, value = said or ("", None)
        if kind == READY:
            worker.is_ready = True
            return []
        if kind == REFUSED:
            raise self._failure(value)
        task, had_task = worker.task, worker.has_task
        worker.has_task = False
        if said is None:
            self._replace(worker)
        return [Answer(task, value)] if had_task else []

    def _replace(self, worker: _Worker) -> None:
        worker.end()
        if not worker.is_ready:
            code = worker.process.returncode
            raise self._failure(f"a worker ended while it started (exit code {code})")
        self._workers[self._workers.index(worker)] = _Worker(self._request, self._heard)

    def end(self) -> None:
        """Kills all of them."""
        for worker in self._workers:
            worker.end()

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.end()


def _absolute_paths() -> Iterator[str]:
    """Where this process finds modules, for one that is started elsewhere."""
    return (os.path.abspath(path) for path in sys.path)  # noqa: PTH100, an empty one is the folder


@contextmanager
def interrupts_postponed() -> Iterator[None]:
    """Ctrl-C inside takes effect afterwards; only the main thread hears of it at all. A process
    that is started inside never hears of it: at a terminal Ctrl-C goes to all processes, and one
    that is still being started would answer with a traceback. Without effect where the system has
    no signal masks."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    handler = signal.getsignal(signal.SIGINT)
    is_main = threading.current_thread() is threading.main_thread() and handler is not None
    heard: list[int] = []
    if is_main:
        # What a child inherits is the mask. The system may still give the signal to another thread
        # of this process, hence the handler.
        signal.signal(signal.SIGINT, lambda number, _frame: heard.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if is_main:
            signal.signal(signal.SIGINT, handler)
        if heard:
            signal.raise_signal(signal.SIGINT)
