# SPDX-License-Identifier: GPL-3.0-or-later
"""Between trainable networks and `.nnue` files, both ways.

Export never clips silently: a number that does not fit its integer raises ExportError and says
which.
"""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from kingcobra.core.network.architectures import Architecture, LayerShape
from kingcobra.core.rules.basics import SQUARES
from kingcobra.networks.network import COMPRESSED, UNCOMPRESSED, Layer, Network, Stack
from kingcobra.training.model.scales import (
    HIDDEN_BIAS_ONE,
    HIDDEN_ONE,
    INT8_LIMIT,
    OUTPUT_ONE,
    OUTPUT_WEIGHT_ONE,
    ROW_ONE,
)
from kingcobra.training.model.trainable import TrainableNetwork

INT16_LIMIT = (1 << 15) - 1
INT32_LIMIT = (1 << 31) - 1


class ExportError(ValueError):
    """A network that does not fit its file's integers, or a file of another architecture."""


def exported(network: TrainableNetwork, description: str) -> Network:
    """The network in integers. ExportError where a number does not fit."""
    architecture = network.architecture
    transformer = network.transformer
    rows = _with_unused_rows(architecture, transformer.table())
    psqt = None
    if architecture.psqt_buckets:
        psqt = _integers(
            _with_unused_rows(architecture, transformer.psqt_table()),
            OUTPUT_ONE,
            INT32_LIMIT,
            np.int32,
            "PSQT weight",
        )
    return Network(
        architecture,
        description.encode(),
        _integers(transformer.biases, ROW_ONE, INT16_LIMIT, np.int16, "feature bias"),
        _integers(rows, ROW_ONE, INT16_LIMIT, np.int16, "feature weight"),
        psqt,
        tuple(_stack(network, number) for number in range(architecture.stacks)),
        COMPRESSED if architecture.psqt_buckets else UNCOMPRESSED,
    )


def imported(network: Network) -> TrainableNetwork:
    """A trainable network that begins where a file ends. The virtual parts are zero, but for the
    PSQT's."""
    result = TrainableNetwork(network.architecture)
    transformer = result.transformer
    with torch.no_grad():
        transformer.virtual.zero_()
        result.fc0_shared.zero_()
        transformer.rows.copy_(_used_rows(network.architecture, network.weights, ROW_ONE))
        transformer.biases.copy_(_floats(network.biases, ROW_ONE))
        if network.psqt is not None:
            transformer.begin_psqt(_used_rows(network.architecture, network.psqt, OUTPUT_ONE))
        for number, stack in enumerate(network.stacks):
            for layer, shape, name, one, bias_one in zip(
                stack, network.architecture.layers, *_NAMES_AND_SCALES, strict=True
            ):
                weights = layer.weights[:, : shape.inputs]
                getattr(result, name)[number].copy_(_floats(weights, one))
                getattr(result, f"{name}_biases")[number].copy_(_floats(layer.biases, bias_one))
    return result


_NAMES_AND_SCALES = (
    ("fc0", "fc1", "fc2"),
    (HIDDEN_ONE, HIDDEN_ONE, OUTPUT_WEIGHT_ONE),
    (HIDDEN_BIAS_ONE, HIDDEN_BIAS_ONE, OUTPUT_ONE),
)


def _stack(network: TrainableNetwork, number: int) -> Stack:
    weights = (network.fc0_weights(), network.fc1, network.fc2)
    biases = (network.fc0_biases, network.fc1_biases, network.fc2_biases)
    layers = [
        _layer(weight[number], bias[number], shape, one, bias_one, f"stack {number}, {name}")
        for weight, bias, shape, name, one, bias_one in zip(
            weights, biases, network.architecture.layers, *_NAMES_AND_SCALES, strict=True
        )
    ]
    return Stack(*layers)


def _layer(
    weights: Tensor, biases: Tensor, shape: LayerShape, one: float, bias_one: float, name: str
) -> Layer:
    padded = np.zeros((shape.outputs, shape.padded_inputs), np.int8)
    padded[:, : shape.inputs] = _integers(weights, one, INT8_LIMIT, np.int8, f"{name} weight")
    return Layer(_integers(biases, bias_one, INT32_LIMIT, np.int32, f"{name} bias"), padded)


def _integers(values: Tensor, one: float, limit: int, dtype: Any, name: str) -> NDArray[Any]:
    """Rounded to whole numbers; ExportError names the first that does not fit."""
    whole = np.rint(values.detach().double().cpu().numpy() * one)
    outside = ~(np.abs(whole) <= limit)
    if outside.any():
        place = tuple(int(index) for index in np.argwhere(outside)[0])
        raise ExportError(
            f"{name} {place} is {whole[place]:g}, limit {limit};"
            f" {int(outside.sum())} of {whole.size} do not fit"
        )
    return whole.astype(dtype)


def _with_unused_rows(architecture: Architecture, table: Tensor) -> Tensor:
    """The rows as files have them: some families keep a row free before each king's bucket."""
    features = architecture.features
    buckets, _, columns = table.shape
    unused = table.new_zeros(buckets, features.first, columns)
    return torch.cat([unused, table], dim=1).flatten(0, 1)


def _used_rows(architecture: Architecture, table: NDArray[Any], one: float) -> Tensor:
    features = architecture.features
    rows = _floats(table, one).view(features.king_buckets, features.per_king, -1)
    return rows[:, features.first : features.first + features.planes * SQUARES]


def _floats(values: NDArray[Any], one: float) -> Tensor:
    return torch.from_numpy(values.astype(np.float64) / one).float()
