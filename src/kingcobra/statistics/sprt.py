# SPDX-License-Identifier: GPL-3.0-or-later
"""The sequential probability ratio test: stop a match as soon as its result is clear.

Two hypotheses, "worth elo0" and "worth elo1", are compared by the logarithm of their generalised
likelihood ratio (LLR). Each is represented by the most likely distribution of results with its Elo;
nothing else about the distribution is assumed, so draws and unbalanced openings need no model of
their own."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from kingcobra.statistics.elo import (
    EVEN_SCORE,
    NELO_PER_SIGMA,
    check_counts,
    games_per_sample,
    sample_scores,
    score_of_elo,
)

UNSEEN_COUNT = 1e-3
"""Replaces a count of zero, with which the hypotheses would have no likelihood."""

FIXED_POINT_TOLERANCE = 1e-9
FIXED_POINT_ROUNDS = 50
ROOT_TOLERANCE = 1e-13
ROOT_ROUNDS = 200
OPEN_INTERVAL = 1e-12
"""How far inside its poles the multiplier is searched, relative to their distance."""


LARGEST_BOUND = 200.0
"""Usual bounds are within a few Elo of 0. Far beyond this one the fixed point has no start."""


class Model(Enum):
    """The unit in which elo0 and elo1 are given."""

    NORMALISED = "normalised"
    LOGISTIC = "logistic"


class SprtVerdict(Enum):
    """The state of a test."""

    CONTINUE = "continue"
    ACCEPTED = "H1 accepted"
    REJECTED = "H0 accepted"


@dataclass(frozen=True)
class Sprt:
    """A test: a true Elo ≤ elo0 passes with a chance of at most alpha, ≥ elo1 fails with at most
    beta (both nearly: the last sample overshoots the bound a little, which errs on the safe side).
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = Model.NORMALISED

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 must be below elo1, got {self.elo0} and {self.elo1}")
        if max(abs(self.elo0), abs(self.elo1)) > LARGEST_BOUND:
            raise ValueError(
                f"bounds must lie within ±{LARGEST_BOUND:g}, got {self.elo0} and {self.elo1}"
            )
        for name, chance in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < chance < EVEN_SCORE:
                raise ValueError(f"{name} must lie between 0 and 0.5, got {chance}")

    @property
    def lower(self) -> float:
        """LLR at and below which H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """LLR at and above which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[int]) -> float:
        """Log-likelihood ratio of elo1 over elo0; 0 while nothing has been played."""
        if sum(counts) == 0:
            return 0.0
        return log_likelihood_ratio(counts, self.elo0, self.elo1, self.model)

    def verdict(self, llr: float) -> SprtVerdict:
        if llr >= self.upper:
            return SprtVerdict.ACCEPTED
        if llr <= self.lower:
            return SprtVerdict.REJECTED
        return SprtVerdict.CONTINUE


def log_likelihood_ratio(
    counts: Sequence[int], elo0: float, elo1: float, model: Model = Model.NORMALISED
) -> float:
    """The natural logarithm of how much likelier the counts are with elo1 than with elo0."""
    check_counts(counts)
    seen = [count or UNSEEN_COUNT for count in counts]
    total = sum(seen)
    observed = [count / total for count in seen]
    if model is Model.NORMALISED:
        per_elo = math.sqrt(games_per_sample(counts)) / NELO_PER_SIGMA
        low = _likeliest_with_t(observed, elo0 * per_elo)
        high = _likeliest_with_t(observed, elo1 * per_elo)
    else:
        low = _likeliest_with_mean(observed, score_of_elo(elo0))
        high = _likeliest_with_mean(observed, score_of_elo(elo1))
    return total * sum(p * math.log(b / a) for p, a, b in zip(observed, low, high, strict=True))


def _likeliest_with_mean(observed: list[float], mean: float) -> list[float]:
    """The likeliest distribution with this mean."""
    return _tilted(observed, [score - mean for score in sample_scores(observed)])


def _likeliest_with_t(observed: list[float], t: float) -> list[float]:
    """The likeliest distribution whose mean is t of its own standard deviations above even.

    The condition `mean - even - t·sigma = 0` is not linear in the probabilities. Its derivative
    at a trial distribution is (up to a constant, chosen so that its expectation there is the
    condition itself) the `slope` below; solving the linear problem and taking the solution as
    the next trial converges within a few rounds. The start is the uniform distribution, since the
    deviation of the observed one may be almost 0. If that happens to a later trial (almost all
    results were the same), the trial before it is the result."""
    scores = sample_scores(observed)
    trial = [1 / len(observed)] * len(observed)
    for trial_round in range(FIXED_POINT_ROUNDS):
        mean = sum(p * a for p, a in zip(trial, scores, strict=True))
        sigma = math.sqrt(sum(p * (a - mean) ** 2 for p, a in zip(trial, scores, strict=True)))
        slope = [a - EVEN_SCORE - t * sigma * (1 + ((a - mean) / sigma) ** 2) / 2 for a in scores]
        if trial_round > 0 and not _is_solvable(slope):
            break
        following = _tilted(observed, slope)
        change = max(abs(a - b) for a, b in zip(trial, following, strict=True))
        trial = following
        if change < FIXED_POINT_TOLERANCE:
            break
    return trial


def _is_solvable(slope: list[float]) -> bool:
    return min(slope) < 0 < max(slope)


def _tilted(observed: list[float], slope: list[float]) -> list[float]:
    """The likeliest distribution under which `slope` has expectation 0: observed / (1 + x·slope)
    for the one multiplier x that makes it so."""
    if not _is_solvable(slope):
        raise ValueError(f"no distribution of results has this Elo (slope {slope})")
    left, right = -1 / max(slope), -1 / min(slope)
    inset = OPEN_INTERVAL * (right - left)

    def expectation(x: float) -> float:
        return sum(p * h / (1 + x * h) for p, h in zip(observed, slope, strict=True))

    def derivative(x: float) -> float:
        return -sum(p * (h / (1 + x * h)) ** 2 for p, h in zip(observed, slope, strict=True))

    x = _falling_root(expectation, derivative, left + inset, right - inset)
    return [p / (1 + x * h) for p, h in zip(observed, slope, strict=True)]


def _falling_root(
    function: Callable[[float], float],
    derivative: Callable[[float], float],
    left: float,
    right: float,
) -> float:
    """Where a falling function crosses zero between left and right: Newton's steps from 0, and
    halving where a step would leave the bracket."""
    x = 0.0
    for _ in range(ROOT_ROUNDS):
        value = function(x)
        if value > 0:
            left = x
        else:
            right = x
        following = x - value / derivative(x)
        if not left < following < right:
            following = (left + right) / 2
        if abs(following - x) < ROOT_TOLERANCE:
            return following
        x = following
    return x
