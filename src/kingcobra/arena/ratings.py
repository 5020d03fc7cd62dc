# SPDX-License-Identifier: GPL-3.0-or-later
"""Ratings of many engines at once: Bradley–Terry, with one engine's rating given."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from kingcobra.arena.statistics import CONFIDENCE, ELO_SCALE, EVEN_SCORE, Z_CONFIDENCE

LOGIT_PER_ELO = math.log(10) / ELO_SCALE
NEWTON_ROUNDS = 100
NEWTON_TOLERANCE = 1e-12
LARGEST_STEP = 2.0
"""Newton's steps, in logits, are cut to this length: far from the answer they overshoot."""

LOG_OF_LUCK = math.log(1 - CONFIDENCE)
"""What happens less often than this is not put down to luck."""
ELO_OUT_OF_REACH = 4000.0
"""So far above somebody, no game in a million is lost; so far below, none is won."""
BOUND_TOLERANCE = 1e-3

Meetings = Mapping[tuple[str, str], tuple[int, int, int]]
"""(first, second) -> the first one's losses, draws and wins against the second."""
Pairs = Mapping[tuple[str, str], Sequence[int]]
"""(first, second) -> how many pairs of these games, colours changed, were worth 0, ½, 1, 1½ and 2
points to the first."""


class RatingError(ValueError):
    """Ratings that cannot be given."""


class Known(Enum):
    """What the results say about a rating."""

    ESTIMATE = "estimate"
    AT_LEAST = "at least"
    AT_MOST = "at most"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Rating:
    """One row of the table. An estimate's error is half its 95 % interval, and 0 for the anchor. A
    bound has the truth beyond it 95 times in 100, and no error; of nothing known, `elo` is NaN."""

    name: str
    elo: float
    error: float
    games: int
    score: float
    draws: int
    known: Known = Known.ESTIMATE


def ratings(
    meetings: Meetings, anchor: str, anchor_elo: float = 0.0, pairs: Pairs | None = None
) -> list[Rating]:
    """Strongest first. Each expected score is logistic in the difference of two ratings, and a
    draw is half a win. The error comes from the spread that the `pairs` and the other games really
    had, so that draws and openings played from both sides make it small. Who won or lost every
    game against those with a rating has a bound instead: the likeliest rating would be infinite.
    Its games say nothing about the others' ratings."""
    names = sorted({name for pair in meetings for name in pair})
    if anchor not in names:
        raise RatingError(f"the anchor {anchor!r} has played no game; players: {', '.join(names)}")
    estimates = _estimates(meetings, pairs or {}, anchor, anchor_elo)
    rows = [_row(name, meetings, estimates) for name in names]
    return sorted(rows, key=lambda row: (_ORDER.index(row.known), -row.elo))


def rated_group(meetings: Meetings, anchor: str) -> set[str]:
    """The anchor, and those who have both taken points from it and given some to it, directly or
    over others. Exactly they have finite likeliest ratings."""
    takes_from: dict[str, set[str]] = {}
    gives_to: dict[str, set[str]] = {}
    for (first, second), (losses, draws, wins) in meetings.items():
        for taker, giver, points in (
            (first, second, wins + draws),
            (second, first, losses + draws),
        ):
            if points:
                takes_from.setdefault(taker, set()).add(giver)
                gives_to.setdefault(giver, set()).add(taker)
    return _reached(takes_from, anchor) & _reached(gives_to, anchor)


def _reached(graph: Mapping[str, set[str]], start: str) -> set[str]:
    reached, waiting = {start}, [start]
    while waiting:
        for player in graph.get(waiting.pop(), set()) - reached:
            reached.add(player)
            waiting.append(player)
    return reached


_ORDER = (Known.AT_LEAST, Known.ESTIMATE, Known.AT_MOST, Known.NOTHING)
Estimates = Mapping[str, tuple[float, float]]
"""Elo and error by name, of everyone who has them."""


def _row(name: str, meetings: Meetings, estimates: Estimates) -> Rating:
    games = draws = 0
    points = 0.0
    for (first, second), (losses, drawn, wins) in meetings.items():
        if name in (first, second):
            games += losses + drawn + wins
            draws += drawn
            points += (wins if name == first else losses) + drawn / 2
    if name in estimates:
        elo, error = estimates[name]
        known = Known.ESTIMATE
    else:
        elo, known = _bound(name, meetings, estimates)
        error = math.inf
    return Rating(name, elo, error, games, points / games, draws, known)


def _bound(name: str, meetings: Meetings, estimates: Estimates) -> tuple[float, Known]:
    """From the games against those with a rating, which were all won or all lost: whoever is no
    stronger, or no weaker, than this does as well with a chance of 5 % at most."""
    won: list[tuple[float, int]] = []
    lost: list[tuple[float, int]] = []
    for (first, second), (losses, _, wins) in meetings.items():
        other = second if name == first else first
        if name not in (first, second) or other not in estimates:
            continue
        elo, _ = estimates[other]
        (won if (wins if name == first else losses) else lost).append((elo, losses + wins))
    if won:
        return _least_elo(won), Known.AT_LEAST
    if lost:
        return -_least_elo([(-elo, games) for elo, games in lost]), Known.AT_MOST
    return math.nan, Known.NOTHING


