# SPDX-License-Identifier: GPL-3.0-or-later
"""A network in memory: its architecture, and its weights as NumPy arrays, as the file has them."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kingcobra.core.network.architectures import Architecture
from kingcobra.networks.network_files import IDENTIFIED_BY_HEADER

Int8s = NDArray[np.int8]
Int16s = NDArray[np.int16]
Int32s = NDArray[np.int32]


class Layer(NamedTuple):
    """A dense layer: out[o] = biases[o] + sum of weights[o, i] * input[i].

    biases   int32[outputs]
    weights  int8[outputs, padded_inputs], C order; the columns from `inputs` on are padding, which
             a well-made file fills with zeros and which no evaluation may read
    """

    biases: Int32s
    weights: Int8s


class Stack(NamedTuple):
    """The three dense layers for one number of men; shapes are `architecture.layers`."""

    fc0: Layer
    fc1: Layer
    fc2: Layer


class Sections(NamedTuple):
    """Which parts of the feature transformer are LEB128-compressed in the file."""

    biases: bool
    weights: bool
    psqt: bool


UNCOMPRESSED = Sections(False, False, False)
COMPRESSED = Sections(True, True, True)


class Network(NamedTuple):
    """A whole network. Arrays are read-only views into the file's bytes where it is not
    compressed, so they may be unaligned: code that needs addresses copies them first.

    biases   int16[width]              what an accumulator starts from
    weights  int16[inputs, width]      the row that an input adds to it
    psqt     int32[inputs, 8] or None  likewise for the PSQT sums, which start from 0
    stacks   one Stack, or eight, by (men - 1) // 4

    `identified_by` says how the architecture was determined: by the "header", by the "content" (two
    architectures share the header's hashes) or by "request" (the caller chose between those two).
    `digest` is the SHA-256 of the file that it was read from, empty without a file.
    """

    architecture: Architecture
    description: bytes
    biases: Int16s
    weights: Int16s
    psqt: Int32s | None
    stacks: tuple[Stack, ...]
    compressed: Sections = UNCOMPRESSED
    identified_by: str = IDENTIFIED_BY_HEADER
    digest: str = ""

    def same_weights(self, other: "Network") -> bool:
        """Whether both networks evaluate every position alike because all their numbers agree."""
        mine, theirs = self.arrays(), other.arrays()
        return self.architecture == other.architecture and all(
            np.array_equal(one, two) for one, two in zip(mine, theirs, strict=True)
        )

    def arrays(self) -> list[NDArray[Any]]:
        """All arrays in the order of the file."""
        transformer = [self.biases, self.weights] + ([] if self.psqt is None else [self.psqt])
        return transformer + [array for stack in self.stacks for layer in stack for array in layer]
