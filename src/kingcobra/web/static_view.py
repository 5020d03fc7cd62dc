# SPDX-License-Identifier: GPL-3.0-or-later
"""What is known of a position without a search: the verdict of endgame tables, what each man is
worth, and how the parts of the evaluation change along the game."""

from collections.abc import Callable, Hashable
from typing import Any

import chess

from kingcobra.web.engine_desk import EngineDesk
from kingcobra.web.game_tree import ROOT, GameTree
from kingcobra.web.position_parts import CoursePoint

# Positions whose parts are remembered; a game has fewer.
MOST_REMEMBERED = 20_000

Post = Callable[[dict[str, Any]], None]


class StaticView:
    """`is_on` says whether the evaluation is wanted; the verdict of tables always is."""

    def __init__(self, desk: EngineDesk, post: Post) -> None:
        self.is_on = False
        self._desk = desk
        self._post = post
        self._known: dict[str, dict[str, Any]] = {}
        self._course: dict[str, CoursePoint] = {}

    @property
    def has_work(self) -> bool:
        """Whether anything is wanted."""
        return self.is_on or self._desk.has_tables

    @property
    def key(self) -> Hashable:
        """Changes when something else is wanted."""
        return self.is_on

    def messages(self) -> list[dict[str, Any]]:
        """What is known already, for a new page."""
        return list(self._known.values())

    def forget(self) -> None:
        """Another game: its moves have numbers of their own."""
        self._known = {}

    async def run(self, tree: GameTree, node: int) -> None:
        """Tells what is known of a move of a game, until it is cancelled."""
        board = tree.board(node)
        if self._desk.has_tables:
            text = await self._desk.verdict(board)
            self._tell({"kind": "tables", "node": node, "text": text})
        if self.is_on:
            parts = await self._desk.parts(board)
            self._tell({"kind": "inside", "node": node, **parts.as_json()})
            self._tell(await self._course_message(tree))

    async def _course_message(self, tree: GameTree) -> dict[str, Any]:
        nodes, boards = _main_line(tree)
        fens = [board.fen() for board in boards]
        if len(self._course) > MOST_REMEMBERED:
            self._course = {}
        for fen, board in zip(fens, boards, strict=True):
            if fen not in self._course:
                self._course[fen] = await self._desk.course_point(board)
        points = [self._course[fen] for fen in fens]
        return {
            "kind": "course",
            "nodes": nodes,
            "total_cp": [point.total_cp for point in points],
            "parts": [
                [name, [dict(point.parts)[name] for point in points]]
                for name, _value in points[0].parts
            ],
            "buckets": [point.bucket for point in points],
        }

    def _tell(self, message: dict[str, Any]) -> None:
        self._known[message["kind"]] = message
        self._post(message)


def _main_line(tree: GameTree) -> tuple[list[int], list[chess.Board]]:
    """The numbers of the moves of the main line and the boards after them, from the start on."""
    board = tree.board(ROOT)
    nodes, boards = [ROOT], [board.copy(stack=False)]
    for node in tree.game.mainline():
        board.push(node.move)
        nodes.append(tree.number(node))
        boards.append(board.copy(stack=False))
    return nodes, boards
