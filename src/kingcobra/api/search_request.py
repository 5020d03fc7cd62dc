# SPDX-License-Identifier: GPL-3.0-or-later
"""What a user asks of the engine, checked before anything happens."""

import operator
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from chess.engine import INFO_ALL, ConfigMapping, ConfigValue, Info, Limit, Opponent

from kingcobra.api.errors import EngineError
from kingcobra.api.limits import require_end, search_limits
from kingcobra.api.positions import AnyBoard, AnyMove, position_of, root_moves_of
from kingcobra.board.position_handle import PositionHandle
from kingcobra.engine.limits import SearchLimits
from kingcobra.engine.options import MAX_LINES
from kingcobra.kernel.host import monotonic_ns

NO_OPTIONS: Mapping[str, ConfigValue] = MappingProxyType({})


class SearchRequest(NamedTuple):
    """A search. Its position belongs to it alone."""

    position: PositionHandle
    limits: SearchLimits
    started_ns: int
    lines: int = 1
    # Analysis is never weakened or shortened, and does not use the book; a move in a game may be.
    is_analysis: bool = True
    # Whether the engine thinks on after its move.
    ponder: bool = False
    game: object = None
    opponent: Opponent | None = None
    selector: Info = INFO_ALL
    options: ConfigMapping = NO_OPTIONS


def required_count(value: object, name: str, most: int) -> int:
    """An integer from 1 on. EngineError names any other value."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = 0
    if not 1 <= number <= most:
        raise EngineError(f"{name} {value!r}, expected a number from 1 to {most}")
    return number


def search_request(
    board: AnyBoard,
    limit: Limit | None,
    *,
    root_moves: Iterable[AnyMove] | None = None,
    multipv: int | None = None,
    must_end: bool = True,
    **rest: Any,
) -> SearchRequest:
    """A request from what a user gives; `rest` are fields of it. Each error names the value."""
    started_ns = monotonic_ns()
    lines = 1 if multipv is None else required_count(multipv, "multipv", MAX_LINES)
    position = position_of(board)
    codes = root_moves_of(position, root_moves)
    limits = search_limits(limit, position.record.side, codes)
    if must_end:
        require_end(limits, limit)
    return SearchRequest(position, limits, started_ns, lines=lines, **rest)
