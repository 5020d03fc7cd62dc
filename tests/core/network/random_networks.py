# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks with random weights, for architectures and widths that no file at hand has.

Magnitudes are chosen so that activations spread over their range instead of sticking to its ends,
and so that no sum leaves its 16 or 32 bits.
"""

import numpy as np

from kingcobra.core.network.architectures import ARCHITECTURES, SQUARED
from kingcobra.networks.network import UNCOMPRESSED, Layer, Network, Stack

FEATURE_WEIGHT_MAX, FEATURE_BIAS_MAX = 40, 200
PSQT_MAX = 30_000
TYPICAL_ACTIVATION, TYPICAL_SUM = 30, 4_000
SMALL_WIDTH = 64


def architecture_named(name, width=None):
    """The architecture of that name, at its own width or another."""
    (found,) = [architecture for architecture in ARCHITECTURES if architecture.name == name]
    return found.at_width(width or found.width)


def random_network(architecture, seed=0, compressed=UNCOMPRESSED):
    """A network of that architecture, the same for the same seed."""
    rng = np.random.default_rng(seed)
    inputs, width = architecture.inputs, architecture.width
    psqt = None
    if architecture.psqt_buckets:
        shape = (inputs, architecture.psqt_buckets)
        psqt = rng.integers(-PSQT_MAX, PSQT_MAX, shape, np.int32)
    return Network(
        architecture=architecture,
        description=f"random weights of seed {seed}".encode(),
        biases=_around_zero(rng, FEATURE_BIAS_MAX, width),
        weights=_around_zero(rng, FEATURE_WEIGHT_MAX, (inputs, width)),
        psqt=psqt,
        stacks=tuple(_random_stack(rng, architecture) for _ in range(architecture.stacks)),
        compressed=compressed,
    )


def small_network(seed=0):
    """A network of today's architecture that is quick to make."""
    return random_network(SQUARED.at_width(SMALL_WIDTH), seed)


def _around_zero(rng, largest, shape):
    return rng.integers(-largest, largest, shape, np.int16, endpoint=True)


def _random_stack(rng, architecture):
    return Stack(*(_random_layer(rng, shape) for shape in architecture.layers))


def _random_layer(rng, shape):
    """Padding is filled too, so that code which reads it is found out."""
    largest = int(np.clip(TYPICAL_SUM / TYPICAL_ACTIVATION / np.sqrt(shape.inputs) * 2, 2, 127))
    weights = rng.integers(
        -largest, largest, (shape.outputs, shape.padded_inputs), np.int8, endpoint=True
    )
    biases = rng.integers(-TYPICAL_SUM, TYPICAL_SUM, shape.outputs, np.int32)
    return Layer(biases, weights)


def without_padding(network):
    """The same network with zeros where it has no weights, as a trainer writes it."""
    return network._replace(
        stacks=tuple(
            Stack(*map(_zero_padded, stack, network.architecture.layers))
            for stack in network.stacks
        )
    )


def _zero_padded(layer, shape):
    weights = layer.weights.copy()
    weights[:, shape.inputs :] = 0
    return layer._replace(weights=weights)
