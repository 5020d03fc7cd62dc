# SPDX-License-Identifier: GPL-3.0-or-later
"""Ratings of many engines at once: Bradley–Terry, with one engine's rating given."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from kingcobra.arena.statistics.bradley_terry import Games, strengths
from kingcobra.arena.statistics.elo import CONFIDENCE, ELO_SCALE

LOGIT_PER_ELO = math.log(10) / ELO_SCALE
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
    """One row of the table. From `low` to `high` is the 95 % interval, which has no width for the
    anchor. A bound has the truth beyond it 95 times in 100: it is one end of the interval, and the
    other is infinite. Of nothing known both are, and `elo` is NaN."""

    name: str
    elo: float
    low: float
    high: float
    games: int
    score: float
    draws: int
    known: Known = Known.ESTIMATE


def ratings(
    meetings: Meetings, anchor: str, anchor_elo: float = 0.0, pairs: Pairs | None = None
) -> list[Rating]:
    """Strongest first. Each expected score is logistic in the difference of two ratings, and a
    draw is half a win. The interval, that of the difference to the anchor, comes from the spread
    that the `pairs` and the other games really had, so that draws and openings played from both
    sides make it small. Who won or lost every game against those with a rating has a bound instead:
    the likeliest rating would be infinite. Its games say nothing about the others' ratings. Who has
    played no game has no row."""
    meetings = {players: results for players, results in meetings.items() if any(results)}
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


class EloInterval(NamedTuple):
    """The likeliest rating, and the ends of its 95 % interval."""

    elo: float
    low: float
    high: float


EloIntervals = Mapping[str, EloInterval]
"""By name, of everyone who has one."""


def _row(name: str, meetings: Meetings, estimates: EloIntervals) -> Rating:
    games = draws = 0
    points = 0.0
    for (first, second), (losses, drawn, wins) in meetings.items():
        if name in (first, second):
            games += losses + drawn + wins
            draws += drawn
            points += (wins if name == first else losses) + drawn / 2
    if name in estimates:
        estimate, known = estimates[name], Known.ESTIMATE
    else:
        estimate, known = _bound(name, meetings, estimates)
    return Rating(name, *estimate, games, points / games, draws, known)


def _bound(name: str, meetings: Meetings, estimates: EloIntervals) -> tuple[EloInterval, Known]:
    """From the games against those with a rating, which were all won or all lost: whoever is no
    stronger, or no weaker, than this does as well with a chance of 5 % at most."""
    won: list[tuple[float, int]] = []
    lost: list[tuple[float, int]] = []
    for (first, second), (losses, _, wins) in meetings.items():
        other = second if name == first else first
        if name not in (first, second) or other not in estimates:
            continue
        met = (estimates[other].elo, losses + wins)
        (won if (wins if name == first else losses) else lost).append(met)
    if won:
        least = _least_elo(won)
        return EloInterval(least, least, math.inf), Known.AT_LEAST
    if lost:
        most = -_least_elo([(-elo, games) for elo, games in lost])
        return EloInterval(most, -math.inf, most), Known.AT_MOST
    return EloInterval(math.nan, -math.inf, math.inf), Known.NOTHING


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


def _estimates(meetings: Meetings, pairs: Pairs, anchor: str, anchor_elo: float) -> EloIntervals:
    """Of the anchor's group."""
    names = sorted(rated_group(meetings, anchor))
    number = {name: index for index, name in enumerate(names)}
    rows = [
        (number[first], number[second], results, pairs.get((first, second)))
        for (first, second), results in meetings.items()
        if first in number and second in number
    ]
    if not rows:
        return {anchor: EloInterval(anchor_elo, anchor_elo, anchor_elo)}
    found = strengths(Games.of(len(names), rows), number[anchor])

    def elo(logit: float) -> float:
        return anchor_elo + float(logit) / LOGIT_PER_ELO

    return {
        name: EloInterval(
            elo(found.likeliest[index]), elo(found.low[index]), elo(found.high[index])
        )
        for name, index in number.items()
    }
