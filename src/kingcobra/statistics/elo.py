# SPDX-License-Identifier: GPL-3.0-or-later
"""Statistics of a match from its counts: score, Elo, normalised Elo, their error bars, and LOS.

Counts are ordered from the worst result to the best: `(losses, draws, wins)` of single games, or
the pentanomial `(0, ½, 1, 1½, 2 points)` of pairs of games from one opening. Pairs are the better
sample: an opening that favours White helps each engine once, so this luck cancels inside a pair
instead of widening the error bar."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

TRINOMIAL = 3
PENTANOMIAL = 5
EVEN_SCORE = 0.5

ELO_SCALE = 400.0
NELO_PER_SIGMA = 2 * ELO_SCALE / math.log(10)
"""Normalised Elo of a mean one standard deviation of a game above even. Near even, and without
draws, normalised Elo equals Elo."""

VARIANCE_OF_T_WHEN_EVEN = 1.0
CONFIDENCE = 0.95
Z_CONFIDENCE = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


class CountsError(ValueError):
    """Counts that no match can produce, or without a game."""


@dataclass(frozen=True)
class Moments:
    """Moments of the sampled score, 0 to 1, and the number of samples."""

    samples: int
    mean: float
    variance: float
    skewness: float
    kurtosis: float
    games_per_sample: int

    @property
    def standard_error(self) -> float:
        """Of the mean."""
        return math.sqrt(self.variance / self.samples)


@dataclass(frozen=True)
class Estimate:
    """A value, and half the width of its 95 % interval; infinite where the counts do not bound
    it."""

    value: float
    error: float

    def __str__(self) -> str:
        return f"{self.value:+.2f} ± {self.error:.2f}"


def check_counts(counts: Sequence[int]) -> None:
    """CountsError unless there are three or five counts, none negative, not all zero."""
    if len(counts) not in (TRINOMIAL, PENTANOMIAL):
        raise CountsError(f"expected 3 or 5 counts, got {len(counts)}: {list(counts)}")
    if any(count < 0 for count in counts):
        raise CountsError(f"a count is negative: {list(counts)}")
    if sum(counts) == 0:
        raise CountsError("no games: every count is zero")


def games_per_sample(counts: Sequence[int]) -> int:
    """1 for win, draw, loss; 2 for pairs."""
    return 2 if len(counts) == PENTANOMIAL else 1


def sample_scores(counts: Sequence[float]) -> list[float]:
    """What each category scores, 0 to 1."""
    return [index / (len(counts) - 1) for index in range(len(counts))]


def moments(counts: Sequence[int]) -> Moments:
    """Of the empirical distribution. Skewness and kurtosis are 0 where every sample is the same."""
    check_counts(counts)
    samples = sum(counts)
    scores = sample_scores(counts)
    mean = sum(c * a for c, a in zip(counts, scores, strict=True)) / samples

    def central(power: int) -> float:
        return sum(c * (a - mean) ** power for c, a in zip(counts, scores, strict=True)) / samples

    variance = central(2)
    return Moments(
        samples,
        mean,
        variance,
        central(3) / variance**1.5 if variance else 0.0,
        central(4) / variance**2 if variance else 0.0,
        games_per_sample(counts),
    )


def elo_of_score(score: float) -> float:
    """The rating difference whose expected score this is; infinite at 0 and 1."""
    if score <= 0.0:
        return -math.inf
    if score >= 1.0:
        return math.inf
    return ELO_SCALE * math.log10(score / (1 - score))


def score_of_elo(elo: float) -> float:
    """The expected score of a player this much stronger."""
    return 1 / (1 + 10 ** (-elo / ELO_SCALE))


def elo(counts: Sequence[int]) -> Estimate:
    """Elo difference. The interval is that of the mean score, both ends converted to Elo."""
    sample = moments(counts)
    reach = Z_CONFIDENCE * sample.standard_error
    low, high = elo_of_score(sample.mean - reach), elo_of_score(sample.mean + reach)
    value = elo_of_score(sample.mean)
    if math.isinf(value) or sample.variance == 0:
        return Estimate(value, math.inf)
    return Estimate(value, (high - low) / 2)


def normalised_elo(counts: Sequence[int]) -> Estimate:
    """The distance of the mean from an even score in standard deviations of one game, on the scale
    of Elo: it determines how many games a test needs, whatever the draw ratio. The error comes from
    the delta method with the skewness and kurtosis of the sample, and is at least that of an even
    match: the moments of a handful of pairs may suggest certainty."""
    sample = moments(counts)
    if sample.variance == 0:
        if sample.mean == EVEN_SCORE:
            return Estimate(0.0, math.inf)
        return Estimate(math.copysign(math.inf, sample.mean - EVEN_SCORE), math.inf)
    t = (sample.mean - EVEN_SCORE) / math.sqrt(sample.variance)
    variance_of_t = 1 - t * sample.skewness + t * t * (sample.kurtosis - 1) / 4
    scale = NELO_PER_SIGMA / math.sqrt(sample.games_per_sample)
    error = Z_CONFIDENCE * math.sqrt(max(variance_of_t, VARIANCE_OF_T_WHEN_EVEN) / sample.samples)
    return Estimate(scale * t, scale * error)


def likelihood_of_superiority(counts: Sequence[int]) -> float:
    """The chance that the first engine is the stronger one. Samples that are all alike have no
    spread; then it is the chance that a coin, with a uniform prior, favours heads after as many
    heads."""
    sample = moments(counts)
    if sample.variance == 0:
        if sample.mean == EVEN_SCORE:
            return EVEN_SCORE
        doubt = EVEN_SCORE ** (sample.samples + 1)
        return 1 - doubt if sample.mean > EVEN_SCORE else doubt
    return NormalDist().cdf((sample.mean - EVEN_SCORE) / sample.standard_error)


def draw_ratio(losses_draws_wins: Sequence[int]) -> float:
    """The share of draws; only from single games, since a pair with one point may have no draw."""
    if len(losses_draws_wins) != TRINOMIAL:
        raise CountsError(f"expected losses, draws, wins, got {list(losses_draws_wins)}")
    check_counts(losses_draws_wins)
    return losses_draws_wins[1] / sum(losses_draws_wins)
