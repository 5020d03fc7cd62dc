# SPDX-License-Identifier: GPL-3.0-or-later
"""What a `go` asks for, in values."""

from dataclasses import dataclass, field

from kingcobra.board.basics import BLACK, WHITE


@dataclass
class GoLimits:
    """Zero or empty means: not asked for. Times are milliseconds."""

    searchmoves: list[str] | None = None
    ponder: bool = False
    infinite: bool = False
    clock_ms: dict[int, int] = field(default_factory=dict)
    increment_ms: dict[int, int] = field(default_factory=lambda: {WHITE: 0, BLACK: 0})
    movestogo: int = 0
    depth: int = 0
    nodes: int = 0
    mate: int = 0
    movetime_ms: int = 0
    perft: int = 0
