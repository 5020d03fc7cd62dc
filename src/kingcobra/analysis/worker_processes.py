# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes of this machine that annotate games, an engine in each. A crash costs no more than the
game that caused it."""

import multiprocessing
import signal
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import NamedTuple

from kingcobra.analysis.annotating import Abandoned
from kingcobra.analysis.settings import AnnotationError, AnnotationSettings
from kingcobra.analysis.work_item import Annotator, GameOutcome, GameTask

READY = "ready"


class Answer(NamedTuple):
    """A task, and its outcome; None when the worker was lost."""

    task: GameTask
    outcome: GameOutcome | None


class _Worker:
    """A process and what it is doing."""

    def __init__(self, settings: AnnotationSettings) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, far_end = context.Pipe()
        self.process: BaseProcess = context.Process(
            target=_serve, args=(settings, far_end), daemon=True
        )
        with interrupts_postponed():
            self.process.start()
        # The child alone holds it from now on, so its death is the end of the pipe.
        far_end.close()
        self.task: GameTask | None = None
        self.is_ready = False

    def send(self, task: GameTask) -> None:
        self.task = task
        # A dead worker is found when its answer is waited for.
        with suppress(OSError):
            self.pipe.send(task.text)

    def receive(self) -> GameOutcome | str | None:
        """What it says; None when it is dead."""
        try:
            said: GameOutcome | str = self.pipe.recv()
            return said
        except (EOFError, OSError):
            return None

    def end(self) -> None:
        self.process.terminate()
        self.process.join()
        self.pipe.close()


class WorkerProcesses(AbstractContextManager["WorkerProcesses"]):
    """A number of processes. A lost one is replaced."""

    def __init__(self, settings: AnnotationSettings, size: int) -> None:
        self._settings = settings
        self.size = size
        self._workers = [_Worker(settings) for _ in range(size)]

    def has_room(self) -> bool:
        """Whether one of them has nothing to do."""
        return any(worker.task is None for worker in self._workers)

    def submit(self, task: GameTask) -> None:
        """Gives a task to a worker that has none."""
        next(worker for worker in self._workers if worker.task is None).send(task)

    def answers(self) -> list[Answer]:
        """Waits for at least one answer. AnnotationError if workers cannot even start."""
        found: list[Answer] = []
        while not found:
            pipes = {worker.pipe: worker for worker in self._workers}
            for pipe in wait(list(pipes)):
                assert isinstance(pipe, Connection)
                found += self._heard(pipes[pipe])
        return found

    def _heard(self, worker: _Worker) -> list[Answer]:
        said = worker.receive()
        if said == READY:
            worker.is_ready = True
            return []
        if isinstance(said, str):
            raise AnnotationError(said)
        task = worker.task
        if said is None:
            self._replace(worker)
        worker.task = None
        return [] if task is None else [Answer(task, said)]

    def _replace(self, worker: _Worker) -> None:
        worker.end()
        if not worker.is_ready:
            raise AnnotationError(
                f"a worker ended while it started (exit code {worker.process.exitcode})"
            )
        self._workers[self._workers.index(worker)] = _Worker(self._settings)

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        for worker in self._workers:
            worker.end()


@contextmanager
def interrupts_postponed() -> Iterator[None]:
    """Ctrl-C inside takes effect afterwards; only the main thread hears of it at all. A process
    that is started inside never hears of it: at a terminal Ctrl-C goes to all processes, and one
    that is still being started would answer with a traceback. Without effect where the system has
    no signal masks."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or not hasattr(signal, "pthread_sigmask"):
        yield
        return
    heard: list[int] = []
    # What a child inherits is the mask. The system may still give the signal to another thread of
    # this process, hence the handler.
    handler = signal.signal(signal.SIGINT, lambda number, _frame: heard.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, handler)
        if heard:
            signal.raise_signal(signal.SIGINT)


def _serve(settings: AnnotationSettings, pipe: Connection) -> None:
    """The life of a process: it annotates until it is ended, or its parent is gone."""
    # Ctrl-C is the parent's business.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None
    with suppress(EOFError, OSError, Abandoned):
        try:
            annotator = Annotator(settings)
        except AnnotationError as error:
            pipe.send(str(error))
            return
        pipe.send(READY)
        while True:
            pipe.send(annotator.annotate(pipe.recv(), parent.is_alive))
