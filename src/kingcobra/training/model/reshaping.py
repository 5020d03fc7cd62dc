# SPDX-License-Identifier: GPL-3.0-or-later
"""A network as the start of another one: wider, or with king's squares that share their rows.

Squares that come to share a bucket begin with the mean of their rows. Neurons that are new begin as
in a new network, but the first layer does not listen to them yet, so a network that only grows
wider evaluates as before.
"""

import torch
from torch import Tensor

from kingcobra.core.network.architectures import (
    KINGS_TOGETHER,
    PLAIN_PLANES,
    Architecture,
    FeatureSet,
    Transform,
)
from kingcobra.core.rules.basics import FILES, SQUARES
from kingcobra.networks.network import Network
from kingcobra.training.model.exchange import imported
from kingcobra.training.model.trainable import TrainableNetwork


class ReshapeError(ValueError):
    """A network that cannot be the start of one of the other architecture."""


def reshaped(network: Network, architecture: Architecture) -> TrainableNetwork:
    """A trainable network of that architecture that begins near the given one. ReshapeError where
    more than the width and the king's buckets differ, or the width would shrink."""
    old = network.architecture
    merges = _merges(old.features, architecture.features)
    same_otherwise = old._replace(
        features=architecture.features, width=architecture.width, stockfish=architecture.stockfish
    )
    is_near = old.features == architecture.features or merges
    if not is_near or same_otherwise != architecture or old.width > architecture.width:
        raise ReshapeError(
            f"{architecture.name} cannot begin as {old.name}: expected at most its width, and the"
            " same family or one whose king's squares share no buckets"
        )
    source, result = imported(network), TrainableNetwork(architecture)
    if old == architecture:
        return source
    before, target = source.transformer, result.transformer
    neurons, seen = _neurons(old, architecture), _seen(old, architecture)
    with torch.no_grad():
        target.virtual[:, neurons] = 0
        target.rows[:, :, neurons] = _merged(before.rows, architecture) if merges else before.rows
        target.biases[neurons] = before.biases
        psqt = before.psqt_table()
        target.begin_psqt(_merged(psqt, architecture) if merges else psqt)
        result.fc0_shared.zero_()
        result.fc0.zero_()
        result.fc0[:, :, seen] = source.fc0
        for name in ("fc0_biases", "fc1", "fc1_biases", "fc2", "fc2_biases"):
            getattr(result, name).copy_(getattr(source, name))
    return result


def _neurons(old: Architecture, new: Architecture) -> Tensor:
    """The places of the old neurons in a new accumulator. Where two are multiplied, they are half a
    width apart."""
    if new.transform is Transform.CLIPPED:
        return torch.arange(old.width)
    return _both_halves(old.width, new.width)


def _seen(old: Architecture, new: Architecture) -> Tensor:
    """The places of what the first layer sees of them: one side's, then the other's."""
    return _both_halves(old.transformed, new.transformed)


def _both_halves(old: int, new: int) -> Tensor:
    half = torch.arange(old // 2)
    return torch.cat([half, half + new // 2])


def _merges(old: FeatureSet, new: FeatureSet) -> bool:
    """Whether the new inputs are the old ones but for squares that share buckets."""
    apart = new._replace(
        name=old.name,
        file_hash=old.file_hash,
        king_buckets=old.king_buckets,
        king_regions=(),
    )
    return bool(new.king_regions) and apart == old and old.king_planes == KINGS_TOGETHER


def _merged(rows: Tensor, architecture: Architecture) -> Tensor:
    """The rows of buckets that become one, averaged: each row over the squares of the king that
    leave its man a place to stand on."""
    features = architecture.features
    merged = rows.new_zeros(features.king_buckets, rows.shape[1], rows.shape[2])
    for region in range(features.king_buckets):
        numbers = [number for number, one in enumerate(features.king_regions) if one == region]
        possible = torch.stack([_possible(king) for king in features.king_squares(region)])
        counts = possible.sum(0).clamp(min=1)
        merged[region] = (rows[numbers] * possible[:, :, None]).sum(0) / counts[:, None]
    return merged


def _possible(own_king: int) -> Tensor:
    """One for each input that may be lit while the own king stands there, else zero."""
    possible = torch.ones(PLAIN_PLANES + 1, SQUARES)
    possible[:PLAIN_PLANES, own_king] = 0
    for square in range(SQUARES):
        distance = max(
            abs(square // FILES - own_king // FILES), abs(square % FILES - own_king % FILES)
        )
        if distance == 1:
            possible[PLAIN_PLANES, square] = 0
    return possible.flatten()
