# SPDX-License-Identifier: GPL-3.0-or-later
"""Actors on a Ray cluster. Kingcobra must be installed on every machine. A lost machine costs
nothing but time: its tasks are done elsewhere."""

from contextlib import AbstractContextManager, suppress
from types import TracebackType
from typing import Any, Generic

from kingcobra.errors import first_line, not_installed
from kingcobra.ray_cluster import ClusterConnection, ClusterError
from kingcobra.workers.tasks import Answer, Failure, MakeServe, Result, Settings, Task

CPU_RESOURCE = "CPU"


class ServingActor(Generic[Task, Result]):
    """A worker on some machine of the cluster."""

    def __init__(self, make_serve: MakeServe[Settings, Task, Result], settings: Settings) -> None:
        self._serve = make_serve(settings)

    def serve(self, task: Task) -> Result:
        """The result of a task."""
        return self._serve(task)


class ClusterWorkers(AbstractContextManager["ClusterWorkers[Task, Result]"], Generic[Task, Result]):
    """Actors on the cluster at an address, `auto` for the one this machine belongs to; as many as
    it has CPUs, unless a number is given."""

    def __init__(
        self,
        make_serve: MakeServe[Settings, Task, Result],
        settings: Settings,
        size: int | None,
        address: str,
        failure: Failure,
    ) -> None:
        """The failure where there is no such cluster."""
        try:
            self._connection = ClusterConnection(address)
        except ImportError:
            raise failure(not_installed("Ray", "cluster")) from None
        except ClusterError as error:
            raise failure(str(error)) from None
        self._failure = failure
        self._ray = self._connection.ray
        self.size = size or int(self._ray.cluster_resources().get(CPU_RESOURCE, 1))
        self._class = self._ray.remote(num_cpus=1)(ServingActor)
        self._arguments = (make_serve, self._ray.put(settings))
        self._idle = [self._new_actor() for _ in range(self.size)]
        # The answer that is awaited, with its task and its actor.
        self._running: dict[Any, tuple[Task, Any]] = {}

    def _new_actor(self) -> Any:
        return self._class.remote(*self._arguments)

    def has_room(self) -> bool:
        """Whether an actor has nothing to do."""
        return bool(self._idle)

    def submit(self, task: Task) -> None:
        """Gives a task to an idle actor."""
        actor = self._idle.pop()
        self._running[actor.serve.remote(task)] = (task, actor)

    def answers(self) -> list[Answer[Task, Result]]:
        """Waits for an answer. The failure if an actor cannot even start, or has an error."""
        ready, _ = self._ray.wait(list(self._running), num_returns=1)
        found: list[Answer[Task, Result]] = []
        for answer in ready:
            task, actor = self._running.pop(answer)
            try:
                found.append(Answer(task, self._ray.get(answer)))
            except self._ray.exceptions.RayError as error:
                if getattr(error, "cause", None) is not None:
                    raise self._failure(f"on the cluster: {first_line(error)}") from None
                found.append(Answer(task, None))
                actor = self._new_actor()
            self._idle.append(actor)
        return found

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        for actor in [*self._idle, *(actor for _, actor in self._running.values())]:
            with suppress(Exception):  # whatever a cluster that is gone may raise
                self._ray.kill(actor)
        self._connection.close()
