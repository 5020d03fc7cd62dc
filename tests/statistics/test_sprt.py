# SPDX-License-Identifier: GPL-3.0-or-later
"""The sequential test: a published log, a slow twin, and error rates of simulated tests."""

import math
import random
from itertools import accumulate

import pytest

from kingcobra.statistics.elo import NELO_PER_SIGMA
from kingcobra.statistics.sprt import Model, Sprt, SprtVerdict, log_likelihood_ratio

PUBLISHED_COUNTS = (210, 9236, 25655, 9432, 187)


def test_published_example():
    assert log_likelihood_ratio(PUBLISHED_COUNTS, -1.75, 0.25) == pytest.approx(2.93, abs=0.005)


def test_bounds_are_those_of_wald():
    sprt = Sprt(0, 2, alpha=0.05, beta=0.10)
    assert sprt.lower == pytest.approx(math.log(0.10 / 0.95))
    assert sprt.upper == pytest.approx(math.log(0.90 / 0.05))
    assert Sprt(0, 2).upper == pytest.approx(2.944, abs=0.001)


def test_verdicts():
    sprt = Sprt(0, 2)
    assert sprt.verdict(0.0) is SprtVerdict.CONTINUE
    assert sprt.verdict(sprt.upper) is SprtVerdict.ACCEPTED
    assert sprt.verdict(sprt.lower) is SprtVerdict.REJECTED
    assert sprt.llr((0, 0, 0, 0, 0)) == 0


@pytest.mark.parametrize(
    "arguments", [(2, 0), (0, 0), (0, 2, 0.0), (0, 2, 0.05, 0.5), (0, 2, -0.1), (0, 900)]
)
def test_nonsense_tests_are_refused(arguments):
    with pytest.raises(ValueError, match="must"):
        Sprt(*arguments)


@pytest.mark.parametrize("model", list(Model))
def test_llr_changes_sign_with_the_point_of_view(model):
    counts = (11, 92, 230, 121, 20)
    forward = log_likelihood_ratio(counts, -1, 7, model)
    assert log_likelihood_ratio(counts[::-1], -7, 1, model) == pytest.approx(-forward)
    assert log_likelihood_ratio(counts, 7, -1, model) == pytest.approx(-forward)


def test_llr_of_a_coin_has_a_closed_form():
    """Without draws the distribution with a given mean is the binomial one."""
    heads, tails, elo1 = 5_600, 4_400, 30
    chance = 1 / (1 + 10 ** (-elo1 / 400))
    expected = heads * math.log(chance / 0.5) + tails * math.log((1 - chance) / 0.5)
    llr = log_likelihood_ratio((tails, 0, heads), 0, elo1, Model.LOGISTIC)
    assert llr == pytest.approx(expected, abs=0.01)


def test_llr_of_drawn_pairs_alone_has_a_closed_form():
    """The likeliest distribution with a given t moves t²/(1+t²) of the pairs to a clean win."""
    pairs = 1_000
    t = 40 * math.sqrt(2) / NELO_PER_SIGMA
    llr = log_likelihood_ratio((0, 0, pairs, 0, 0), 0, 40)
    assert llr == pytest.approx(-pairs * math.log(1 + t * t), rel=0.01)


@pytest.mark.parametrize("counts", [(0, 0, 0, 0, 30), (0, 0, 30)])
def test_a_clean_sweep_is_accepted(counts):
    assert Sprt(0, 100).verdict(Sprt(0, 100).llr(counts)) is SprtVerdict.ACCEPTED
    assert Sprt(0, 100).verdict(Sprt(0, 100).llr(counts[::-1])) is SprtVerdict.REJECTED


@pytest.mark.parametrize("elo1", [5.0, 40.0])
def test_normalised_llr_agrees_with_a_search_over_all_distributions(elo1):
    """The slow twin: every distribution of three results with a given t, on a fine grid."""
    counts = (200, 500, 300)
    llr = log_likelihood_ratio(counts, 0, elo1)
    expected = _best_by_grid(counts, elo1) - _best_by_grid(counts, 0)
    assert llr == pytest.approx(expected, abs=2e-4 * sum(counts) / 1000)


def _best_by_grid(counts, nelo):
    """The greatest log-likelihood with t = nelo: for each chance of a draw in steps, the chance
    of a win that gives this t is found by halving (t rises with it)."""
    t = nelo / NELO_PER_SIGMA
    losses, draws, wins = counts
    best = -math.inf
    steps = 4_000
    for step in range(1, steps):
        draw = step / steps
        low, high = (1 - draw) / 2, 1 - draw
        for _ in range(60):
            win = (low + high) / 2
            mean = win + draw / 2
            sigma = math.sqrt(max(win + draw / 4 - mean * mean, 1e-300))
            if (mean - 0.5) / sigma < t:
                low = win
            else:
                high = win
        loss = 1 - draw - win
        if loss > 0 and win > 0:
            likelihood = losses * math.log(loss) + draws * math.log(draw) + wins * math.log(win)
            best = max(best, likelihood)
    return best


def _chances_with_t(t):
    """A pentanomial distribution, typical of engines, shifted until its t is as asked."""
    low, high = -0.2, 0.2
    for _ in range(60):
        shift = (low + high) / 2
        chances = [0.03 - shift / 8, 0.20 - shift / 2, 0.54, 0.20 + shift / 2, 0.03 + shift / 8]
        mean = sum(p * a / 4 for a, p in enumerate(chances))
        sigma = math.sqrt(sum(p * (a / 4 - mean) ** 2 for a, p in enumerate(chances)))
        if (mean - 0.5) / sigma < t:
            low = shift
        else:
            high = shift
    return chances


def _acceptances(sprt, nelo, tests, pairs_per_look, seed):
    """How many of the simulated tests of an engine worth `nelo` accept H1."""
    source = random.Random(seed)
    limits = list(accumulate(_chances_with_t(nelo * math.sqrt(2) / NELO_PER_SIGMA)))
    accepted = 0
    for _ in range(tests):
        counts = [0] * 5
        while True:
            for category in source.choices(range(5), cum_weights=limits, k=pairs_per_look):
                counts[category] += 1
            verdict = sprt.verdict(sprt.llr(counts))
            if verdict is not SprtVerdict.CONTINUE:
                accepted += verdict is SprtVerdict.ACCEPTED
                break
    return accepted


def _allowed(tests, chance):
    """Errors that a test with this chance of error may make by luck: three deviations above."""
    return tests * chance + 3 * math.sqrt(tests * chance * (1 - chance))


def test_error_rates_of_simulated_tests():
    sprt = Sprt(0, 80)
    tests = 400
    assert _acceptances(sprt, 0, tests, 8, seed=1) <= _allowed(tests, sprt.alpha)
    assert tests - _acceptances(sprt, 80, tests, 8, seed=2) <= _allowed(tests, sprt.beta)


@pytest.mark.slow
@pytest.mark.parametrize(("elo0", "elo1"), [(0, 20), (-15, 5)])
def test_error_rates_of_many_simulated_tests(elo0, elo1):
    sprt = Sprt(elo0, elo1, alpha=0.05, beta=0.10)
    tests = 2_000
    wrong_passes = _acceptances(sprt, elo0, tests, 16, seed=3)
    wrong_fails = tests - _acceptances(sprt, elo1, tests, 16, seed=4)
    assert wrong_passes <= _allowed(tests, sprt.alpha)
    assert wrong_fails <= _allowed(tests, sprt.beta)
    # The promise is not kept by never making up its mind: errors are made nearly as allowed.
    assert wrong_passes >= tests * sprt.alpha / 2
    assert wrong_fails >= tests * sprt.beta / 2
