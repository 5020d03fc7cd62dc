# SPDX-License-Identifier: GPL-3.0-or-later
"""A network ready for compiled code: its object, its weights, and memory for each thread.

Prepared weights are kept as a file in the cache directory and mapped from there, so all processes
that use the same network share one copy, and none but the first needs NumPy to read it.
"""

import ctypes
import json
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kingcobra.core.network.architectures import Architecture
from kingcobra.core.network.layout import NetworkThread, Plan, architecture_named
from kingcobra.core.network_objects import network_object
from kingcobra.errors import reason_of
from kingcobra.file_writing import write_atomically
from kingcobra.kernel import host
from kingcobra.kernel.build import Builder
from kingcobra.kernel.levels import LevelError, choose_level
from kingcobra.kernel.objects import LoadedObject, ObjectError
from kingcobra.kernel.system.memory import Memory, OutOfMemory
from kingcobra.networks.default_network import DEFAULT_PATH, DIGITS
from kingcobra.networks.network_files import NetworkError, write_file
from kingcobra.networks.network_scales import raw_per_pawn

if TYPE_CHECKING:
    from kingcobra.networks.network import Network

FORMAT = "kingcobra-weights-3"
SUFFIX = ".kcw"
DIGEST_DIGITS = len(DIGITS)
# The first line, padded: what follows starts on a page of its own.
HEADER_BYTES = 4096
# So many prepared networks stay in the cache, those used last.
KEPT_FILES = 6

Report = Callable[[str], None]
BuilderHandler = Callable[[Builder], None]


class EvaluationError(Exception):
    """A network that cannot be used; the message is one line."""


class RawParts(NamedTuple):
    """The parts of an evaluation, from the mover's side, before the division by the output
    scale."""

    psqt: int
    positional: int


class ThreadMemory:
    """The memory of one thread for one network. Compiled code takes the address of the record."""

    def __init__(self, network: "LoadedNetwork", position_address: int) -> None:
        self._memory = Memory.anonymous(network.plan.memory_bytes)
        self._network = network
        self.record = NetworkThread()
        self.address = ctypes.addressof(self.record)
        self.record.position = position_address
        self.record.weights = network.weights_address
        self.record.memory = self._memory.address
        self.record.raw_per_pawn = raw_per_pawn(network.architecture, network.digest)
        self.forget()

    def forget(self) -> None:
        """Marks all accumulators as not computed."""
        self._network.code.forget_positions(self.address)

    def evaluate(self, bucket: int) -> RawParts:
        """The two parts of a bucket for the position as it is now."""
        self._network.code.answer_raw(self.address, bucket)
        return RawParts(int(self.record.psqt), int(self.record.positional))


class LoadedNetwork:
    """A network that threads can use."""

    def __init__(
        self,
        path: Path,
        architecture: Architecture,
        identified_by: str,
        weights: Memory,
        weights_address: int,
    ) -> None:
        self.path = path
        self.architecture = architecture
        # As in Network.
        self.identified_by = identified_by
        self.plan = plan_for(architecture)
        self.code: LoadedObject
        # The first digits of the file's SHA-256 or all of them, empty without a file.
        self.digest = ""
        self.weights_address = weights_address
        self._weights = weights

    @property
    def name(self) -> str:
        """The file's name without its folder."""
        return self.path.name


def plan_for(architecture: Architecture) -> Plan:
    """The plan for the level that this process runs."""
    return Plan(architecture, _in_bytes())


def _in_bytes() -> bool:
    return choose_level().level.multiplies_bytes


def load(
    path: Path, report: Report, on_builder: BuilderHandler = lambda _builder: None
) -> LoadedNetwork:
    """The network in a file, ready. `report` gets the progress while its architecture is compiled
    for the first time; before that, `on_builder` gets the builder, which can be cancelled.
    EvaluationError if the network cannot be used."""
    try:
        network = _load_weights(path)
        builder = Builder(network_object(network.architecture), report)
        on_builder(builder)
        network.code = builder.obtain()
    except (ObjectError, LevelError, OutOfMemory) as error:
        raise EvaluationError(f"{path.name}: {error}") from error
    return network


def from_memory(source: "Network", name: str, report: Report) -> LoadedNetwork:
    """A network without a file, ready, under a name. Raises what compiling may raise, and
    OutOfMemory."""
    from kingcobra.networks.prepared import prepare

    weights = prepare(source, plan_for(source.architecture)).tobytes()
    network = _in_memory(Path(name), source, weights)
    network.code = Builder(network_object(source.architecture), report).obtain()
    return network


def prepare_weights(path: Path) -> None:
    """Puts the weights of a network into the cache, if they are not there. EvaluationError if the
    network cannot be used."""
    try:
        _load_weights(path)
    except (LevelError, OutOfMemory) as error:
        raise EvaluationError(f"{path.name}: {error}") from error