def _least_elo(opponents: Sequence[tuple[float, int]]) -> float:
    """The rating with which every one of so many games against these ratings is won with a chance
    of 5 %. Taken without draws, which errs to the safe side: with them it is smaller still."""

    def log_chance(elo: float) -> float:
        return sum(
            -games * math.log1p(math.exp((other - elo) * LOGIT_PER_ELO))
            for other, games in opponents
        )

    ratings_met = [elo for elo, _ in opponents]
    low, high = min(ratings_met) - ELO_OUT_OF_REACH, max(ratings_met) + ELO_OUT_OF_REACH
    while high - low > BOUND_TOLERANCE:
        middle = (low + high) / 2
        low, high = (middle, high) if log_chance(middle) < LOG_OF_LUCK else (low, middle)
    return high


Played = Sequence[tuple[int, int, float, float, float]]


def _estimates(meetings: Meetings, pairs: Pairs, anchor: str, anchor_elo: float) -> Estimates:
    """The likeliest ratings of the anchor's group, and their errors."""
    names = sorted(rated_group(meetings, anchor))
    number = {name: index for index, name in enumerate(names)}
    played = [
        (number[first], number[second], losses, draws, wins)
        for (first, second), (losses, draws, wins) in meetings.items()
        if first in number and second in number
    ]
    paired = {(number[a], number[b]): n for (a, b), n in pairs.items() if {a, b} <= set(names)}
    free = np.array([index for index in range(len(names)) if names[index] != anchor], dtype=int)
    logits = _solve(played, len(names), free)
    covariance = _covariance(played, paired, logits, free)
    errors = np.zeros(len(names))
    errors[free] = Z_CONFIDENCE * np.sqrt(np.diag(covariance)) / LOGIT_PER_ELO
    elos = anchor_elo + logits / LOGIT_PER_ELO
    return {name: (float(elos[index]), float(errors[index])) for name, index in number.items()}


def _solve(played: Played, players: int, free: NDArray[np.int_]) -> NDArray[np.float64]:
    """The likeliest logits; the anchor's stays 0."""
    logits = np.zeros(players)
    for _ in range(NEWTON_ROUNDS):
        gradient = np.zeros(players)
        for first, second, losses, draws, wins in played:
            expected = 1 / (1 + math.exp(logits[second] - logits[first]))
            surplus = wins + draws / 2 - (losses + draws + wins) * expected
            gradient[first] += surplus
            gradient[second] -= surplus
        step = np.linalg.solve(_curvature(played, logits, free), gradient[free])
        longest = float(np.max(np.abs(step), initial=0.0))
        logits[free] += step * min(1.0, LARGEST_STEP / longest) if longest else 0.0
        if longest < NEWTON_TOLERANCE:
            return logits
    return logits


def _curvature(
    played: Played, logits: NDArray[np.float64], free: NDArray[np.int_]
) -> NDArray[np.float64]:
    """Minus the second derivative of the log-likelihood, without the anchor."""

    def weight(first: int, second: int, losses: float, draws: float, wins: float) -> float:
        expected = 1 / (1 + math.exp(logits[second] - logits[first]))
        return (losses + draws + wins) * expected * (1 - expected)

    return _laplacian([(row[0], row[1], weight(*row)) for row in played], len(logits), free)


def _covariance(
    played: Played,
    paired: Mapping[tuple[int, int], Sequence[int]],
    logits: NDArray[np.float64],
    free: NDArray[np.int_],
) -> NDArray[np.float64]:
    """Of the free logits: curvature⁻¹ · variance of the gradient · curvature⁻¹ (the sandwich)."""

    def spread(first: int, second: int, losses: float, draws: float, wins: float) -> float:
        """Of the first one's points. One game more is thought of, won or lost: a few that happened
        to end alike must not look certain."""
        expected = 1 / (1 + math.exp(logits[second] - logits[first]))
        won, drawn, lost = 1 - expected, EVEN_SCORE - expected, -expected
        of_games = wins * won**2 + draws * drawn**2 + losses * lost**2
        pairs = paired.get((first, second), ())
        of_pairs = sum(
            count * (points / 2 - 2 * expected) ** 2 for points, count in enumerate(pairs)
        )
        unpaired = 1 - 2 * sum(pairs) / (losses + draws + wins)
        return of_pairs + unpaired * of_games + expected * (1 - expected)

    rows = [(row[0], row[1], spread(*row)) for row in played]
    filling = _laplacian(rows, len(logits), free)
    inverse = np.linalg.inv(_curvature(played, logits, free))
    product: NDArray[np.float64] = inverse @ filling @ inverse
    return product


def _laplacian(
    rows: Sequence[tuple[int, int, float]], players: int, free: NDArray[np.int_]
) -> NDArray[np.float64]:
    matrix = np.zeros((players, players))
    for first, second, weight in rows:
        matrix[first, first] += weight
        matrix[second, second] += weight
        matrix[first, second] -= weight
        matrix[second, first] -= weight
    return matrix[np.ix_(free, free)]
