# SPDX-License-Identifier: GPL-3.0-or-later
"""Worker processes of this machine. One that dies costs only the game it was playing."""

import multiprocessing
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Protocol

from kingcobra.arena.game import GameTask, Rules
from kingcobra.arena.record import GameRecord
from kingcobra.arena.worker import worker_main

CLOSE_PATIENCE_S = 10.0


@dataclass
class _Worker:
    process: SpawnProcess
    connection: Connection
    task: GameTask | None = None


@dataclass(frozen=True)
class Finished:
    """A task that left the pool: with its record and PGN, or with None if its worker died."""

    task: GameTask
    record: GameRecord | None
    pgn: str = ""


class Pool(Protocol):
    """What a match needs of its workers, wherever they are. Use as a context."""

    def __enter__(self) -> "Pool": ...

    def __exit__(self, *_: object) -> None: ...

    @property
    def busy(self) -> int:
        """Workers at play."""

    @property
    def has_idle(self) -> bool:
        """Whether `submit` may be called."""

    def submit(self, task: GameTask) -> None:
        """Gives the task to an idle worker."""

    def wait(self, timeout_s: float) -> list[Finished]:
        """What finished meanwhile."""


class LocalPool:
    """`size` workers. Use as a context: leaving it ends all of them, games in progress too."""

    def __init__(self, rules: Rules, size: int) -> None:
        self._rules = rules
        self._context = multiprocessing.get_context("spawn")
        self._workers = [self._new_worker() for _ in range(size)]

    def __enter__(self) -> "LocalPool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _new_worker(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(
            target=worker_main, args=(theirs, self._rules), daemon=False
        )
        process.start()
        theirs.close()
        return _Worker(process, ours)

    @property
    def busy(self) -> int:
        return sum(worker.task is not None for worker in self._workers)

    @property
    def has_idle(self) -> bool:
        return self.busy < len(self._workers)

    def submit(self, task: GameTask) -> None:
        """Gives the task to an idle worker; there must be one."""
        worker = next(worker for worker in self._workers if worker.task is None)
        worker.task = task
        try:
            worker.connection.send(task)
        except (BrokenPipeError, ConnectionResetError):
            return  # the next wait meets the end of the connection and says so

    def wait(self, timeout_s: float) -> list[Finished]:
        """What finished meanwhile; nothing if the time passed first."""
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
                record, pgn = ready.recv()
                finished.append(Finished(task, record, pgn))
            except (EOFError, ConnectionResetError):
                finished.append(Finished(task, None))
                self._end(worker)
                self._workers[self._workers.index(worker)] = self._new_worker()
        return finished

    def process_ids(self) -> list[int]:
        """Of the workers."""
        return [worker.process.pid for worker in self._workers if worker.process.pid is not None]

    def close(self) -> None:
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            self._end(worker)

    def _end(self, worker: _Worker) -> None:
        worker.connection.close()
        worker.process.terminate()
        worker.process.join(CLOSE_PATIENCE_S)
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()
