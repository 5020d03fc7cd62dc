# SPDX-License-Identifier: GPL-3.0-or-later
"""Workers on a Ray cluster. As in the local pool, losing a worker or a machine costs only the games
being played there. Kingcobra and the engines must be installed on every machine, under the same
paths."""

import os
from dataclasses import dataclass
from typing import Any

from kingcobra.arena.games.game import GameTask, Rules
from kingcobra.arena.workers.worker import Failure, GamePlayer, PlayedGame
from kingcobra.arena.workers.worker_pool import CLOSE_TIMEOUT_S, FinishedTask, PoolError, WorkerPool
from kingcobra.ray_cluster import ClusterConnection, ClusterError

CPUS_PER_GAME = 1


class _PlayerActor:
    """A GamePlayer in a process of Ray's."""

    def __init__(self, rules: Rules) -> None:
        self._player = GamePlayer(rules)

    async def play(self, task: GameTask) -> PlayedGame | Failure:
        """Answers as local workers do. After a failure this actor is replaced, so its engines are
        closed."""
        try:
            return await self._player.play(task)
        except Exception as error:
            await self._player.close()
            return Failure.of(error)

    async def close(self) -> None:
        await self._player.close()

    async def process_id(self) -> int:
        return os.getpid()


@dataclass
class _Actor:
    actor: Any
    answer: Any = None
    task: GameTask | None = None


class RayPool(WorkerPool[_Actor]):
    """`size` actors on the cluster at `address` (`auto`: the one this machine belongs to), but no
    more than it has CPUs: Ray would never start the others. A connection that is already open is
    used, and left open."""

    def __init__(self, rules: Rules, size: int, address: str) -> None:
        try:
            self._connection = ClusterConnection(address)
        except ClusterError as error:
            raise PoolError(str(error)) from None
        self._ray = self._connection.ray
        self._rules = rules
        self._actor_class = self._ray.remote(num_cpus=CPUS_PER_GAME)(_PlayerActor)
        super().__init__([self._new_worker() for _ in range(self._possible(size, address))])

    def _possible(self, size: int, address: str) -> int:
        """How many games the cluster can play at once, at most `size`; prints it if it is less."""
        most = int(self._ray.cluster_resources().get("CPU", 0)) // CPUS_PER_GAME
        if most >= size:
            return size
        if most == 0:
            self._connection.close()
            raise PoolError(f"--cluster {address}: it has no CPU to play on")
        print(f"--concurrency {size}: the cluster has CPUs for {most}, so {most} at once")
        return most

    def _new_worker(self) -> _Actor:
        return _Actor(self._actor_class.remote(self._rules))

    def _give(self, worker: _Actor, task: GameTask) -> None:
        worker.answer = worker.actor.play.remote(task)

    def wait(self, timeout_s: float) -> list[FinishedTask]:
        answers = [worker.answer for worker in self._workers if worker.task is not None]
        ready, _ = self._ray.wait(answers, num_returns=1, timeout=timeout_s)
        finished = []
        for number, worker in enumerate(self._workers):
            if worker.task is not None and worker.answer in ready:
                finished.append(self._collect(worker, number))
        return finished

    def _collect(self, worker: _Actor, number: int) -> FinishedTask:
        task, worker.task = worker.task, None
        assert task is not None
        try:
            answer = self._ray.get(worker.answer)
        except self._ray.exceptions.RayError:
            answer = None
        finished = FinishedTask.of(task, answer)
        if finished.record is None:
            self._ray.kill(worker.actor)
            self._workers[number] = self._new_worker()
        return finished

    def process_ids(self) -> list[int]:
        ids: list[int] = self._ray.get(
            [worker.actor.process_id.remote() for worker in self._workers]
        )
        return ids

    def close(self) -> None:
        """Ends the engines, then the actors, games in progress too."""
        closing = [worker.actor.close.remote() for worker in self._workers]
        self._ray.wait(closing, num_returns=len(closing), timeout=CLOSE_TIMEOUT_S)
        for worker in self._workers:
            self._ray.kill(worker.actor)
        self._connection.close()
