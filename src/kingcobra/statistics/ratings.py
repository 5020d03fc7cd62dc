# SPDX-License-Identifier: GPL-3.0-or-later
"""Ratings of many engines at once: Bradley–Terry, with the rating of one engine given."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from kingcobra.statistics.bradley_terry import Games, Meeting, strengths
from kingcobra.statistics.elo import CONFIDENCE, ELO_SCALE

LOGIT_PER_ELO = math.log(10) / ELO_SCALE
LOG_OF_LUCK = math.log(1 - CONFIDENCE)
"""Results less likely than this are not explained by luck."""
ELO_OUT_OF_REACH = 4000.0
"""With this lead, no game in a million is lost."""
BOUND_TOLERANCE = 1e-3

Meetings = Mapping[tuple[str, str], tuple[int, int, int]]
"""(first, second) -> losses, draws and wins of the first against the second."""
Pairs = Mapping[tuple[str, str], Sequence[int]]
"""(first, second) -> how many pairs of these games gave the first 0, ½, 1, 1½ and 2 points."""


class RatingError(ValueError):
    """Ratings that cannot be computed."""


class Known(Enum):
    """What the results say about a rating."""

    ESTIMATE = "estimate"
    AT_LEAST = "at least"
    AT_MOST = "at most"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Rating:
    """One row of the table. `low` to `high` is the 95 % interval, which has no width for the
    anchor. For a bound, one end is the bound and the other infinite. If nothing is known, both ends
    are infinite and `elo` is NaN."""

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
    draw is half a win. The interval is that of the difference to the anchor; it comes from the
    observed spread of the `pairs` and of the other games, so draws and openings played with both
    colours make it small. An engine that won or lost every game against those with a rating has a
    bound instead, since its likeliest rating is infinite; its games do not affect the other
    ratings. An engine without games has no row."""
    meetings = {players: results for players, results in meetings.items() if any(results)}
    names = sorted({name for pair in meetings for name in pair})
    if anchor not in names:
        raise RatingError(f"the anchor {anchor!r} has played no game; players: {', '.join(names)}")
    estimates = _estimates(meetings, pairs or {}, anchor, anchor_elo)
    rows = [_row(name, meetings, estimates) for name in names]
    return sorted(rows, key=lambda row: (_ORDER.index(row.known), -row.elo))


def rated_group(meetings: Meetings, anchor: str) -> set[str]:
    """The anchor, and the engines that have both taken points from it and lost points to it,
    directly or through others: exactly those with a finite likeliest rating."""
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
"""By name, for the engines that have one."""


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
    """From the games against engines with a rating, which were all won or all lost: an engine
    below, or above, the bound has such results with a chance of at most 5 %."""
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
    """The rating at which winning all these games, given as opponents' ratings and numbers, has a
    chance of 5 %. Draws are ignored, which errs on the safe side: with them it is smaller still."""

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
    """Ratings of the engines in the group of the anchor."""
    names = sorted(rated_group(meetings, anchor))
    number = {name: index for index, name in enumerate(names)}
    rows = [
        Meeting(number[first], number[second], results, pairs.get((first, second)))
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
