# SPDX-License-Identifier: GPL-3.0-or-later
"""Games annotated on a Ray cluster. The network travels there; Kingcobra must be installed on every
machine. A lost machine costs nothing but time: its games are annotated elsewhere."""

from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any

from kingcobra.analysis.settings import AnnotationError, AnnotationSettings
from kingcobra.analysis.work_item import Annotator, GameOutcome, GameTask
from kingcobra.analysis.worker_processes import Answer
from kingcobra.errors import first_line, not_installed
from kingcobra.networks.network_files import NetworkError, find_network
from kingcobra.ray_cluster import ClusterConnection, ClusterError

CPU_RESOURCE = "CPU"


class AnnotatingActor:
    """An engine on some machine of the cluster; the network is the file itself."""

    def __init__(self, settings: AnnotationSettings, network: bytes) -> None:
        if not settings.network:
            self._annotator = Annotator(settings)
            return
        with TemporaryDirectory() as folder:
            path = Path(folder) / Path(settings.network).name
            path.write_bytes(network)
            self._annotator = Annotator(replace(settings, network=str(path)))

    def annotate(self, text: str) -> GameOutcome:
        """The outcome for a game."""
        return self._annotator.annotate(text)


class ClusterActors(AbstractContextManager["ClusterActors"]):
    """Actors on the cluster at an address, `auto` for the one this machine belongs to; as many as
    it has CPUs, unless a number is given."""

    def __init__(self, settings: AnnotationSettings, size: int | None, address: str) -> None:
        """AnnotationError where there is no such cluster, or the network cannot be read."""
        try:
            network = find_network(settings.network).read_bytes() if settings.network else b""
            self._connection = ClusterConnection(address)
        except ImportError:
            raise AnnotationError(not_installed("Ray", "cluster")) from None
        except (ClusterError, NetworkError) as error:
            raise AnnotationError(str(error)) from None
        self._ray = self._connection.ray
        self.size = size or int(self._ray.cluster_resources().get(CPU_RESOURCE, 1))
        self._class = self._ray.remote(num_cpus=1)(AnnotatingActor)
        self._arguments = (self._ray.put(settings), self._ray.put(network))
        self._idle = [self._new_actor() for _ in range(self.size)]
        # The answer that is awaited, with its task and its actor.
        self._running: dict[Any, tuple[GameTask, Any]] = {}

    def _new_actor(self) -> Any:
        return self._class.remote(*self._arguments)

    def has_room(self) -> bool:
        """Whether an actor has nothing to do."""
        return bool(self._idle)

    def submit(self, task: GameTask) -> None:
        """Gives a task to an idle actor."""
        actor = self._idle.pop()
        self._running[actor.annotate.remote(task.text)] = (task, actor)

    def answers(self) -> list[Answer]:
        """Waits for an answer. AnnotationError if an actor cannot even start."""
        ready, _ = self._ray.wait(list(self._running), num_returns=1)
        found = []
        for answer in ready:
            task, actor = self._running.pop(answer)
            try:
                found.append(Answer(task, self._ray.get(answer)))
            except self._ray.exceptions.RayError as error:
                if getattr(error, "cause", None) is not None:
                    raise AnnotationError(f"on the cluster: {first_line(error)}") from None
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
            self._ray.kill(actor)
        self._connection.close()
