# SPDX-License-Identifier: GPL-3.0-or-later
"""python-chess's Limit as the limits of a search. This is where limits are decided for the API."""

import math
import operator
import reprlib
from typing import Any

from chess.engine import Limit

from kingcobra.api.errors import EngineError
from kingcobra.core.rules.basics import WHITE
from kingcobra.core.search.scores import MAX_PLY
from kingcobra.engine.clock import MOST_MS
from kingcobra.engine.limits import SearchLimits

MS_PER_S = 1000
# As python-chess sends them: a limit of nothing still owes a move.
LEAST = 1
# None of these overflows the records.
MOST = 10**18 - 1


def search_limits(limit: Limit | None, side: int, root_moves: tuple[int, ...]) -> SearchLimits:
    """The limits for the side to move; None is an infinite search. A number below the least that
    makes sense counts as that. EngineError names a value that is not a number."""
    if limit is None:
        return SearchLimits(root_moves=root_moves, infinite=True)
    if not isinstance(limit, Limit):
        raise TypeError(f"limit {limit!r} ({type(limit).__name__}), expected chess.engine.Limit")
    ours = ("white_clock", "white_inc") if side == WHITE else ("black_clock", "black_inc")
    clock, increment = ours
    moves_to_go = _count(limit, "remaining_moves")
    return SearchLimits(
        root_moves=root_moves,
        depth=min(_least(_count(limit, "depth")), MAX_PLY - 1),
        nodes=_least(_count(limit, "nodes")),
        mate=_least(_count(limit, "mate")),
        movetime_ms=_least(_milliseconds(limit, "time")),
        clock_ms=_milliseconds(limit, clock),
        increment_ms=_milliseconds(limit, increment) or 0,
        movestogo=max(moves_to_go or 0, 0),
    )


def require_end(limits: SearchLimits, limit: Limit | None) -> None:
    """EngineError for limits that would never end a search for which the caller waits."""
    ends = (
        limits.depth
        or limits.nodes
        or limits.mate
        or limits.movetime_ms
        or limits.clock_ms is not None
    )
    if not ends:
        raise EngineError(f"{limit!r} never ends a search; analysis() can be stopped at any time")


def _least(number: int | None) -> int:
    """Zero stands for no limit."""
    return 0 if number is None else max(number, LEAST)


def _count(limit: Limit, name: str) -> int | None:
    value: Any = getattr(limit, name)
    if value is None:
        return None
    try:
        number = operator.index(value)
    except TypeError:
        if not isinstance(value, float) or not math.isfinite(value):
            raise EngineError(f"limit {name} {value!r}, expected a whole number") from None
        number = int(value)
    return max(-MOST, min(number, MOST))


def _milliseconds(limit: Limit, name: str) -> int | None:
    value: Any = getattr(limit, name)
    if value is None:
        return None
    try:
        seconds = float(value)
        if math.isnan(seconds):
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        shown = reprlib.repr(value)
        raise EngineError(f"limit {name} {shown}, expected seconds") from None
    return round(max(-MOST_MS, min(seconds * MS_PER_S, MOST_MS)))
