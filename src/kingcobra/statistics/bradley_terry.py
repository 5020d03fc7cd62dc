# SPDX-License-Identifier: GPL-3.0-or-later
"""The model behind a table of ratings: each expected score is logistic in the difference of two
strengths (logits), and a draw is half a win. Players are numbers here; the strength of one of them,
the anchor, is 0."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kingcobra.statistics.elo import (
    PENTANOMIAL,
    TRINOMIAL,
    Z_CONFIDENCE,
    sample_scores,
)

NEWTON_ROUNDS = 100
NEWTON_TOLERANCE = 1e-12
END_TOLERANCE = 1e-6
"""Of an interval's end, in logits: far below what a table shows."""
LARGEST_STEP = 2.0
"""Newton's steps, in logits, are cut to this length: far from the solution they overshoot."""
LEAST_CURVATURE = 1e-9
"""Added to every player's curvature, so that a step exists where games say next to nothing. The
maximum does not move: its gradient is 0."""
SURE_STEP = 1e-3
"""Shorter steps are always taken: the gain may be less than rounding errors."""

Floats = NDArray[np.float64]
Indices = NDArray[np.int_]


class Meeting(NamedTuple):
    """Two players who met: their numbers, the losses, draws and wins of the first, and the counts
    of pairs where they are known."""

    first: int
    second: int
    results: Sequence[int]
    pairs: Sequence[int] | None


@dataclass(frozen=True)
class Games:
    """One row for each two players who met: their numbers, the losses, draws and wins of the first,
    and how many pairs of these games gave the first 0, ½, 1, 1½ and 2 points."""

    players: int
    first: Indices
    second: Indices
    results: Floats
    pairs: Floats

    @classmethod
    def of(
        cls,
        players: int,
        rows: Sequence[Meeting],
    ) -> "Games":
        no_pairs = [0] * PENTANOMIAL
        return cls(
            players,
            np.array([row.first for row in rows], dtype=int),
            np.array([row.second for row in rows], dtype=int),
            np.array([row.results for row in rows], dtype=float).reshape(-1, TRINOMIAL),
            np.array([row.pairs or no_pairs for row in rows], dtype=float).reshape(-1, PENTANOMIAL),
        )

    @cached_property
    def count(self) -> Floats:
        """Games of each row."""
        return np.asarray(self.results.sum(axis=1))

    @cached_property
    def points(self) -> Floats:
        """Of the first players."""
        return np.asarray(self.results @ np.array(sample_scores(self.results[0])))

    def lead(self, logits: Floats) -> Floats:
        """Of the first players over the second."""
        return logits[self.first] - logits[self.second]

    def expected(self, logits: Floats) -> Floats:
        """The first players' score in a game."""
        return np.asarray(np.exp(-np.logaddexp(0, -self.lead(logits))))

    def chance_in_a_game(self, logits: Floats) -> Floats:
        """The variance of a game without draws; small, but never 0, for a sure result."""
        lead = self.lead(logits)
        return np.asarray(np.exp(-np.logaddexp(0, -lead) - np.logaddexp(0, lead)))

    def log_likelihood(self, logits: Floats) -> float:
        """Of the points, each half of a draw counted half."""
        lead, points = self.lead(logits), self.points
        lost = self.count - points
        return -float(points @ np.logaddexp(0, -lead) + lost @ np.logaddexp(0, lead))

    def gradient(self, logits: Floats) -> Floats:
        """Of the log-likelihood: the points of each player above the expected ones."""
        surplus = self.points - self.count * self.expected(logits)
        return self._sums(self.first, surplus) - self._sums(self.second, surplus)

    def curvature(self, logits: Floats) -> Floats:
        """Minus the second derivative of the log-likelihood."""
        return self._laplacian(self.count * self.chance_in_a_game(logits))

    def spread(self, logits: Floats) -> Floats:
        """The observed variance of the gradient, from pairs where there are pairs. Each row counts
        one more game, won or lost: a few games that happened to end alike must not look certain."""
        expected = self.expected(logits)[:, np.newaxis]
        of_games = self.results * (np.array(sample_scores(self.results[0])) - expected) ** 2
        of_pairs = self.pairs * (2 * (np.array(sample_scores(self.pairs[0])) - expected)) ** 2
        unpaired = 1 - 2 * self.pairs.sum(axis=1) / self.count
        of_rows = of_pairs.sum(axis=1) + unpaired * of_games.sum(axis=1)
        return self._laplacian(of_rows + self.chance_in_a_game(logits))

    def _laplacian(self, weights: Floats) -> Floats:
        between = np.zeros((self.players, self.players))
        np.add.at(between, (self.first, self.second), weights)
        of_player = self._sums(self.first, weights) + self._sums(self.second, weights)
        return np.diag(of_player) - between - between.T

    def _sums(self, players: Indices, values: Floats) -> Floats:
        """Of the values, player by player."""
        return np.bincount(players, values, self.players).astype(float)


