# SPDX-License-Identifier: GPL-3.0-or-later
"""Live analysis of the position on the board, told to all pages as it grows."""

import asyncio
from collections.abc import Callable, Hashable
from typing import Any

import chess
from chess.engine import InfoDict

from kingcobra.web.engine_desk import EngineDesk
from kingcobra.web.shown_lines import lines_json

# Pages get the first line at once, and others not more often than this.
UPDATE_S = 0.1

Post = Callable[[dict[str, Any]], None]


class Analyst:
    """What is wanted (`is_on`, `lines`), and what is known of the position."""

    def __init__(self, desk: EngineDesk, post: Post) -> None:
        self.is_on = False
        self.lines = 1
        self._desk = desk
        self._post = post
        self._known: dict[str, Any] | None = None

    @property
    def key(self) -> Hashable:
        """Changes when something else is wanted of a position."""
        return self.lines

    def messages(self) -> list[dict[str, Any]]:
        """What is known already, for a new page."""
        return [] if self._known is None else [self._known]

    def forget(self) -> None:
        """Another game: its moves have numbers of their own."""
        self._known = None

    async def run(self, node: int, board: chess.Board) -> None:
        """Works on a position until it is cancelled."""
        loop = asyncio.get_running_loop()
        told_at = -UPDATE_S
        message: dict[str, Any] | None = None
        async for infos in self._desk.analyse(board, self.lines):
            message = analysis_message(node, board, infos)
            if message["lines"] and loop.time() - told_at >= UPDATE_S:
                told_at = loop.time()
                self._tell(message)
        if message is not None:
            self._tell(message)

    def _tell(self, message: dict[str, Any]) -> None:
        self._known = message
        self._post(message)


def analysis_message(node: int, board: chess.Board, infos: list[InfoDict]) -> dict[str, Any]:
    """The lines of a position, and how much was searched."""
    first = infos[0]
    return {
        "kind": "analysis",
        "node": node,
        "lines": lines_json(board, infos),
        "depth": first.get("depth", 0),
        "seldepth": first.get("seldepth", 0),
        "nodes": first.get("nodes", 0),
        "nps": first.get("nps", 0),
        "hashfull": first.get("hashfull", 0),
        "tbhits": first.get("tbhits", 0),
    }
