# SPDX-License-Identifier: GPL-3.0-or-later
"""Who analyses chunks of positions: this process, processes of this machine, or a Ray cluster."""

import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, Protocol

from kingcobra.api.errors import EngineError
from kingcobra.api.many_chunks import ChunkAnalyser, ManySettings, PositionText, Row
from kingcobra.errors import first_line, not_installed
from kingcobra.exit_codes import EXIT_OK
from kingcobra.networks.network_files import NetworkError, find_network
from kingcobra.ray_cluster import ClusterConnection, ClusterError

CPU_RESOURCE = "CPU"


class WorkerLost(Exception):
    """A worker that ended before it had answered."""


class ChunkWorker(Protocol):
    """Analyses one chunk at a time."""

    def analyse(self, chunk: list[PositionText]) -> list[Row]:
        """A row for each position. WorkerLost if there is no answer; the worker is then of no use
        any more."""

    def close(self) -> None:
        """Ends the worker, also from another thread while it works."""


# --- processes --------------------------------------------------------------------------------


class ProcessWorker:
    """A Python process with an engine of its own. It does not import the user's program, so scripts
    need no guard."""

    def __init__(self, settings: ManySettings) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            # Ctrl-C is the parent's business.
            start_new_session=os.name == "posix",
        )
        self._send(settings)

    def analyse(self, chunk: list[PositionText]) -> list[Row]:
        """Waits for the answer of the process."""
        self._send(chunk)
        try:
            assert self._process.stdout is not None
            answer = pickle.load(self._process.stdout)
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            raise WorkerLost from None
        if isinstance(answer, str):
            raise EngineError(answer)
        rows: list[Row] = answer
        return rows

    def _send(self, value: object) -> None:
        assert self._process.stdin is not None
        # A dead process is noticed when its answer is read.
        with suppress(OSError, ValueError):
            pickle.dump(value, self._process.stdin)
            self._process.stdin.flush()

    def close(self) -> None:
        """Kills the process."""
        self._process.kill()
        self._process.wait()


def serve() -> None:
    """The life of a process: settings, then chunks, from the standard input until its end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = sys.stdout.buffer
    # What is printed by mistake must not disturb the answers.
    sys.stdout = sys.stderr
    requests: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, requests), daemon=True).start()
    try:
        analyser = ChunkAnalyser(requests.get())
    except EngineError as error:
        pickle.dump(str(error), answers)
        return
    with suppress(BrokenPipeError):
        while True:
            pickle.dump(analyser.analyse(requests.get()), answers)
            answers.flush()


def _read(stream: BinaryIO, requests: "queue.SimpleQueue[Any]") -> None:
    """Reads requests. When the parent is gone the process ends, whatever it is doing."""
    with suppress(EOFError, pickle.UnpicklingError):
        while True:
            requests.put(pickle.load(stream))
    os._exit(EXIT_OK)


# --- a cluster --------------------------------------------------------------------------------


class ChunkActor:
    """An engine on some machine of the cluster; the network is the file itself."""

    def __init__(self, settings: ManySettings, network: bytes) -> None:
        if not settings.network:  # the default network is there, too
            self._analyser = ChunkAnalyser(settings)
            return
        with TemporaryDirectory() as folder:
            path = Path(folder) / Path(settings.network).name
            path.write_bytes(network)
            self._analyser = ChunkAnalyser(settings._replace(network=str(path)))

    def analyse(self, chunk: list[PositionText]) -> list[Row]:
        """A row for each position."""
        return self._analyser.analyse(chunk)


class Cluster:
    """A Ray cluster with actors on it."""

    def __init__(self, settings: ManySettings, address: str) -> None:
        """EngineError where there is no such cluster, or the network cannot be read."""
        try:
            network = read_network(settings.network) if settings.network else b""
            self._connection = ClusterConnection(address)
        except ImportError:
            raise EngineError(f"cluster: {not_installed('Ray', 'cluster')}") from None
        except (ClusterError, NetworkError) as error:
            raise EngineError(str(error)) from None
        self.ray = self._connection.ray
        self._class = self.ray.remote(num_cpus=1)(ChunkActor)
        self._arguments = (self.ray.put(settings), self.ray.put(network))

    @property
    def size(self) -> int:
        """How many actors have a CPU of their own."""
        return int(self.ray.cluster_resources().get(CPU_RESOURCE, 1))

    def worker(self) -> "ActorWorker":
        """A new actor."""
        return ActorWorker(self.ray, self._class.remote(*self._arguments))

    def close(self) -> None:
        """Disconnects if this object connected."""
        self._connection.close()


class ActorWorker:
    """An actor of the cluster."""

    def __init__(self, ray: Any, actor: Any) -> None:
        self._ray = ray
        self._actor = actor

    def analyse(self, chunk: list[PositionText]) -> list[Row]:
        """Waits for the answer of the actor."""
        try:
            rows: list[Row] = self._ray.get(self._actor.analyse.remote(chunk))
        except self._ray.exceptions.RayError as error:
            if getattr(error, "cause", None) is not None:
                raise EngineError(f"on the cluster: {first_line(error)}") from None
            raise WorkerLost from None
        return rows

    def close(self) -> None:
        """Ends the actor."""
        with suppress(Exception):  # whatever a cluster that is gone may raise
            self._ray.kill(self._actor)


def read_network(name: str) -> bytes:
    """The file of a network, wherever it is found. NetworkError if it cannot be read."""
    try:
        return find_network(name).read_bytes()
    except OSError as error:
        raise NetworkError(f"{name}: {error.strerror}") from error


if __name__ == "__main__":
    serve()