@dataclass(frozen=True)
class Strengths:
    """The likeliest logits of all players, and the ends of their 95 % intervals."""

    likeliest: Floats
    low: Floats
    high: Floats


def strengths(games: Games, anchor: int) -> Strengths:
    """Strengths of two or more players, each of whom took points from the others and lost some to
    them.

    Intervals come from the profile likelihood: they hold the strengths that lower the likelihood,
    with all other players at their best values, by no more than chance does in 95 of 100 tables. So
    they are wider on the side where results say less. How much chance lowers it follows from the
    spread of the pairs, since the likelihood itself assumes independent games without draws.
    """
    free = np.delete(np.arange(games.players), anchor)
    best = likeliest(games, np.zeros(games.players), free)
    low, high = best.copy(), best.copy()
    naive = np.linalg.inv(games.curvature(best)[np.ix_(free, free)])
    variance = np.diag(naive @ games.spread(best)[np.ix_(free, free)] @ naive)
    drops = Z_CONFIDENCE**2 / 2 * variance / np.diag(naive)
    for player, reach, drop in zip(
        free.tolist(), Z_CONFIDENCE * np.sqrt(variance), drops, strict=True
    ):
        others = free[free != player]
        low[player] = _end(games, best, player, others, -reach, drop)
        high[player] = _end(games, best, player, others, reach, drop)
    return Strengths(best, low, high)


def likeliest(games: Games, start: Floats, free: Indices) -> Floats:
    """The logits that make the points likeliest; those not `free` stay as they are in `start`."""
    logits = start.copy()
    least = LEAST_CURVATURE * np.eye(free.size)
    for _ in range(NEWTON_ROUNDS):
        curvature = games.curvature(logits)[np.ix_(free, free)] + least
        step: Floats = np.linalg.solve(curvature, games.gradient(logits)[free]).astype(float)
        longest = float(np.max(np.abs(step), initial=0.0))
        if longest:
            logits[free] += step * _share_of_step(games, logits, free, step)
        if longest < NEWTON_TOLERANCE:
            break
    return logits


def _share_of_step(games: Games, logits: Floats, free: Indices, step: Floats) -> float:
    """The share of the step to take so that the points do not become less likely. It exists, since
    the likelihood has a single maximum and the step begins uphill."""
    longest = float(np.max(np.abs(step)))
    share = min(1.0, LARGEST_STEP / longest)
    before = games.log_likelihood(logits)
    while share * longest > SURE_STEP:
        there = logits.copy()
        there[free] += share * step
        if games.log_likelihood(there) >= before:
            break
        share /= 2
    return share


def _end(
    games: Games, best: Floats, player: int, others: Indices, reach: float, drop: float
) -> float:
    """Where, on the side of `reach`, the log-likelihood is lower by `drop`. The loss is convex in
    the player's logit, so Newton's method converges from anywhere; `reach` is the end for a
    parabola."""
    most = games.log_likelihood(best)
    logits = best.copy()
    logits[player] += reach
    for _ in range(NEWTON_ROUNDS):
        logits = likeliest(games, logits, others)
        lost = most - games.log_likelihood(logits)
        # The others are at their best values, so only this player's own derivative counts.
        step = (lost - drop) / games.gradient(logits)[player]
        logits[player] += step
        if abs(step) < END_TOLERANCE:
            break
    return float(logits[player])
