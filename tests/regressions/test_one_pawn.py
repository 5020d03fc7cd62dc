# SPDX-License-Identifier: GPL-3.0-or-later
"""`net heat` and `eval` once showed two different pawns for one man."""

import pytest

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.evaluation.layout import PAWN_UNITS
from kingcobra.core.network.architectures import ARCHITECTURES, SQUARED
from kingcobra.engine.network_view import NetworkView
from kingcobra.networks.loading import from_memory
from kingcobra.networks.network_scales import network_scale, raw_per_pawn, raw_per_shown_pawn
from kingcobra.networks.plain import men_of_fen
from kingcobra.pictures.heat_map import heat_map
from tests.core.network.random_networks import random_network

FEN = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1"


def test_eval_and_heat_map_show_the_same_pawns(core):
    network = random_network(SQUARED.at_width(64))
    loaded = from_memory(network, "small.nnue", report=lambda _text: None)
    view = NetworkView(loaded, PositionHandle(core, FEN))
    heat = heat_map(network, men_of_fen(FEN))
    assert view.white_pawns(view.bucket) == pytest.approx(heat.total)
    assert view.men_pawns() == pytest.approx(heat.values)


@pytest.mark.parametrize("architecture", ARCHITECTURES, ids=lambda known: known.name)
def test_the_pawn_shown_is_that_of_the_scores(architecture):
    units = PAWN_UNITS * raw_per_shown_pawn(architecture) / raw_per_pawn(architecture)
    assert units == pytest.approx(network_scale(architecture).units_per_pawn, rel=1e-3)
