# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps the workers of a pool at play, whatever the games are for."""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from typing import Any

from kingcobra.arena.game import GameTask
from kingcobra.arena.pool import Finished, Pool
from kingcobra.arena.record import GameRecord

REFRESH_S = 1.0
WORKER_DEATHS_PER_GAME = 3
"""A game that cost this many workers their lives ends the match: something is wrong here."""


class MatchError(RuntimeError):
    """A match that cannot be played."""


class GameRunner:
    """Plays `tasks`, which are asked for one by one as workers fall idle, and hands every finished
    game to `take`. A game whose worker died is played again."""

    def __init__(self, tasks: Iterator[GameTask], take: Callable[[GameRecord, str], None]) -> None:
        self.workers_lost = 0
        self._tasks = tasks
        self._take = take
        self._again: deque[GameTask] = deque()
        self._deaths: Counter[int] = Counter()

    def run(
        self,
        pool: Pool[Any],
        show: Callable[[], None],
        is_decided: Callable[[], bool] = lambda: False,
    ) -> None:
        """Until the last task is played or `is_decided`; `show` is called once a second or so."""
        while not is_decided():
            while pool.has_idle and (task := self._next_task()) is not None:
                pool.submit(task)
            if not pool.busy:
                return
            for finished in pool.wait(REFRESH_S):
                self._collect(finished)
            show()

    def _next_task(self) -> GameTask | None:
        return self._again.popleft() if self._again else next(self._tasks, None)

    def _collect(self, finished: Finished) -> None:
        if finished.record is not None:
            self._take(finished.record, finished.pgn)
            return
        self.workers_lost += 1
        number = finished.task.number
        self._deaths[number] += 1
        if self._deaths[number] >= WORKER_DEATHS_PER_GAME:
            raise MatchError(f"game {number}: its worker died {self._deaths[number]} times")
        self._again.append(finished.task)
