# SPDX-License-Identifier: GPL-3.0-or-later
"""Feature weights in the places where the picture shows them."""

import chess
import numpy as np
import pytest

from kingcobra.core.network.architectures import ARCHITECTURES
from kingcobra.networks.plain import active_inputs, men_of_fen
from kingcobra.pictures import weights_picture
from kingcobra.pictures.canvas import compose
from tests.core.network.random_networks import random_network

FEN = "4k3/8/8/3q4/8/2N5/4P3/4K3 w - - 0 1"
FEATURE_SETS = list(dict.fromkeys(architecture.features for architecture in ARCHITECTURES))


@pytest.mark.parametrize("features", FEATURE_SETS, ids=lambda one: one.name)
def test_inputs_of_a_position_are_where_the_picture_shows_them(features):
    """White's king on e1 is seen as he stands by every feature set."""
    for king in (chess.E1, chess.H4, chess.G8):
        board = chess.BaseBoard.empty()
        men = {king: "K", chess.A8: "k", chess.C3: "N", chess.D5: "q", chess.E2: "P"}
        for square, symbol in men.items():
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        rows = np.zeros((features.inputs, 1), np.int16)
        rows[active_inputs(features, men_of_fen(f"{board.board_fen()} w"), 0)] = 1
        for bucket in range(features.king_buckets):
            block = weights_picture.king_block(rows, features, bucket)[:, :, 0]
            if king not in features.king_squares(bucket):
                assert not block.any()
                continue
            lit = {
                (weights_picture.plane_name(features, plane), int(square))
                for plane, square in np.argwhere(block)
            }
            assert {("own N", chess.C3), ("other Q", chess.D5), ("own P", chess.E2)} <= lit
            kings = {name for name, square in lit if square in (king, chess.A8)}
            assert kings == {0: set(), 1: {"K"}, 2: {"own K", "other K"}}[features.king_planes]


def test_averages_over_king_buckets(network):
    sizes, means = weights_picture.averages(network)
    blocks = network.weights.reshape(32, 11, 64, 64).astype(float)
    assert np.allclose(means, blocks.mean(axis=0))
    assert np.allclose(sizes, np.abs(blocks).mean(axis=0))


@pytest.mark.parametrize("architecture", ARCHITECTURES, ids=lambda one: one.name)
def test_every_architecture_can_be_drawn(architecture):
    network = random_network(architecture.at_width(64))
    plain = compose(weights_picture.draw_network(network, "title", None))
    with_position = compose(weights_picture.draw_network(network, "title", men_of_fen(FEN)))
    assert with_position.height > plain.height
    colours = np.asarray(plain).reshape(-1, 3)[::97]
    assert len(np.unique(colours, axis=0)) > 100, "hardly any colours"


def test_a_network_that_is_zero_can_be_drawn(network):
    zero = network._replace(
        weights=np.zeros_like(network.weights), psqt=np.zeros_like(network.psqt)
    )
    assert compose(weights_picture.draw_network(zero, "title", None)).width > 0
