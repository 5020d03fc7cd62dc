# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps the workers of a pool at play, whatever the games are for."""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from typing import Any

from kingcobra.arena.games.game import GameTask
from kingcobra.arena.games.game_record import GameRecord
from kingcobra.arena.workers.worker import Failure
from kingcobra.arena.workers.worker_pool import Finished, WorkerPool

REFRESH_S = 1.0
WORKER_DEATHS_PER_GAME = 3
"""A game that cost this many workers their lives ends the match: something is wrong here."""


class MatchError(RuntimeError):
    """A match that cannot be played."""


class GameRunner:
    """Plays `tasks`, which are asked for one by one as workers fall idle, and hands every finished
    game to `take`. A game whose worker died is played again; what the worker said of it goes to
    `keep`, which tells where it is kept."""

    def __init__(
        self,
        tasks: Iterator[GameTask],
        take: Callable[[GameRecord, str], None],
        keep: Callable[[GameTask, Failure], str],
    ) -> None:
        self.workers_lost = 0
        self._tasks = tasks
        self._take = take
        self._keep = keep
        self._again: deque[GameTask] = deque()
        self._deaths: Counter[int] = Counter()

    def run(
        self,
        pool: WorkerPool[Any],
        show: Callable[[], None],
        is_decided: Callable[[], bool] = lambda: False,
    ) -> None:
        """Until the last task is played or `is_decided`; `show` is called once a second or so.
        MatchError where a game cannot be played; all that ended before have been taken."""
        while not is_decided():
            while pool.has_idle and (task := self._next_task()) is not None:
                pool.submit(task)
            if not pool.busy:
                return
            hopeless = [
                reason
                for finished in pool.wait(REFRESH_S)
                if (reason := self._collect(finished)) is not None
            ]
            if hopeless:
                raise MatchError(hopeless[0])
            show()

    def _next_task(self) -> GameTask | None:
        return self._again.popleft() if self._again else next(self._tasks, None)

    def _collect(self, finished: Finished) -> str | None:
        """Takes the game, or sees to it that it is played again; the reason why not if it cost too
        many workers."""
        task = finished.task
        if finished.record is not None:
            self._take(finished.record, finished.pgn)
            return None
        self.workers_lost += 1
        self._deaths[task.number] += 1
        failure = finished.failure
        what, where = "its worker died", ""
        if failure is not None:
            what, where = failure.summary, f"; {self._keep(task, failure)}"
        if self._deaths[task.number] < WORKER_DEATHS_PER_GAME:
            self._again.append(task)
            return None
        return f"{name_of(task)}: {what}, {self._deaths[task.number]} times{where}"


def name_of(task: GameTask) -> str:
    """The game as a user may look for it."""
    return f"game {task.number} ({task.white.name} - {task.black.name})"
