# SPDX-License-Identifier: GPL-3.0-or-later
"""The `.nnue` file: bytes to Network and back, the same bytes again.

All numbers are little-endian.

    version u32, file hash u32, description length u32, description
    transformer hash u32, biases i16, weights i16, PSQT weights i32
    for each stack: stack hash u32, then for each layer: biases i32, weights i8

Each of the transformer's three sections is either raw or b"COMPRESSED_LEB128", a length u32 and so
many bytes.
"""

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kingcobra.core.network.architectures import (
    ARCHITECTURES,
    MAX_WIDTH,
    VERSION_HALFKP,
    VERSION_STACKS,
    WIDTH_STEP,
    Architecture,
    LayerShape,
    architectures_of,
)
from kingcobra.errors import reason_of
from kingcobra.networks import leb128
from kingcobra.networks.network import Layer, Network, Sections, Stack
from kingcobra.networks.network_files import (
    IDENTIFIED_BY_CONTENT,
    IDENTIFIED_BY_HEADER,
    IDENTIFIED_BY_REQUEST,
    NetworkError,
    find_network,
    require_file,
    write_file,
)

LEB128_MAGIC = b"COMPRESSED_LEB128"
KNOWN_VERSIONS = (VERSION_HALFKP, VERSION_STACKS)
MAX_DESCRIPTION_BYTES = 1 << 16


def load_network(name: str, squared: bool | None = None) -> Network:
    """The network in the file of that name, wherever find_network finds it."""
    return read_network(find_network(name), squared)


def read_network(path: Path, squared: bool | None = None) -> Network:
    """The network in a file; NetworkError if it is not one. `squared` chooses between
    Stockfish 15's and 15.1's arithmetic where the header leaves it open; without it the content
    decides (Network.identified_by)."""
    require_file(path)
    try:
        data = path.read_bytes()
        return parse_network(data, squared)._replace(digest=hashlib.sha256(data).hexdigest())
    except OSError as error:
        raise NetworkError(f"{path}: {reason_of(error)}") from error
    except NetworkError as error:
        raise NetworkError(f"{path}: {error}") from error


# --- reading ----------------------------------------------------------------------------------


class _Reader:
    """Takes one part after another from a file's bytes; NetworkError where they run out."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.offset = 0

    @property
    def left(self) -> int:
        return len(self._data) - self.offset

    def _advance(self, size: int, what: str) -> int:
        """Skips the next bytes and returns where they began."""
        if size > self.left:
            raise NetworkError(
                f"ends in the middle of the {what}: {size} bytes expected from offset "
                f"{self.offset}, {self.left} left"
            )
        self.offset += size
        return self.offset - size

    def take(self, size: int, what: str) -> bytes:
        start = self._advance(size, what)
        return self._data[start : start + size]

    def number(self, what: str) -> int:
        return int.from_bytes(self.take(4, what), "little")

    def array(self, dtype: str, count: int, what: str) -> NDArray[Any]:
        start = self._advance(np.dtype(dtype).itemsize * count, what)
        return np.frombuffer(self._data, dtype, count, start)

    def skip_if_next(self, word: bytes) -> bool:
        """Skips these bytes if they are next; whether they were."""
        found = self._data.startswith(word, self.offset)
        self.offset += len(word) * found
        return found


def parse_network(data: bytes, squared: bool | None = None) -> Network:
    """The network that a file's bytes describe; see read_network. Errors do not name the file."""
    reader = _Reader(data)
    version = reader.number("version")
    if version not in KNOWN_VERSIONS:
        known = " and ".join(f"0x{number:08x}" for number in KNOWN_VERSIONS)
        raise NetworkError(
            f"version 0x{version:08x}; supported are {known}: not a known .nnue file"
        )
    file_hash = reader.number("file hash")
    size = reader.number("description's length")
    if size > MAX_DESCRIPTION_BYTES:
        raise NetworkError(f"a description of {size} bytes; at most {MAX_DESCRIPTION_BYTES}")
    description = reader.take(size, "description")
    transformer_hash = reader.number("feature transformer's hash")
    candidates = [
        architecture
        for architecture in architectures_of(file_hash, transformer_hash)
        if architecture.version == version
    ]
    if not candidates:
        raise NetworkError(
            f"unknown architecture: version 0x{version:08x}, file hash 0x{file_hash:08x}, feature "
            f"transformer's hash 0x{transformer_hash:08x}; {supported_architectures()}"
        )
    return _settle_squares(_read_first_that_fits(reader, candidates, description), squared)


def _read_first_that_fits(
    reader: _Reader, candidates: list[Architecture], description: bytes
) -> Network:
    """The rest of the file, read as the first of the architectures that it can be. If it can be
    none of them, the error is that of the first."""
    # Those with the same number of inputs fill the same bytes: _settle_squares looks into them.
    sizes = {architecture.inputs: architecture for architecture in reversed(candidates)}
    identified_by = IDENTIFIED_BY_HEADER if len(sizes) == 1 else IDENTIFIED_BY_CONTENT
    body = reader.offset
    errors: list[NetworkError] = []
    for inputs in sorted(sizes):
        reader.offset = body
        try:
            return _read_weights(reader, sizes[inputs], description)._replace(
                identified_by=identified_by
            )
        except NetworkError as error:
            errors.append(error)
    raise errors[0]


