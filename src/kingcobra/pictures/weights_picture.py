# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra net draw`: feature weights as pictures, and how a position activates the network."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kingcobra.board.fen import COLOUR_NAMES, PIECE_LETTERS
from kingcobra.core.network.architectures import MEN_PER_BUCKET, FeatureSet
from kingcobra.core.rules.basics import SQUARES
from kingcobra.networks.network import Network
from kingcobra.networks.network_scales import raw_per_shown_pawn
from kingcobra.networks.plain import ACTIVATION_MAX, Men, accumulate, transform
from kingcobra.pictures.canvas import (
    BACKGROUND,
    GAP,
    LINE_HEIGHT,
    Label,
    Panel,
    Pixels,
    Sheet,
    as_board,
    diverging,
    enlarged,
    sequential,
    tiled,
)

MAN_PIXELS, NEURON_PIXELS, KING_PIXELS, ACTIVITY_PIXELS = 9, 4, 18, 8
NEURONS_SHOWN = 16
ACTIVITY_COLUMNS = 64
# Beyond this quantile colours are full, so that a few great weights do not pale all others.
FULL_COLOUR_QUANTILE = 0.995
# A middlegame bucket for the picture of PSQT weights.
PSQT_BUCKET = 5

Weights = NDArray[Any]


def draw_network(network: Network, title: str, men: Men | None) -> Sheet:
    """The picture; with a position, its accumulators too."""
    sizes, means = averages(network)
    panels = [
        _by_man("Mean size of the weights of each man, by square", sizes.mean(axis=2), network),
        _by_king(network),
    ]
    if network.psqt is not None:
        panels.append(_psqt(network))
    panels.append(_neurons(means, network))
    if men is not None:
        panels = [_activity(network, men, view) for view in (men.mover, 1 - men.mover)] + panels
    return Sheet(f"{title}: {network.architecture.name}", panels)


# --- weights ----------------------------------------------------------------------------------


def averages(network: Network) -> tuple[Weights, Weights]:
    """The mean size, and the mean, of the weights over all king buckets: [plane, square, neuron].
    Squares are as the view sees them, which for some feature sets is mirrored."""
    features = network.architecture.features
    shape = (features.planes, SQUARES, network.architecture.width)
    sizes, sums = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
    for bucket in range(features.king_buckets):
        block = king_block(network.weights, features, bucket)
        sums += block
        sizes += np.abs(block.astype(np.int32))
    return sizes / features.king_buckets, sums / features.king_buckets


def king_block(rows: Weights, features: FeatureSet, bucket: int) -> Weights:
    """The rows of one king bucket: [plane, square, column]."""
    start = bucket * features.per_king + features.first
    block = rows[start : start + features.planes * SQUARES]
    return block.reshape(features.planes, SQUARES, rows.shape[1])


def plane_name(features: FeatureSet, plane: int) -> str:
    """'own P', 'other P' … and 'K' where both kings share a plane."""
    kind, is_other = divmod(plane, 2)
    letter = PIECE_LETTERS[kind]
    if features.king_planes == 1 and plane == features.planes - 1:
        return letter
    return f"{'other' if is_other else 'own'} {letter}"


def _by_man(title: str, values: Weights, network: Network) -> Panel:
    """One small board for each kind of man: `values` are [plane, square], none below zero."""
    limit = float(values.max())
    return _boards(f"{title} (0 to {limit:.1f})", sequential(values, limit), network)


def _psqt(network: Network) -> Panel:
    assert network.psqt is not None
    features = network.architecture.features
    blocks = [
        king_block(network.psqt, features, bucket)[:, :, PSQT_BUCKET]
        for bucket in range(features.king_buckets)
    ]
    # A man adds to the sum of its side and is subtracted in the other's; half the difference
    # counts.
    pawns = np.mean(blocks, axis=0) / raw_per_shown_pawn(network.architecture, network.digest)
    limit = float(np.abs(pawns).max())
    least = PSQT_BUCKET * MEN_PER_BUCKET + 1
    title = (
        f"PSQT weights with {least} to {least + MEN_PER_BUCKET - 1} men, mean over the king's "
        f"squares (-{limit:.1f} to {limit:.1f} pawns)"
    )
    return _boards(title, diverging(pawns, limit), network)


def _boards(title: str, colours: Pixels, network: Network) -> Panel:
    """Coloured [plane, square] as small boards with their names: own men above, the other's
    below."""
    features = network.architecture.features
    tiles = [enlarged(as_board_pixels(tile), MAN_PIXELS) for tile in colours]
    room_for_name = np.full((LINE_HEIGHT, tiles[0].shape[1], 3), BACKGROUND, np.uint8)
    named = [np.concatenate([room_for_name, tile]) for tile in tiles]
    height, width, _ = named[0].shape
    labels = tuple(
        Label(plane // 2 * (width + GAP), plane % 2 * (height + GAP), plane_name(features, plane))
        for plane in range(features.planes)
    )
    return Panel(title, tiled([named[0::2], named[1::2]]), labels)


def as_board_pixels(tile: Pixels) -> Pixels:
    """64 colours, a1 first, as a board seen from White's side."""
    return np.stack([as_board(tile[:, channel]) for channel in range(tile.shape[1])], axis=2)


def _by_king(network: Network) -> Panel:
    features = network.architecture.features
    values = np.zeros(SQUARES)
    for bucket in range(features.king_buckets):
        block = king_block(network.weights, features, bucket)
        values[features.king_squares(bucket)] = np.abs(block.astype(np.int32)).mean()
    limit = float(values.max())
    title = f"Mean size of the weights, by the own king's square (0 to {limit:.1f})"
    return Panel(title, enlarged(as_board_pixels(sequential(values, limit)), KING_PIXELS))


def _neurons(means: Weights, network: Network) -> Panel:
    """For the first neurons, a row each: one small board for each kind of man."""
    shown = min(NEURONS_SHOWN, network.architecture.width)
    limit = float(np.quantile(np.abs(means[:, :, :shown]), FULL_COLOUR_QUANTILE))
    colours = diverging(means, limit)
    rows = [
        [
            enlarged(as_board_pixels(colours[plane, :, neuron]), NEURON_PIXELS)
            for plane in range(network.architecture.features.planes)
        ]
        for neuron in range(shown)
    ]
    title = (
        f"Weights of the first {shown} neurons, mean over the king's squares "
        f"(-{limit:.0f} to {limit:.0f}); a column for each man, in the order of the boards above"
    )
    return Panel(title, tiled(rows))


# --- a position -------------------------------------------------------------------------------


def _activity(network: Network, men: Men, view: int) -> Panel:
    """What one side's accumulator gives to the first layer."""
    sums = accumulate(network, men, view).sums
    activations = transform(sums, network.architecture.transform)
    whose = "to move" if view == men.mover else "waiting"
    title = (
        f"Accumulator of {COLOUR_NAMES[view]} ({whose}): {np.count_nonzero(activations)} of "
        f"{activations.size} activations are not zero, mean {activations.mean():.1f} of "
        f"{ACTIVATION_MAX}"
    )
    grid = activations.reshape(-1, min(ACTIVITY_COLUMNS, activations.size))
    return Panel(title, enlarged(sequential(grid.astype(float), ACTIVATION_MAX), ACTIVITY_PIXELS))
