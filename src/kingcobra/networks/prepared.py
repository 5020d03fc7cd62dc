# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights in the order in which compiled code reads them."""

import numpy as np
from numpy.typing import NDArray

from kingcobra.core.network.layout import LONG_BYTES, Plan
from kingcobra.networks.network import Int8s, Layer, Network, Stack

Bytes = NDArray[np.uint8]


def prepare(network: Network, plan: Plan) -> Bytes:
    """All prepared weights of a network, laid out as its plan says."""
    architecture = plan.architecture
    prepared = np.zeros(plan.weights_bytes, np.uint8)
    rows = prepared[: plan.stacks_at].reshape(-1, plan.row_bytes)
    sums = rows[:, : plan.sums_bytes].view(np.int16)
    sums[0] = network.biases
    sums[1:] = network.weights
    if network.psqt is not None:
        psqt_end = plan.sums_bytes + architecture.psqt_buckets * LONG_BYTES
        rows[1:, plan.sums_bytes : psqt_end].view(np.int32)[:] = network.psqt
    for number, stack in enumerate(network.stacks):
        start = plan.stacks_at + number * plan.stack_bytes
        _prepare_stack(stack, plan, prepared[start : start + plan.stack_bytes])
    return prepared


def _prepare_stack(stack: Stack, plan: Plan, target: Bytes) -> None:
    first, second, third = stack
    parts = (
        first.biases,
        _by_chunks(first.weights[:, : plan.architecture.transformed], plan),
        second.biases,
        _by_chunks(_second_columns(second, plan), plan),
        third.biases,
        third.weights[0, : plan.architecture.hidden[1]].astype(np.int16),
    )
    for part, offset in zip(parts, plan.stack_offsets, strict=False):
        data = np.ascontiguousarray(part).view(np.uint8).reshape(-1)
        target[offset : offset + len(data)] = data


def _second_columns(layer: Layer, plan: Plan) -> Int8s:
    """The second layer's weights with a column for every output of the first, forwarded or not."""
    seen, all_outputs = plan.architecture.activated, plan.architecture.hidden[0]
    columns = np.zeros((len(layer.weights), plan.second_inputs), np.int8)
    for number in range(plan.second_inputs // all_outputs):
        source = layer.weights[:, number * seen : (number + 1) * seen]
        columns[:, number * all_outputs : number * all_outputs + seen] = source
    return columns


def _by_chunks(weights: Int8s, plan: Plan) -> NDArray[np.int8] | NDArray[np.int16]:
    """[output, input] becomes [chunk, output, place in the chunk]."""
    outputs, inputs = weights.shape
    chunks = weights.reshape(outputs, inputs // plan.per_chunk, plan.per_chunk).swapaxes(0, 1)
    return chunks if plan.in_bytes else chunks.astype(np.int16)
