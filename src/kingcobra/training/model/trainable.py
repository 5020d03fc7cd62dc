# SPDX-License-Identifier: GPL-3.0-or-later
"""A network as it is trained: floating-point numbers in which one is the exported activation 127.

The arithmetic follows the integers of the engine: activations end at one, products and squares
lose the part of 1/128 that the engine's shifts lose, and weights stay where their integers fit.
With `rounds`, all but the PSQT is rounded in the forward pass as export will round it, and what the
engine's shifts drop is dropped, while gradients pass as if nothing were.
"""

import math

import torch
from torch import Tensor, nn

from kingcobra.core.network.architectures import Architecture, Transform
from kingcobra.training.model.decoding import Views
from kingcobra.training.model.scales import (
    ACTIVATION_PARTS,
    HIDDEN_LIMIT,
    HIDDEN_ONE,
    OUTPUT_LIMIT,
    OUTPUT_WEIGHT_ONE,
    PAIR_PARTS,
    ROW_ONE,
    SHIFT_LOSS,
    SQUARE_PARTS,
)
from kingcobra.training.model.transformer import FeatureTransformer

SECOND_BIAS_START = 0.1


class TrainableNetwork(nn.Module):
    """Any family of architectures.ARCHITECTURES, at any width."""

    def __init__(self, architecture: Architecture) -> None:
        super().__init__()
        self.architecture = architecture
        # Whether the feature transformer is a product for each king's bucket.
        self.grouped = False
        self.transformer = FeatureTransformer(architecture)
        stacks = architecture.stacks
        first, second, last = architecture.layers
        # What the stacks have in common is learnt apart, as the virtual rows are.
        self.fc0_shared = nn.Parameter(
            torch.randn(first.outputs, first.inputs) / _root(first.inputs)
        )
        self.fc0 = nn.Parameter(torch.zeros(stacks, first.outputs, first.inputs))
        self.fc0_biases = nn.Parameter(torch.zeros(stacks, first.outputs))
        start = torch.randn(second.outputs, second.inputs) / _root(second.inputs)
        self.fc1 = nn.Parameter(start.repeat(stacks, 1, 1))
        self.fc1_biases = nn.Parameter(torch.full((stacks, second.outputs), SECOND_BIAS_START))
        start = torch.randn(last.outputs, last.inputs) / _root(last.inputs)
        self.fc2 = nn.Parameter(start.repeat(stacks, 1, 1))
        self.fc2_biases = nn.Parameter(torch.zeros(stacks, last.outputs))

    def fc0_weights(self) -> Tensor:
        """The first layer of each stack with the shared part."""
        return self.fc0 + self.fc0_shared

    def forward(self, views: Views, stack: Tensor, rounds: bool = False) -> Tensor:
        """Values of positions from their movers' side; one is 9600 of the raw integers. With
        `rounds` they are those of an export, nearly to the unit."""
        architecture = self.architecture
        transformer = self.transformer
        table: Tensor = transformer.table()
        biases: Tensor = transformer.biases
        if rounds:
            table, biases = _rounded(table, ROW_ONE), _rounded(biases, ROW_ONE)
        way = transformer.by_products if self.grouped else transformer.by_bags
        sums, psqt = way(views, table)
        hidden = self._transformed(sums + biases, rounds)
        fc0 = self._dense(hidden, self.fc0_weights(), self.fc0_biases, stack, HIDDEN_ONE, rounds)
        seen = fc0[:, : architecture.activated]
        activated = _activated(seen, rounds)
        if architecture.squared:
            squares = (seen * seen * SHIFT_LOSS).clamp(max=1)
            if rounds:
                squares = _shifted(squares, SQUARE_PARTS)
            activated = torch.cat([squares, activated], dim=1)
        fc1 = self._dense(activated, self.fc1, self.fc1_biases, stack, HIDDEN_ONE, rounds)
        value = self._dense(
            _activated(fc1, rounds), self.fc2, self.fc2_biases, stack, OUTPUT_WEIGHT_ONE, rounds
        ).squeeze(1)
        if architecture.forwarded:
            value = value + fc0[:, -1]
        if architecture.psqt_buckets:
            own, other = psqt.chunk(2)
            value = value + ((own - other) / 2).gather(1, stack[:, None]).squeeze(1)
        return value

    def _transformed(self, sums: Tensor, rounds: bool) -> Tensor:
        clipped = sums.clamp(0, 1)
        if self.architecture.transform is Transform.PAIRWISE:
            first, second = clipped.chunk(2, dim=1)
            clipped = first * second * SHIFT_LOSS
            if rounds:
                clipped = _shifted(clipped, PAIR_PARTS)
        own, other = clipped.chunk(2)
        return torch.cat([own, other], dim=1)

    def _dense(
        self,
        inputs: Tensor,
        weights: Tensor,
        biases: Tensor,
        stack: Tensor,
        one: float,
        rounds: bool,
    ) -> Tensor:
        """One layer, of the stack in use. All stacks are computed: that is one large product
        instead of a search for the positions of each. Factors are multiplied in the units of an
        export: a product that keeps eleven bits of each factor has their whole numbers."""
        whole_one = ROW_ONE * one
        if rounds:
            weights, biases = _rounded(weights, one), _rounded(biases, whole_one)
        outputs = biases.shape[1]
        each = (inputs * ROW_ONE) @ (weights * one).flatten(0, 1).T
        each = each.view(len(inputs), -1, outputs)
        chosen = each[torch.arange(len(inputs), device=inputs.device), stack]
        return chosen / whole_one + biases[stack]

    @torch.no_grad()
    def clip(self) -> None:
        """Brings weights back to where their integers fit, shared parts counted in. After each
        step."""
        excess = self.fc0_weights() - self.fc0_weights().clamp(-HIDDEN_LIMIT, HIDDEN_LIMIT)
        self.fc0.sub_(excess)
        self.fc1.clamp_(-HIDDEN_LIMIT, HIDDEN_LIMIT)
        self.fc2.clamp_(-OUTPUT_LIMIT, OUTPUT_LIMIT)


def _rounded(weights: Tensor, one: float) -> Tensor:
    return weights + ((weights * one).round() / one - weights).detach()


def _activated(sums: Tensor, rounds: bool) -> Tensor:
    clipped = sums.clamp(0, 1)
    return _shifted(clipped, ACTIVATION_PARTS) if rounds else clipped


def _shifted(values: Tensor, parts: int) -> Tensor:
    """Activations without what a shift drops. They are whole numbers of parts but for the rounding
    of floating point: with half a part more, hardly any falls below its own unit."""
    whole = (values * ROW_ONE + 0.5 / parts).floor() / ROW_ONE
    return values + (whole - values).detach()


def _root(inputs: int) -> float:
    return math.sqrt(inputs)