def supported_architectures() -> str:
    """One line for people: every family, and the widths it may have."""
    names = ", ".join(architecture.name for architecture in ARCHITECTURES)
    return f"supported are {names}, with widths in multiples of {WIDTH_STEP} up to {MAX_WIDTH}"


def _read_weights(reader: _Reader, architecture: Architecture, description: bytes) -> Network:
    """Everything after the hash of the feature transformer, to the end of the file."""
    width, inputs = architecture.width, architecture.inputs
    biases, biases_packed = _read_section(reader, "<i2", width, "feature biases")
    weights, weights_packed = _read_section(reader, "<i2", inputs * width, "feature weights")
    psqt, psqt_packed = None, False
    if architecture.psqt_buckets:
        count = inputs * architecture.psqt_buckets
        psqt, psqt_packed = _read_section(reader, "<i4", count, "PSQT weights")
        psqt = psqt.reshape(inputs, architecture.psqt_buckets)
    stacks = tuple(_read_stack(reader, architecture, n) for n in range(architecture.stacks))
    if reader.left:
        raise NetworkError(
            f"{reader.left} bytes too many after the end of a network of {architecture.name}"
        )
    return Network(
        architecture=architecture,
        description=description,
        biases=biases,
        weights=weights.reshape(inputs, width),
        psqt=psqt,
        stacks=stacks,
        compressed=Sections(biases_packed, weights_packed, psqt_packed),
    )


def _read_section(reader: _Reader, dtype: str, count: int, what: str) -> tuple[NDArray[Any], bool]:
    """A section of the feature transformer, and whether it was compressed."""
    if not reader.skip_if_next(LEB128_MAGIC):
        return reader.array(dtype, count, what), False
    size = reader.number(f"length of the {what}")
    packed = reader.array("u1", size, what)
    if size < count:
        raise NetworkError(f"{what}: {size} compressed bytes, too few for {count} numbers")
    try:
        return leb128.decode(packed, count, np.dtype(dtype).type), True
    except leb128.Leb128Error as error:
        raise NetworkError(f"{what}: bad LEB128 compression: {error}") from error


def _read_stack(reader: _Reader, architecture: Architecture, number: int) -> Stack:
    what = f"layers of stack {number + 1} of {architecture.stacks}"
    found = reader.number(what)
    if found != architecture.stack_hash:
        raise NetworkError(
            f"hash 0x{found:08x} before the {what}, 0x{architecture.stack_hash:08x} expected for "
            f"{architecture.name}"
        )
    return Stack(*(_read_layer(reader, shape, what) for shape in architecture.layers))


def _read_layer(reader: _Reader, shape: LayerShape, what: str) -> Layer:
    biases = reader.array("<i4", shape.outputs, what)
    weights = reader.array("i1", shape.outputs * shape.padded_inputs, what)
    return Layer(biases, weights.reshape(shape.outputs, shape.padded_inputs))


def _settle_squares(network: Network, squared: bool | None) -> Network:
    """The network with the activation that it was trained for. Stockfish 15 and 15.1 share hashes
    and sizes, but 15's fc1 has half the inputs, and its files have zeros in the other columns."""
    architecture = network.architecture
    others = architectures_of(architecture.file_hash, architecture.transformer_hash)
    unsquared = next((other for other in others if not other.squared), None)
    if not architecture.squared or unsquared is None:
        return network
    identified_by = IDENTIFIED_BY_CONTENT if squared is None else IDENTIFIED_BY_REQUEST
    if squared is None:
        seen = slice(architecture.activated, architecture.layers[1].inputs)
        squared = any(stack.fc1.weights[:, seen].any() for stack in network.stacks)
    if not squared:
        architecture = unsquared
    return network._replace(architecture=architecture, identified_by=identified_by)


# --- writing ----------------------------------------------------------------------------------


def network_bytes(network: Network) -> bytes:
    """The file of a network: for one that was read, the bytes that it was read from."""
    architecture = network.architecture
    parts = [
        _u32(architecture.version),
        _u32(architecture.file_hash),
        _u32(len(network.description)),
        network.description,
        _u32(architecture.transformer_hash),
        _section(network.biases, "<i2", network.compressed.biases),
        _section(network.weights, "<i2", network.compressed.weights),
    ]
    if network.psqt is not None:
        parts.append(_section(network.psqt, "<i4", network.compressed.psqt))
    for stack in network.stacks:
        parts.append(_u32(architecture.stack_hash))
        for layer in stack:
            parts += [layer.biases.astype("<i4").tobytes(), layer.weights.tobytes()]
    return b"".join(parts)


def write_network(network: Network, path: Path) -> None:
    """Writes the file of a network, as write_file does."""
    write_file(path, network_bytes(network))


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "little")


def _section(array: NDArray[Any], dtype: str, compressed: bool) -> bytes:
    if not compressed:
        return array.astype(dtype, copy=False).tobytes()
    packed = leb128.encode(array)
    return LEB128_MAGIC + _u32(len(packed)) + packed
