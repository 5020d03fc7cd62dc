# SPDX-License-Identifier: GPL-3.0-or-later
"""Pools of workers: what all pools have in common, and the pool of processes on this machine. If a
worker dies, only the game it was playing is lost."""

import contextlib
import multiprocessing
import signal
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, Generic, Protocol, Self, TypeVar

from kingcobra.arena.games.game import GameTask, Rules
from kingcobra.arena.games.game_record import GameRecord
from kingcobra.arena.workers.worker import Failure, PlayedGame, worker_main

CLOSE_TIMEOUT_S = 30.0
"""For a worker to close its engines, which takes some seconds if they ignore `quit`, and more on a
busy machine. A worker that is killed instead leaves its engines running."""


class PoolError(RuntimeError):
    """Workers that cannot be started."""


class PoolWorker(Protocol):
    """Plays one game at a time; `task` is the present one."""

    task: GameTask | None


WorkerT = TypeVar("WorkerT", bound=PoolWorker)


@dataclass
class _WorkerProcess:
    process: SpawnProcess
    connection: Connection
    task: GameTask | None = None


@dataclass(frozen=True)
class FinishedTask:
    """A task that left the pool: with its record and PGN, or without a record if its worker died,
    and then with the failure if the worker could send it."""

    task: GameTask
    record: GameRecord | None
    pgn: str = ""
    failure: Failure | None = None

    @classmethod
    def of(cls, task: GameTask, answer: PlayedGame | Failure | None) -> "FinishedTask":
        """From what the worker sent, None for nothing."""
        if answer is None or isinstance(answer, Failure):
            return cls(task, None, failure=answer)
        return cls(task, answer.record, answer.pgn)


class WorkerPool(ABC, Generic[WorkerT]):
    """Workers that play games. Use it as a context: leaving it ends all workers, also in the middle
    of games."""

    def __init__(self, workers: list[WorkerT]) -> None:
        self._workers = workers

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def busy(self) -> int:
        """How many workers are playing."""
        return sum(worker.task is not None for worker in self._workers)

    @property
    def has_idle(self) -> bool:
        """Whether `submit` may be called."""
        return self.busy < len(self._workers)

    def submit(self, task: GameTask) -> None:
        """Gives the task to an idle worker; there must be one."""
        worker = next(worker for worker in self._workers if worker.task is None)
        worker.task = task
        self._give(worker, task)

    @abstractmethod
    def _give(self, worker: WorkerT, task: GameTask) -> None:
        """Sends the task. If the worker is dead already, the next `wait` finds out."""

    @abstractmethod
    def wait(self, timeout_s: float) -> list[FinishedTask]:
        """Waits until tasks finish, and returns them; none if the time is over first. A worker that
        died is replaced, and its task is among them, without a record."""

    @abstractmethod
    def process_ids(self) -> list[int]:
        """Of the workers, each on its own machine."""

    @abstractmethod
    def close(self) -> None:
        """Ends the workers and their engines."""


class LocalPool(WorkerPool[_WorkerProcess]):
    """`size` processes of this machine."""

    def __init__(self, rules: Rules, size: int) -> None:
        self._rules = rules
        self._context = multiprocessing.get_context("spawn")
        super().__init__([self._new_worker() for _ in range(size)])

    def _new_worker(self) -> _WorkerProcess:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(
            target=worker_main, args=(theirs, self._rules), daemon=False
        )
        with _interrupt_deferred():
            process.start()
        theirs.close()
        return _WorkerProcess(process, ours)

    def _give(self, worker: _WorkerProcess, task: GameTask) -> None:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            worker.connection.send(task)

    def wait(self, timeout_s: float) -> list[FinishedTask]:
        by_connection = {
            worker.connection: worker for worker in self._workers if worker.task is not None
        }
        finished = []
        for ready in wait(list(by_connection), timeout_s):
            assert isinstance(ready, Connection)
            worker = by_connection[ready]
            task, worker.task = worker.task, None
            assert task is not None
            try:
                answer = ready.recv()
            except (EOFError, OSError):
                # OSError: the worker died while sending.
                answer = None
            finished.append(FinishedTask.of(task, answer))
            if finished[-1].record is None:
                self._end(worker)
                self._workers[self._workers.index(worker)] = self._new_worker()
        return finished

    def process_ids(self) -> list[int]:
        return [worker.process.pid for worker in self._workers if worker.process.pid is not None]

    def close(self) -> None:
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            self._end(worker)

    def _end(self, worker: _WorkerProcess) -> None:
        worker.connection.close()
        worker.process.terminate()
        worker.process.join(CLOSE_TIMEOUT_S)
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()


@contextlib.contextmanager
def _interrupt_deferred() -> Iterator[None]:
    """Blocks the interrupt key; processes started inside begin with it blocked. A key pressed
    meanwhile takes effect at the end."""
    # Not inside the block: starting the tracker unblocks the signal.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def open_pool(rules: Rules, size: int, cluster: str | None) -> WorkerPool[Any]:
    """`size` workers: processes of this machine, or on the Ray cluster at the address `cluster`.
    PoolError where there is no such cluster."""
    if cluster is None:
        return LocalPool(rules, size)
    from kingcobra.arena.workers.ray_pool import RayPool

    return RayPool(rules, size, cluster)
