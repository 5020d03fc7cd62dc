# SPDX-License-Identifier: GPL-3.0-or-later
"""Ratings of many engines at once: Bradley–Terry, with one engine's rating given."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kingcobra.arena.statistics import ELO_SCALE, EVEN_SCORE, Z_CONFIDENCE

LOGIT_PER_ELO = math.log(10) / ELO_SCALE
NEWTON_ROUNDS = 100
NEWTON_TOLERANCE = 1e-12
LARGEST_STEP = 2.0
"""Newton's steps, in logits, are cut to this length: far from the answer they overshoot."""

Meetings = Mapping[tuple[str, str], tuple[int, int, int]]
"""(first, second) -> the first one's losses, draws and wins against the second."""


class RatingError(ValueError):
    """No finite ratings explain the results."""


@dataclass(frozen=True)
class Rating:
    """One row of the table; the error is half the 95 % interval, and 0 for the anchor."""

    name: str
    elo: float
    error: float
    games: int
    score: float
    draws: int


def ratings(
    meetings: Meetings, anchor: str, anchor_elo: float = 0.0, virtual_draws: float = 0.0
) -> list[Rating]:
    """Strongest first. Each expected score is logistic in the difference of two ratings, and a
    draw is half a win. The error comes from the spread the games really had, so that many draws
    make it small. `virtual_draws` are added to every meeting, to keep the ratings finite where
    somebody won or lost everything; without them such results raise RatingError."""
    names = sorted({name for pair in meetings for name in pair})
    if anchor not in names:
        raise RatingError(f"the anchor {anchor!r} has played no game; players: {', '.join(names)}")
    number = {name: index for index, name in enumerate(names)}
    played = [
        (number[first], number[second], losses, draws + virtual_draws, wins)
        for (first, second), (losses, draws, wins) in meetings.items()
        if losses + draws + wins + virtual_draws > 0
    ]
    if not _is_connected(played, len(names)):
        raise RatingError("somebody won or lost everything, or two groups never met")
    free = np.array([index for index in range(len(names)) if index != number[anchor]], dtype=int)
    logits = _solve(played, len(names), free)
    covariance = _covariance(played, logits, free)
    errors = np.zeros(len(names))
    errors[free] = Z_CONFIDENCE * np.sqrt(np.diag(covariance)) / LOGIT_PER_ELO
    elos = anchor_elo + logits / LOGIT_PER_ELO
    rows = [
        _row(name, float(elos[number[name]]), float(errors[number[name]]), meetings)
        for name in names
    ]
    return sorted(rows, key=lambda row: -row.elo)


Played = Sequence[tuple[int, int, float, float, float]]


def _row(name: str, elo: float, error: float, meetings: Meetings) -> Rating:
    games = draws = 0
    points = 0.0
    for (first, second), (losses, drawn, wins) in meetings.items():
        if name in (first, second):
            games += losses + drawn + wins
            draws += drawn
            points += (wins if name == first else losses) + drawn / 2
    return Rating(name, elo, error, games, points / games if games else EVEN_SCORE, draws)


def _is_connected(played: Played, players: int) -> bool:
    """Whether points flow, over any number of players, from everyone to everyone: exactly then
    the likeliest ratings are finite."""
    takes_from: dict[int, set[int]] = {player: set() for player in range(players)}
    for first, second, losses, draws, wins in played:
        if wins or draws:
            takes_from[first].add(second)
        if losses or draws:
            takes_from[second].add(first)
    gives_to: dict[int, set[int]] = {player: set() for player in range(players)}
    for player, others in takes_from.items():
        for other in others:
            gives_to[other].add(player)
    return all(len(_reached(graph)) == players for graph in (takes_from, gives_to))


def _reached(graph: Mapping[int, set[int]]) -> set[int]:
    reached, waiting = {0}, [0]
    while waiting:
        for player in graph[waiting.pop()] - reached:
            reached.add(player)
            waiting.append(player)
    return reached


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
    played: Played, logits: NDArray[np.float64], free: NDArray[np.int_]
) -> NDArray[np.float64]:
    """Of the free logits: curvature⁻¹ · variance of the gradient · curvature⁻¹ (the sandwich)."""

    def spread(first: int, second: int, losses: float, draws: float, wins: float) -> float:
        expected = 1 / (1 + math.exp(logits[second] - logits[first]))
        won, drawn, lost = 1 - expected, EVEN_SCORE - expected, -expected
        return wins * won**2 + draws * drawn**2 + losses * lost**2

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
