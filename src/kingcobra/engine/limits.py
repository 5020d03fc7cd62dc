# SPDX-License-Identifier: GPL-3.0-or-later
"""What a `go` asks for, in values."""

from kingcobra.core.rules.basics import BLACK, WHITE


class GoLimits:
    """None, zero or empty means: not asked for. Times are milliseconds. Who asks for `perft`, a
    depth that may be zero, wants leaves counted, and nothing searched."""

    def __init__(
        self,
        searchmoves: list[str] | None = None,
        ponder: bool = False,
        infinite: bool = False,
        clock_ms: dict[int, int] | None = None,
        increment_ms: dict[int, int] | None = None,
        movestogo: int = 0,
        depth: int = 0,
        nodes: int = 0,
        mate: int = 0,
        movetime_ms: int = 0,
        perft: int | None = None,
    ) -> None:
        self.searchmoves = searchmoves
        self.ponder = ponder
        self.infinite = infinite
        self.clock_ms = clock_ms or {}
        self.increment_ms = {WHITE: 0, BLACK: 0} | (increment_ms or {})
        self.movestogo = movestogo
        self.depth = depth
        self.nodes = nodes
        self.mate = mate
        self.movetime_ms = movetime_ms
        self.perft = perft

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GoLimits) and vars(self) == vars(other)

    def __repr__(self) -> str:
        return f"GoLimits({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"
