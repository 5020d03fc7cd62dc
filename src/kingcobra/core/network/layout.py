# SPDX-License-Identifier: GPL-3.0-or-later
"""Where everything lies that a compiled network reads and writes.

Prepared weights: the biases as one row, a row for each input, then the stacks of layers. A row is
`width` 16-bit sums and, where the network has them, eight 32-bit PSQT sums on a cache line of their
own. A thread's memory: accumulators in the form of rows, by ply and by king's square.
"""

import ctypes
from ctypes import c_int64
from typing import NamedTuple

from kingcobra.core.network.architectures import ARCHITECTURES, Architecture
from kingcobra.core.rules.basics import COLOURS, SQUARES
from kingcobra.core.rules.layout import STATES

CACHE_LINE_BYTES = 64
BYTE_BYTES, WORD_BYTES, LONG_BYTES, KEY_BYTES = 1, 2, 4, 8
# What the first two layers read at a time: four bytes, or two words.
CHUNK_BYTES = 4
# As many rows as a comparison of two boards can ask for.
MOST_ROWS = SQUARES


class NetworkThread(ctypes.Structure):
    """What one thread needs to evaluate one position by one network: addresses, then the network's
    answer. The last group is for a main network, which may leave the answer to others."""

    _fields_ = (
        ("position", c_int64),
        ("weights", c_int64),
        ("memory", c_int64),
        # The two parts of the answer, before the division by the output scale.
        ("psqt", c_int64),
        ("positional", c_int64),
        # Raw units of the network in a pawn.
        ("raw_per_pawn", c_int64),
        # Evaluations that may answer instead, zero for none: a smaller network with its own thread,
        # and the classical evaluation, for positions that are lopsided by `classical_from` units.
        ("small_evaluate", c_int64),
        ("small_thread", c_int64),
        ("classical_evaluate", c_int64),
        ("classical_from", c_int64),
    )


class StackOffsets(NamedTuple):
    """Where the parts of one stack of layers begin, and where it ends, in bytes. Weights of the
    first two layers lie chunk by chunk, all outputs of a chunk together."""

    first_biases: int
    first_weights: int
    second_biases: int
    second_weights: int
    last_bias: int
    last_weights: int
    end: int


class MemoryOffsets(NamedTuple):
    """Where the parts of a thread's memory begin, and where it ends, in bytes."""

    # Keys of the accumulators, by ply and view, and the accumulators themselves.
    keys: int
    sums: int
    # Accumulators remembered by view and king's square.
    remembered: int
    # Lists of rows to add and of rows to subtract.
    added: int
    removed: int
    # The first layer's inputs, the numbers of the active chunks among them, and its activations.
    inputs: int
    active: int
    hidden: int
    end: int


def _padded(size: int) -> int:
    """Up to the next cache line."""
    return -(-size // CACHE_LINE_BYTES) * CACHE_LINE_BYTES


def _offsets(sizes: tuple[int, ...]) -> list[int]:
    """Where parts of these sizes begin, each on its own cache line, and where the last one ends."""
    offsets = [0]
    for size in sizes:
        offsets.append(offsets[-1] + _padded(size))
    return offsets


class Plan(NamedTuple):
    """Sizes and offsets in bytes for an architecture. `in_bytes`: whether what goes from layer to
    layer is stored in bytes, for levels that multiply bytes, or in words."""

    architecture: Architecture
    in_bytes: bool

    @property
    def activation_bytes(self) -> int:
        """Size of one number on its way from layer to layer."""
        return BYTE_BYTES if self.in_bytes else WORD_BYTES

    @property
    def per_chunk(self) -> int:
        """Numbers in a chunk."""
        return CHUNK_BYTES // self.activation_bytes

    # --- rows ---------------------------------------------------------------------------------

    @property
    def sums_bytes(self) -> int:
        """The 16-bit sums of a row; its PSQT sums lie behind them."""
        return self.architecture.width * WORD_BYTES

    @property
    def row_bytes(self) -> int:
        """A whole row."""
        return self.sums_bytes + _padded(self.architecture.psqt_buckets * LONG_BYTES)

    # --- prepared weights ---------------------------------------------------------------------

    @property
    def rows_at(self) -> int:
        """The row of the first input; before it lies that of the biases."""
        return self.row_bytes

    @property
    def stacks_at(self) -> int:
        """The first stack."""
        return self.rows_at + self.architecture.inputs * self.row_bytes

    @property
    def first_chunks(self) -> int:
        """Chunks that the first layer reads."""
        return self.architecture.transformed // self.per_chunk

    @property
    def second_inputs(self) -> int:
        """Numbers that the second layer reads: for each output of the first its clipped value,
        after all squares where there are squares. A forwarded output is there too, with weights of
        zero."""
        return self.architecture.hidden[0] * (2 if self.architecture.squared else 1)

    @property
    def second_chunks(self) -> int:
        """Chunks that the second layer reads."""
        return self.second_inputs // self.per_chunk

    @property
    def stack_offsets(self) -> StackOffsets:
        """The parts of a stack."""
        first, second = self.architecture.hidden
        sizes = (
            first * LONG_BYTES,
            self.first_chunks * first * CHUNK_BYTES,
            second * LONG_BYTES,
            self.second_chunks * second * CHUNK_BYTES,
            LONG_BYTES,
            second * WORD_BYTES,
        )
        return StackOffsets(*_offsets(sizes))

    @property
    def stack_bytes(self) -> int:
        """A whole stack."""
        return self.stack_offsets.end

    @property
    def weights_bytes(self) -> int:
        """All prepared weights."""
        return self.stacks_at + self.architecture.stacks * self.stack_bytes

    # --- a thread's memory --------------------------------------------------------------------

    @property
    def memory_offsets(self) -> MemoryOffsets:
        """The parts of a thread's memory."""
        sizes = (
            STATES * COLOURS * KEY_BYTES,
            STATES * COLOURS * self.row_bytes,
            COLOURS * SQUARES * self.remembered_bytes,
            MOST_ROWS * KEY_BYTES,
            MOST_ROWS * KEY_BYTES,
            self.architecture.transformed * self.activation_bytes,
            self.first_chunks * WORD_BYTES,
            self.second_inputs * self.activation_bytes,
        )
        return MemoryOffsets(*_offsets(sizes))

    @property
    def remembered_bytes(self) -> int:
        """A remembered accumulator: the board it belongs to, and the row."""
        return SQUARES + self.row_bytes

    @property
    def memory_bytes(self) -> int:
        """A thread's whole memory for this network."""
        return self.memory_offsets.end


def architecture_named(name: str, width: int) -> Architecture:
    """The architecture of that name. ValueError where the table has none."""
    for family in ARCHITECTURES:
        architecture = family.at_width(width)
        if architecture.name == name:
            return architecture
    raise ValueError(f"no architecture {name!r} of width {width}")
