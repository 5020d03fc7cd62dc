# SPDX-License-Identifier: GPL-3.0-or-later
"""When a search ends, in values."""

from typing import NamedTuple


class SearchLimits(NamedTuple):
    """What a search is limited to; zero, None or empty means that there is no such limit. Whoever
    makes this record has decided: a limit stands here only if the search is to keep it."""

    # Legal moves, each once; all of them are searched where none is named.
    root_moves: tuple[int, ...] = ()
    # Below MAX_PLY.
    depth: int = 0
    nodes: int = 0
    mate: int = 0
    movetime_ms: int = 0
    # Of the side to move; may be negative, as a GUI's clock may.
    clock_ms: int | None = None
    increment_ms: int = 0
    movestogo: int = 0
    # The result is held back until `stop`.
    infinite: bool = False
    # No limit counts, and the result is held back, until `ponderhit` or `stop`.
    ponder: bool = False

    @property
    def is_endless(self) -> bool:
        """Whether only `stop` ends the search before its greatest depth."""
        limits = (self.depth, self.nodes, self.mate, self.movetime_ms)
        has_limit = self.clock_ms is not None or any(limits)
        return self.infinite or self.ponder or not has_limit
