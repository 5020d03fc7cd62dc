# SPDX-License-Identifier: GPL-3.0-or-later
"""Chances and accuracy against the numbers that Lichess publishes and tests with."""

import math

import pytest

from kingcobra.analysis.accuracy import (
    START_CP,
    expected_percent,
    game_accuracies,
    move_accuracies,
    move_accuracy,
    win_percent,
)
from kingcobra.networks.scale import WinDrawLoss


def accuracies(evaluations):
    return game_accuracies([win_percent(cp) for cp in [START_CP, *evaluations]])


@pytest.mark.parametrize("cp", [-1000, -300, -15, 0, 15, 100, 999])
def test_chances_are_the_published_formula(cp):
    published = 50 + 50 * (2 / (1 + math.exp(-0.00368208 * cp)) - 1)
    assert win_percent(cp) == pytest.approx(published, abs=1e-12)


def test_chances_are_bounded():
    assert win_percent(5000) == win_percent(1000)
    assert win_percent(-5000) == win_percent(-1000)


# Lichess's own tests: White's evaluations, and White's accuracy.
@pytest.mark.parametrize(
    ("evaluations", "accuracy", "tolerance"),
    [
        ([15, 15], 100, 1),
        ([-900, -900], 10, 5),
        ([15] * 20 + [-900], 50, 5),
        ([-50, 15] * 50, 76, 8),
        ([-135, 15] * 50, 54, 8),
        ([-435, 15] * 50, 20, 8),
    ],
)
def test_games_are_as_accurate_as_on_lichess(evaluations, accuracy, tolerance):
    assert accuracies(evaluations)[0] == pytest.approx(accuracy, abs=tolerance)


def test_sides_are_mirror_images():
    evaluations = [15, 80, -30, 40, -200, -180, 20]
    white, black = accuracies(evaluations)
    percents = [win_percent(cp) for cp in [START_CP, *evaluations]]
    mirrored = [100 - percent for percent in percents]
    assert game_accuracies(mirrored, white_begins=False) == pytest.approx((black, white))


def test_a_side_without_moves_has_no_accuracy():
    assert accuracies([]) == (None, None)
    white, black = accuracies([15])
    assert white == pytest.approx(100)
    assert black is None


@pytest.mark.parametrize(
    ("before", "after", "accuracy"),
    [(50, 50, 100), (50, 80, 100), (60, 50, 64.58), (100, 0, 0), (50, 49.9, 100)],
)
def test_accuracy_of_a_move(before, after, accuracy):
    """With Lichess's bonus of one point, which its page does not mention."""
    assert move_accuracy(before, after) == pytest.approx(accuracy, abs=0.01)


def test_moves_are_seen_from_their_side():
    white, black = move_accuracies([50, 60, 70])
    assert white == 100
    assert black == pytest.approx(move_accuracy(40, 30))


def test_weights_are_those_of_a_slow_twin():
    """The windows as Lichess builds them: lists first, weights from them."""
    evaluations = [((ply * 7919) % 400) - 200 for ply in range(57)]
    percents = [win_percent(cp) for cp in [START_CP, *evaluations]]
    size = max(2, min(len(evaluations) // 10, 8))
    windows = [percents[:size]] * (size - 2)
    windows += [percents[i : i + size] for i in range(len(percents) - size + 1)]

    def spread(values):
        mean = sum(values) / len(values)
        return math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))

    weights = [max(0.5, min(spread(window), 12)) for window in windows]
    moves = list(zip(move_accuracies(percents), weights, strict=True))[::2]
    weighted = sum(a * w for a, w in moves) / sum(w for _, w in moves)
    harmonic = len(moves) / sum(1 / max(a, 1) for a, _ in moves)
    assert game_accuracies(percents)[0] == pytest.approx((weighted + harmonic) / 2)


def test_expectation_counts_draws_as_half():
    assert expected_percent(WinDrawLoss(400, 500, 100)) == 65
