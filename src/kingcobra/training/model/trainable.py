# SPDX-License-Identifier: GPL-3.0-or-later
"""A network as it is trained: floating-point numbers in which one is the exported activation 127.

The arithmetic follows the integers of the engine: activations end at one, products and squares
lose the part of 1/128 that the engine's shifts lose, and weights stay where their integers fit.
With `rounds`, weights are rounded in the forward pass as export will round them, while gradients
pass as if they were not.
"""

import math

import torch
from torch import Tensor, nn

from kingcobra.core.network.architectures import Architecture, Transform
from kingcobra.training.model.decoding import Views
from kingcobra.training.model.scales import (
    HIDDEN_LIMIT,
    HIDDEN_ONE,
    OUTPUT_LIMIT,
    OUTPUT_WEIGHT_ONE,
    ROW_ONE,
    SHIFT_LOSS,
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
        """Values of positions from their movers' side; one is 9600 of the raw integers."""
        architecture = self.architecture
        table = self.transformer.table()
        if rounds:
            table = _rounded(table, ROW_ONE)
        transformer = self.transformer
        way = transformer.by_products if self.grouped else transformer.by_bags
        sums, psqt = way(views, table)
        hidden = self._transformed(sums)
        fc0 = self._dense(hidden, self.fc0_weights(), self.fc0_biases, stack, HIDDEN_ONE, rounds)
        seen = fc0[:, : architecture.activated]
        activated = seen.clamp(0, 1)
        if architecture.squared:
            activated = torch.cat([(seen * seen * SHIFT_LOSS).clamp(max=1), activated], dim=1)
        fc1 = self._dense(activated, self.fc1, self.fc1_biases, stack, HIDDEN_ONE, rounds)
        value = self._dense(
            fc1.clamp(0, 1), self.fc2, self.fc2_biases, stack, OUTPUT_WEIGHT_ONE, rounds
        ).squeeze(1)
        if architecture.forwarded:
            value = value + fc0[:, -1]
        if architecture.psqt_buckets:
            own, other = psqt.chunk(2)
            value = value + ((own - other) / 2).gather(1, stack[:, None]).squeeze(1)
        return value

    def _transformed(self, sums: Tensor) -> Tensor:
        clipped = sums.clamp(0, 1)
        if self.architecture.transform is Transform.PAIRWISE:
            first, second = clipped.chunk(2, dim=1)
            clipped = first * second * SHIFT_LOSS
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
        instead of a search for the positions of each."""
        if rounds:
            weights = _rounded(weights, one)
        outputs = biases.shape[1]
        each = (inputs @ weights.flatten(0, 1).T).view(len(inputs), -1, outputs)
        chosen = each[torch.arange(len(inputs), device=inputs.device), stack]
        return chosen + biases[stack]

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


def _root(inputs: int) -> float:
    return math.sqrt(inputs)
