# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps the workers of a pool busy, whatever the games are for."""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from typing import Any

from kingcobra.arena.games.game import GameTask
from kingcobra.arena.games.game_record import GameRecord
from kingcobra.arena.workers.worker import Failure
from kingcobra.arena.workers.worker_pool import FinishedTask, WorkerPool

REFRESH_S = 1.0
MAX_LOST_WORKERS_PER_GAME = 3
"""A game during which so many workers died ends the match."""


class MatchError(RuntimeError):
    """A match that cannot go on."""


class GameRunner:
    """Plays `tasks`, taken one by one as workers become idle, and hands every finished game to
    `on_finished`. A game whose worker died is played again; the failure goes to `on_failure`, which
    returns where it is kept."""

    def __init__(
        self,
        tasks: Iterator[GameTask],
        on_finished: Callable[[GameRecord, str], None],
        on_failure: Callable[[GameTask, Failure], str],
    ) -> None:
        self.workers_lost = 0
        self._tasks = tasks
        self._on_finished = on_finished
        self._on_failure = on_failure
        self._retries: deque[GameTask] = deque()
        self._lost_workers: Counter[int] = Counter()

    def run(
        self,
        pool: WorkerPool[Any],
        show: Callable[[], None],
        is_decided: Callable[[], bool] = lambda: False,
    ) -> None:
        """Plays until the last task or until `is_decided`; `show` is called about once a second.
        MatchError where a game cannot be played; all that ended before have been handed on."""
        while not is_decided():
            while pool.has_idle and (task := self._next_task()) is not None:
                pool.submit(task)
            if not pool.busy:
                return
            fatal = [
                reason
                for finished in pool.wait(REFRESH_S)
                if (reason := self._collect(finished)) is not None
            ]
            if fatal:
                raise MatchError(fatal[0])
            show()

    def _next_task(self) -> GameTask | None:
        return self._retries.popleft() if self._retries else next(self._tasks, None)

    def _collect(self, finished: FinishedTask) -> str | None:
        """Hands the game on, or puts it back to be played again; the reason why not if too many
        workers died."""
        task = finished.task
        if finished.record is not None:
            self._on_finished(finished.record, finished.pgn)
            return None
        self.workers_lost += 1
        self._lost_workers[task.number] += 1
        failure = finished.failure
        what, where = "its worker died", ""
        if failure is not None:
            what, where = failure.summary, f"; {self._on_failure(task, failure)}"
        if self._lost_workers[task.number] < MAX_LOST_WORKERS_PER_GAME:
            self._retries.append(task)
            return None
        return f"{task_name(task)}: {what}, {self._lost_workers[task.number]} times{where}"


def task_name(task: GameTask) -> str:
    """The game as messages name it."""
    return f"game {task.number} ({task.white.name} - {task.black.name})"
