# SPDX-License-Identifier: GPL-3.0-or-later
"""From units to centipawns and chances."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.search.scores import INFINITE
from kingcobra.networks.classical_scale import CLASSICAL_SCALE
from kingcobra.networks.scale import LEAST_POINTS, MOST_POINTS, REFERENCE_POINTS, Scale, points_of

scores = st.integers(-INFINITE, INFINITE)
materials = st.integers(0, 120)


@given(scores, materials)
def test_chances_are_chances(units, points):
    chances = CLASSICAL_SCALE.win_draw_loss(units, points)
    assert sum(chances) == 1000
    assert min(chances) >= 0
    mirrored = CLASSICAL_SCALE.win_draw_loss(-units, points)
    assert mirrored == chances[::-1]


@given(scores, scores, materials)
def test_more_is_better(one, other, points):
    low, high = sorted((one, other))
    assert CLASSICAL_SCALE.win_permille(low, points) <= CLASSICAL_SCALE.win_permille(high, points)
    assert CLASSICAL_SCALE.centipawns(low) <= CLASSICAL_SCALE.centipawns(high)


def test_a_pawn_wins_every_other_game_at_the_reference():
    units = CLASSICAL_SCALE.units(100)
    assert abs(CLASSICAL_SCALE.win_permille(units, REFERENCE_POINTS) - 500) <= 5


@given(st.integers(-3000, 3000))
def test_centipawns_there_and_back(centipawns):
    coarse = max(1, 100 / CLASSICAL_SCALE.units_per_pawn)
    back = CLASSICAL_SCALE.centipawns(CLASSICAL_SCALE.units(centipawns))
    assert abs(back - centipawns) <= coarse


def test_material_beyond_the_fit_counts_as_its_end():
    for units in (-300, 0, 80):
        assert CLASSICAL_SCALE.win_permille(units, 0) == CLASSICAL_SCALE.win_permille(
            units, LEAST_POINTS
        )
        assert CLASSICAL_SCALE.win_permille(units, 100) == CLASSICAL_SCALE.win_permille(
            units, MOST_POINTS
        )


def test_polynomials():
    scale = Scale(even=(10.0, 20.0), spread=(5.0, 15.0))
    assert scale.units_per_pawn == 30
    half = REFERENCE_POINTS // 2
    assert scale.win_permille(20, half) == 500


@pytest.mark.parametrize(
    ("fen", "points"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 78),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", 1),
        ("4kq2/8/8/8/8/8/PN6/R3K3 b - - 0 1", 18),
    ],
)
def test_points(core, fen, points):
    assert points_of(PositionHandle(core, fen).record) == points
