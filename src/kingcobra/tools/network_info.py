# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra net info`: facts about a network, as text."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kingcobra.core.network.architectures import NO_STOCKFISH, Architecture, Transform
from kingcobra.networks.network import Network
from kingcobra.networks.network_files import IDENTIFIED_BY_CONTENT, IDENTIFIED_BY_REQUEST

NAME_DIGITS = 12
LABEL_WIDTH = 22
PERCENT = 100
# Rows at a time, so that the statistics of large networks need little memory.
BLOCK = 1 << 20


def report_lines(path: Path, network: Network) -> list[str]:
    """Facts about a network, one to a line, then a table of its weights."""
    architecture = network.architecture
    facts = [
        ("file", str(path)),
        ("size", f"{path.stat().st_size} bytes"),
        ("sha256", _digest_text(path)),
        ("description", printable(network.description)),
        ("architecture", architecture.name),
        ("identified by", identified_by_text(network)),
        *_stockfish_facts(architecture),
        ("version", f"0x{architecture.version:08x}"),
        ("file hash", f"0x{architecture.file_hash:08x}"),
        ("transformer's hash", f"0x{architecture.transformer_hash:08x}"),
        ("stack hash", f"0x{architecture.stack_hash:08x}"),
        ("inputs", _inputs_text(architecture)),
        ("accumulator", _accumulator_text(architecture)),
        ("layers", _layers_text(architecture)),
        ("stacks", f"{architecture.stacks}" + (", by men" if architecture.stacks > 1 else "")),
        ("parameters", f"{sum(array.size for array in network.arrays())}"),
        ("compressed", _compressed_text(network)),
    ]
    lines = [f"{label:<{LABEL_WIDTH}}{text}" for label, text in facts]
    return [*lines, "", *weight_table(network)]


def identified_by_text(network: Network) -> str:
    """How the architecture was determined, and by what."""
    architecture = network.architecture
    if not architecture.forwarded:
        return network.identified_by
    taken = "squared and clipped" if architecture.squared else "clipped only"
    if network.identified_by == IDENTIFIED_BY_CONTENT:
        reason = "weights" if architecture.squared else "nothing but zeros"
        return f"{network.identified_by}: {reason} for squared activations; taken as {taken}"
    if network.identified_by == IDENTIFIED_BY_REQUEST:
        return f"{network.identified_by}: activations {taken}"
    return network.identified_by


def printable(description: bytes) -> str:
    """A description as one line, whatever bytes it has."""
    text = description.decode("utf-8", errors="backslashreplace")
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def _stockfish_facts(architecture: Architecture) -> list[tuple[str, str]]:
    """The versions that had it; nothing where none had."""
    has_one = architecture.stockfish != NO_STOCKFISH
    return [("Stockfish", architecture.stockfish)] if has_one else []


def _digest_text(path: Path) -> str:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    stem = path.name.removesuffix(".nnue").removeprefix("nn-")
    if len(stem) != NAME_DIGITS or path.name != f"nn-{stem}.nnue":
        return digest
    return f"{digest} ({'as' if digest.startswith(stem) else 'NOT as'} the name says)"


def _inputs_text(architecture: Architecture) -> str:
    features = architecture.features
    return (
        f"{features.inputs} = {features.king_buckets} king buckets x "
        f"({features.planes} x 64 squares" + (f" + {features.first})" if features.first else ")")
    )


def _accumulator_text(architecture: Architecture) -> str:
    psqt = f", and {architecture.psqt_buckets} PSQT sums" if architecture.psqt_buckets else ""
    squeezed = "clipped" if architecture.transform is Transform.CLIPPED else "products of pairs"
    return f"2 x {architecture.width}{psqt}; {squeezed}: {architecture.transformed} activations"


def _layers_text(architecture: Architecture) -> str:
    shapes = ", ".join(f"{layer.inputs} -> {layer.outputs}" for layer in architecture.layers)
    return shapes + ("; the first layer's last output is forwarded" * architecture.forwarded)


def _compressed_text(network: Network) -> str:
    flags = network.compressed._asdict().items()
    return ", ".join(name for name, is_compressed in flags if is_compressed) or "nothing"


# --- statistics -------------------------------------------------------------------------------


def weight_table(network: Network) -> list[str]:
    """A row for each part of the network; the stacks' layers are taken together."""
    heading = f"{'weights':<{LABEL_WIDTH}}{'type':>6}{'count':>11}{'min':>11}{'max':>11}"
    lines = [f"{heading}{'mean':>11}{'deviation':>11}{'zeros %':>9}"]
    for name, array in _parts(network):
        found = statistics(array)
        lines.append(
            f"{name:<{LABEL_WIDTH}}{array.dtype.name:>6}{array.size:>11}{found.low:>11}{found.high:>11}"
            f"{found.mean:>11.2f}{found.deviation:>11.2f}{PERCENT * found.zeros:>9.2f}"
        )
    return lines


def _parts(network: Network) -> Iterator[tuple[str, NDArray[Any]]]:
    yield "feature biases", network.biases
    yield "feature weights", network.weights
    if network.psqt is not None:
        yield "PSQT weights", network.psqt
    for number, shape in enumerate(network.architecture.layers):
        layers = [stack[number] for stack in network.stacks]
        yield f"fc{number} biases", np.concatenate([layer.biases for layer in layers])
        used = [layer.weights[:, : shape.inputs] for layer in layers]
        yield f"fc{number} weights", np.concatenate(used)


class ArrayStatistics(NamedTuple):
    """Of the numbers of an array; `zeros` is the fraction that is zero."""

    low: int
    high: int
    mean: float
    deviation: float
    zeros: float


def statistics(array: NDArray[Any]) -> ArrayStatistics:
    """Computed in blocks, so that it needs little memory."""
    flat = array.reshape(-1)
    total = squares = zeros = 0.0
    for start in range(0, flat.size, BLOCK):
        block = flat[start : start + BLOCK].astype(np.float64)
        total += block.sum()
        squares += np.dot(block, block)
        zeros += block.size - np.count_nonzero(block)
    mean = total / flat.size
    variance = max(squares / flat.size - mean * mean, 0.0)
    return ArrayStatistics(int(flat.min()), int(flat.max()), mean, variance**0.5, zeros / flat.size)
