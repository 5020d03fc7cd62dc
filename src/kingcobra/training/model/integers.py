# SPDX-License-Identifier: GPL-3.0-or-later
"""A network's whole numbers evaluated by PyTorch, for any device: exactly what the engine computes.

It serves two purposes: an exported network is checked against it, and a teacher labels positions
on the device where the trainer needs them.
"""

from typing import NamedTuple

import torch
import torch.nn.functional as functional
from torch import Tensor

from kingcobra.core.network.architectures import Architecture, Transform
from kingcobra.networks.network import Layer, Network
from kingcobra.networks.plain import (
    ACTIVATION_MAX,
    ACTIVATION_SHIFT,
    FORWARDED_DIVISOR,
    FORWARDED_FACTOR,
    PAIR_SHIFT,
    SQUARE_SHIFT,
)
from kingcobra.training.model.decoding import decode, lit_inputs

# Whole numbers of the layers pass through double precision on their way through matrix products:
# all of them are far below 2 ** 53.
EXACT = torch.float64


class RawValues(NamedTuple):
    """For each position, in the stack in use, from the mover's side."""

    psqt: Tensor
    positional: Tensor

    @property
    def total(self) -> Tensor:
        """The network's raw answer."""
        return self.psqt + self.positional


class IntegerNetwork:
    """A network's arrays on a device."""

    def __init__(self, network: Network, device: torch.device | str = "cpu") -> None:
        self.architecture: Architecture = network.architecture
        self._weights = torch.tensor(network.weights, dtype=EXACT, device=device)
        self._biases = torch.tensor(network.biases, dtype=torch.int64, device=device)
        self._psqt = (
            None if network.psqt is None else torch.tensor(network.psqt, dtype=EXACT, device=device)
        )
        self._layers = [
            _Stacked.of([stack[number] for stack in network.stacks], shape.inputs, device)
            for number, shape in enumerate(self.architecture.layers)
        ]

    def evaluate(self, words: Tensor) -> RawValues:
        """Raw values of packed positions."""
        architecture = self.architecture
        batch = decode(words, architecture.features, architecture.stacks)
        inputs, offsets = lit_inputs(batch.views, architecture.features)
        sums = _summed(inputs, self._weights, offsets) + self._biases
        sums = (sums + (1 << 15)) % (1 << 16) - (1 << 15)
        positional = self._positional(self._transformed(sums), batch.stack)
        if self._psqt is None:
            return RawValues(torch.zeros_like(positional), positional)
        own, other = _summed(inputs, self._psqt, offsets).chunk(2)
        psqt = (own - other).gather(1, batch.stack[:, None]).squeeze(1)
        return RawValues(_truncated(psqt, 2), positional)

    def _transformed(self, sums: Tensor) -> Tensor:
        clipped = sums.clamp(0, ACTIVATION_MAX)
        if self.architecture.transform is Transform.PAIRWISE:
            first, second = clipped.chunk(2, dim=1)
            clipped = first * second >> PAIR_SHIFT
        own, other = clipped.chunk(2)
        return torch.cat([own, other], dim=1)

    def _positional(self, transformed: Tensor, stack: Tensor) -> Tensor:
        architecture = self.architecture
        fc0 = self._layers[0].outputs(transformed, stack)
        seen = fc0[:, : architecture.activated]
        activated = _clipped(seen)
        if architecture.squared:
            squares = (seen * seen >> SQUARE_SHIFT).clamp(max=ACTIVATION_MAX)
            activated = torch.cat([squares, activated], dim=1)
        fc1 = self._layers[1].outputs(activated, stack)
        result = self._layers[2].outputs(_clipped(fc1), stack).squeeze(1)
        if architecture.forwarded:
            result = result + _truncated(fc0[:, -1] * FORWARDED_FACTOR, FORWARDED_DIVISOR)
        return result


class _Stacked(NamedTuple):
    """One layer of all stacks."""

    weights: Tensor
    biases: Tensor

    @classmethod
    def of(cls, layers: list[Layer], inputs: int, device: torch.device | str) -> "_Stacked":
        weights = [torch.tensor(layer.weights[:, :inputs], dtype=EXACT) for layer in layers]
        biases = [torch.tensor(layer.biases, dtype=torch.int64) for layer in layers]
        return cls(torch.stack(weights).to(device), torch.stack(biases).to(device))

    def outputs(self, inputs: Tensor, stack: Tensor) -> Tensor:
        stacks, outputs, _ = self.weights.shape
        product = inputs.to(EXACT) @ self.weights.flatten(0, 1).T
        each = product.view(-1, stacks, outputs)[torch.arange(len(stack)), stack]
        return each.to(torch.int64) + self.biases[stack]


def _summed(inputs: Tensor, table: Tensor, offsets: Tensor) -> Tensor:
    return functional.embedding_bag(inputs, table, offsets, mode="sum").to(torch.int64)


def _clipped(values: Tensor) -> Tensor:
    return (values >> ACTIVATION_SHIFT).clamp(0, ACTIVATION_MAX)


def _truncated(dividend: Tensor, divisor: int) -> Tensor:
    return torch.div(dividend, divisor, rounding_mode="trunc")
