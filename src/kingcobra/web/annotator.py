# SPDX-License-Identifier: GPL-3.0-or-later
"""Annotating the game on the board, and the curve of its evaluations."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from kingcobra.analysis.accuracy import win_percent
from kingcobra.analysis.annotating import Abandoned, annotate_text
from kingcobra.analysis.searching import GameSearcher
from kingcobra.analysis.settings import AnnotationSettings
from kingcobra.pictures.evaluation_graph import GraphPoint, graph_svg
from kingcobra.web.errors import WebError
from kingcobra.web.game_tree import ROOT, GameTree
from kingcobra.web.shown_lines import shown_score

# A fifth of Lichess's: an 80-ply game takes seconds to a minute.
NODES = 200_000
START_CP = 15
# A curve needs two points.
LEAST_EVALUATIONS = 2
MARKS = {6: "#e0a030", 2: "#e07b30", 4: "#d0402b"}

Post = Callable[[dict[str, Any]], None]


class Annotator:
    """Annotates in a thread of its own, with memory of its own. `is_wanted` says whether it
    should."""

    def __init__(self, post: Post, settings: AnnotationSettings) -> None:
        self.is_wanted = False
        self._post = post
        self._settings = settings
        self._searcher: GameSearcher | None = None
        # One thread: what was stopped has ended before the next begins.
        self._thread = ThreadPoolExecutor(1, "annotation")
        self._summary: dict[str, Any] | None = None

    def forget(self) -> None:
        """Another game."""
        self._summary = None

    def message(self, tree: GameTree) -> dict[str, Any]:
        """The curve of the game, empty where it has too few evaluations."""
        nodes, points = graph_points(tree)
        known = len(points) >= LEAST_EVALUATIONS
        return {
            "kind": "graph",
            "svg": graph_svg(points) if known else "",
            "nodes": nodes if known else [],
            "summary": self._summary,
        }

    async def run(self, tree: GameTree) -> str:
        """The annotated game as PGN text; it can be cancelled between two positions."""
        loop = asyncio.get_running_loop()
        stopped = threading.Event()
        plies = len(tree.line(tree.last()))
        done = 0

        def tell(share: float) -> None:
            # The last word is that it has ended.
            if not stopped.is_set():
                self._tell_progress(share)

        def goes_on() -> bool:
            nonlocal done
            if stopped.is_set():
                return False
            loop.call_soon_threadsafe(tell, done / (plies + 1))
            done += 1
            return True

        try:
            return await loop.run_in_executor(self._thread, self._annotated, tree.pgn(), goes_on)
        finally:
            stopped.set()
            self._tell_progress(None)

    def _annotated(self, pgn: str, goes_on: Callable[[], bool]) -> str:
        if self._searcher is None:
            self._searcher = GameSearcher(self._settings)
        try:
            annotation = annotate_text(pgn, self._searcher, self._settings, goes_on)
        except Abandoned:
            raise WebError("the annotation was stopped") from None
        record = annotation.record
        if record is None:
            raise WebError(annotation.error)
        self._summary = {
            side: {
                "accuracy": player.accuracy,
                "inaccuracies": player.inaccuracies,
                "mistakes": player.mistakes,
                "blunders": player.blunders,
            }
            for side, player in (("white", record.white), ("black", record.black))
        }
        return record.pgn

    def _tell_progress(self, share: float | None) -> None:
        self._post({"kind": "progress", "share": share})


def graph_points(tree: GameTree) -> tuple[list[int], list[GraphPoint]]:
    """The moves of the main line up to the last one with an evaluation, and their points; a move
    without one has that of the move before it."""
    nodes, points = [ROOT], [GraphPoint(win_percent(START_CP))]
    known = 0
    for node in tree.game.mainline():
        score = node.eval()
        point = points[-1]._replace(text="", mark="")
        if score is not None:
            shown = shown_score(score)
            mark = next((MARKS[nag] for nag in sorted(node.nags) if nag in MARKS), "")
            point = GraphPoint(shown.white_percent, f"{node.san()} {shown.text}", mark)
            known = len(points)
        nodes.append(tree.number(node))
        points.append(point)
    return nodes[: known + 1], points[: known + 1]