def _load_weights(path: Path) -> LoadedNetwork:
    # The default network's name is its digest, checked when its weights are prepared.
    digest = DIGITS if path == DEFAULT_PATH else file_digest(path)
    kind = "bytes" if _in_bytes() else "words"
    prepared = host.cache_directory() / f"weights-{digest[:DIGEST_DIGITS]}-{kind}{SUFFIX}"
    network = _map_prepared(path, prepared) or _prepare(path, prepared, digest)
    network.digest = digest
    return network


def file_digest(path: Path) -> str:
    """The SHA-256 of a file. EvaluationError if it cannot be read."""
    import hashlib  # with OpenSSL, which costs some milliseconds

    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise EvaluationError(f"{path}: {reason_of(error)}") from error


# --- prepared weights -------------------------------------------------------------------------


def _map_prepared(path: Path, prepared: Path) -> LoadedNetwork | None:
    """The network from the cache; None if it is missing or incomplete."""
    try:
        memory = Memory.from_file(prepared)
    except (OSError, ValueError):
        return None
    network = _from_memory(path, memory)
    if network is None:
        memory.release()
    else:
        with suppress(OSError):
            prepared.touch()  # used last
    return network


def _from_memory(path: Path, memory: Memory) -> LoadedNetwork | None:
    header_text = ctypes.string_at(memory.address, min(HEADER_BYTES, memory.size))
    try:
        header = json.loads(header_text.partition(b"\n")[0])
        architecture = architecture_named(header["name"], header["width"])
        identified_by, checksum = header["identified_by"], header["checksum"]
    except (ValueError, KeyError, TypeError):
        return None
    size = plan_for(architecture).weights_bytes
    if header.get("format") != FORMAT or memory.size != HEADER_BYTES + size:
        return None
    start = memory.address + HEADER_BYTES
    # Against damage by accident; a cryptographic one would take longer than all else of a start.
    if zlib.crc32((ctypes.c_char * size).from_address(start)) != checksum:
        return None
    return LoadedNetwork(path, architecture, identified_by, memory, start)


def _prepare(path: Path, prepared: Path, digest: str) -> LoadedNetwork:
    """Reads the network, stores its weights in the cache and maps them from there; if that fails,
    keeps them in the memory of this process."""
    from kingcobra.networks.file import read_network  # brings NumPy with it
    from kingcobra.networks.prepared import prepare

    if not file_digest(path).startswith(digest):
        raise EvaluationError(f"{path}: damaged, its SHA-256 does not begin with {digest}")
    try:
        source = read_network(path)
    except NetworkError as error:
        raise EvaluationError(str(error)) from error
    architecture = source.architecture
    weights = prepare(source, plan_for(architecture)).tobytes()
    header = {
        "format": FORMAT,
        "name": architecture.name,
        "width": architecture.width,
        "identified_by": source.identified_by,
        "checksum": zlib.crc32(weights),
    }
    with suppress(OSError):
        write_atomically(prepared, json.dumps(header).encode().ljust(HEADER_BYTES, b"\n") + weights)
        _remove_old_files(prepared.parent)
    return _map_prepared(path, prepared) or _in_memory(path, source, weights)


def _in_memory(path: Path, source: "Network", weights: bytes) -> LoadedNetwork:
    memory = Memory.anonymous(len(weights))
    ctypes.memmove(memory.address, weights, len(weights))
    return LoadedNetwork(path, source.architecture, source.identified_by, memory, memory.address)


def export(network: LoadedNetwork, name: str) -> None:
    """Copies the file of a network, completely or not at all. EvaluationError if that fails, or if
    the file has changed since it was read."""
    import hashlib

    try:
        target = Path(name).expanduser()
        data = network.path.read_bytes()
        if not hashlib.sha256(data).hexdigest().startswith(network.digest):
            raise EvaluationError(f"{network.path} has changed since it was read")
        write_file(target, data)
    except NetworkError as error:
        raise EvaluationError(str(error)) from error
    except OSError as error:
        raise EvaluationError(f"{error.filename or name}: {reason_of(error)}") from error
    except RuntimeError as error:  # a home directory that does not exist
        raise EvaluationError(f"{name!r} is not a file name") from error


def _remove_old_files(folder: Path) -> None:
    """Networks that were not used lately, the default one apart, are prepared again when needed."""
    others = (file for file in folder.glob(f"*{SUFFIX}") if DIGITS not in file.name)
    files = sorted(others, key=lambda file: file.stat().st_mtime, reverse=True)
    for file in files[KEPT_FILES:]:
        with suppress(OSError):  # in use by another process
            file.unlink()
