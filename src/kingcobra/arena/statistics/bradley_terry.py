# SPDX-License-Identifier: GPL-3.0-or-later
"""The model behind a table of ratings: each expected score is logistic in the difference of two
strengths (logits), and a draw is half a win. Players are numbers here; one of them, the anchor,
stays at 0."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kingcobra.arena.statistics.elo import (
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
"""Newton's steps, in logits, are cut to this length: far from the answer they overshoot."""
LEAST_CURVATURE = 1e-9
"""Added to every player's: where games say next to nothing, a step is long but there is one. The
summit is where it was, since there the gradient is 0."""
SURE_STEP = 1e-3
"""So short a step is that of a parabola, and what it gains may be less than rounding."""

Floats = NDArray[np.float64]
Indices = NDArray[np.int_]


@dataclass(frozen=True)
class Games:
    """One row for each two players who met: their numbers, the first one's losses, draws and wins,
    and how many pairs of these games were worth 0, ½, 1, 1½ and 2 points to the first."""

    players: int
    first: Indices
    second: Indices
    results: Floats
    pairs: Floats

    @classmethod
    def of(
        cls,
        players: int,
        rows: Sequence[tuple[int, int, Sequence[int], Sequence[int] | None]],
    ) -> "Games":
        """From rows of first, second, results and, where they are known, pairs."""
        no_pairs = [0] * PENTANOMIAL
        return cls(
            players,
            np.array([row[0] for row in rows], dtype=int),
            np.array([row[1] for row in rows], dtype=int),
            np.array([row[2] for row in rows], dtype=float).reshape(-1, TRINOMIAL),
            np.array([row[3] or no_pairs for row in rows], dtype=float).reshape(-1, PENTANOMIAL),
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
        """The variance of a game that is won or lost; small, but never 0, for whom it is sure."""
        lead = self.lead(logits)
        return np.asarray(np.exp(-np.logaddexp(0, -lead) - np.logaddexp(0, lead)))

    def log_likelihood(self, logits: Floats) -> float:
        """Of the points, each half of a draw counted half."""
        lead, points = self.lead(logits), self.points
        lost = self.count - points
        return -float(points @ np.logaddexp(0, -lead) + lost @ np.logaddexp(0, lead))

    def gradient(self, logits: Floats) -> Floats:
        """Of the log-likelihood: everybody's points beyond the expected ones."""
        surplus = self.points - self.count * self.expected(logits)
        return self._sums(self.first, surplus) - self._sums(self.second, surplus)

    def curvature(self, logits: Floats) -> Floats:
        """Minus the second derivative of the log-likelihood."""
        return self._laplacian(self.count * self.chance_in_a_game(logits))

    def spread(self, logits: Floats) -> Floats:
        """The variance that the gradient really had, pair by pair where there are pairs. One game
        more is thought of in each row, won or lost: a few that happened to end alike must not look
        certain."""
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
    """Of two players or more, each of whom took points from the others and gave some to them.

    An interval holds the strengths that lower the likelihood, all others having made the best of
    it, by no more than chance does in 95 of 100 tables (the profile likelihood): it reaches
    further to the side on which results say less. How much chance lowers it follows from the
    spread of the pairs: the likelihood itself thinks every game won or lost, and all independent.
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
    """How much of the step to go so that the points do not get less likely. There is such a share,
    since the likelihood has a single summit and the step begins uphill."""
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
    """Where, on the side of `reach`, the log-likelihood has lost `drop`. What it has lost is convex
    in the player's logit, so that Newton's steps arrive from anywhere; `reach` is where it would be
    if it were a parabola."""
    most = games.log_likelihood(best)
    logits = best.copy()
    logits[player] += reach
    for _ in range(NEWTON_ROUNDS):
        logits = likeliest(games, logits, others)
        lost = most - games.log_likelihood(logits)
        # The others are at their best, so that only this player's own derivative counts.
        step = (lost - drop) / games.gradient(logits)[player]
        logits[player] += step
        if abs(step) < END_TOLERANCE:
            break
    return float(logits[player])
