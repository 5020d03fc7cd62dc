# SPDX-License-Identifier: GPL-3.0-or-later
"""Statistics against closed forms, published counts and simulated matches."""

import math
import random
from statistics import NormalDist, fmean, stdev

import pytest

from kingcobra.statistics.elo import (
    CountsError,
    draw_ratio,
    elo,
    elo_of_score,
    likelihood_of_superiority,
    moments,
    normalised_elo,
    score_of_elo,
)

Z_95 = 1.959963984540054


def test_elo_of_known_scores():
    assert elo_of_score(0.5) == 0
    assert elo_of_score(10 / 11) == pytest.approx(400)
    assert elo_of_score(0.75) == pytest.approx(400 * math.log10(3))
    assert elo_of_score(0.25) == pytest.approx(-elo_of_score(0.75))
    assert elo_of_score(1.0) == math.inf
    assert elo_of_score(0.0) == -math.inf


@pytest.mark.parametrize("difference", [-700, -10, 0, 3.5, 120])
def test_score_of_elo_undoes_elo_of_score(difference):
    assert elo_of_score(score_of_elo(difference)) == pytest.approx(difference)


def test_elo_and_los_without_draws_have_the_binomial_closed_form():
    losses, wins = 400, 600
    deviation = math.sqrt(0.6 * 0.4 / 1000)
    low, high = (elo_of_score(0.6 + sign * Z_95 * deviation) for sign in (-1, 1))
    estimate = elo((losses, 0, wins))
    assert estimate.value == pytest.approx(400 * math.log10(1.5))
    assert estimate.error == pytest.approx((high - low) / 2)
    assert likelihood_of_superiority((losses, 0, wins)) == pytest.approx(
        NormalDist().cdf(0.1 / deviation)
    )


def test_normalised_elo_without_draws_is_elo_near_even():
    counts = (49_900, 0, 50_100)
    assert normalised_elo(counts).value == pytest.approx(elo(counts).value, rel=1e-4)
    assert normalised_elo(counts).error == pytest.approx(elo(counts).error, rel=1e-4)


def test_normalised_elo_of_a_closed_form():
    # Mean 0.6; variance (0.2·0.36 + 0.4·0.01 + 0.4·0.16).
    sigma = math.sqrt(0.2 * 0.36 + 0.4 * 0.01 + 0.4 * 0.16)
    assert normalised_elo((200, 400, 400)).value == pytest.approx(0.1 / sigma * 800 / math.log(10))


def test_independent_games_give_the_same_answer_as_pairs_of_them():
    # Pairs of independent games with chances 0.2, 0.3, 0.5: their convolution, times 10,000.
    singles = (4_000, 6_000, 10_000)
    pairs = (400, 1_200, 2_900, 3_000, 2_500)
    assert elo(pairs).value == pytest.approx(elo(singles).value)
    assert elo(pairs).error == pytest.approx(elo(singles).error)
    assert normalised_elo(pairs).value == pytest.approx(normalised_elo(singles).value)
    assert likelihood_of_superiority((4, 12, 29, 30, 25)) == pytest.approx(
        likelihood_of_superiority((40, 60, 100))
    )


def test_opening_luck_makes_singles_less_sure_than_pairs():
    # Every opening is won by White: each pair is 1-1 but for a few, the singles look wild.
    assert elo((0, 5, 480, 15, 0)).error < elo((490, 20, 490)).error / 3


@pytest.mark.parametrize(
    "chances", [(0.02, 0.15, 0.40, 0.33, 0.10), (0.02, 0.03, 0.10, 0.25, 0.60)]
)
def test_error_bar_of_normalised_elo_holds_in_simulation(chances):
    source = random.Random(20)
    pairs, matches = 400, 1_500
    values, errors = [], []
    for _ in range(matches):
        drawn = source.choices(range(5), weights=chances, k=pairs)
        estimate = normalised_elo([drawn.count(category) for category in range(5)])
        values.append(estimate.value)
        errors.append(estimate.error)
    assert Z_95 * stdev(values) == pytest.approx(fmean(errors), rel=0.06)


def test_one_sided_counts_have_no_finite_error():
    assert elo((0, 0, 7)).value == math.inf
    assert elo((0, 0, 7)).error == math.inf
    assert elo((0, 7, 0)).value == 0
    assert elo((0, 7, 0)).error == math.inf
    assert normalised_elo((0, 7, 0)).error == math.inf
    assert normalised_elo((7, 0, 0)).value == -math.inf


def test_superiority_after_one_sided_counts_is_that_of_a_coin():
    # Any chance of heads alike, then seven heads: the integral of 8 x^7 from a half on.
    assert likelihood_of_superiority((0, 0, 7)) == pytest.approx(1 - 0.5**8)
    assert likelihood_of_superiority((7, 0, 0)) == pytest.approx(0.5**8)
    assert likelihood_of_superiority((0, 0, 0, 1, 0)) == pytest.approx(0.75)
    assert likelihood_of_superiority((0, 7, 0)) == 0.5


@pytest.mark.parametrize("counts", [(1, 2, 0, 0, 0), (0, 0, 0, 2, 1)])
def test_few_pairs_do_not_make_normalised_elo_certain(counts):
    # The usual bar of six games: 1.96 · 800 / ln 10 / √6.
    assert normalised_elo(counts).error == pytest.approx(Z_95 * 800 / math.log(10) / math.sqrt(6))


def test_moments_of_a_fair_coin():
    coin = moments((50, 0, 50))
    assert (coin.mean, coin.variance, coin.skewness, coin.kurtosis) == (0.5, 0.25, 0, 1)


def test_draw_ratio():
    assert draw_ratio((1, 2, 1)) == 0.5
    with pytest.raises(CountsError, match="losses, draws, wins"):
        draw_ratio((1, 2, 1, 0, 0))


@pytest.mark.parametrize("counts", [(1, 2), (1, 2, 3, 4), (0, 0, 0), (1, -1, 1), ()])
def test_impossible_counts_are_refused(counts):
    with pytest.raises(CountsError):
        moments(counts)
