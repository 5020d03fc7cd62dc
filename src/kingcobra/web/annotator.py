# SPDX-License-Identifier: GPL-3.0-or-later
"""Annotating the game on the board, and the curve of its evaluations."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

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


class AnnotatedText(NamedTuple):
    """A game as PGN text, and both sides' accuracy and numbers of faults."""

    pgn: str
    summary: dict[str, Any]


class Annotator:
    """Annotates in a thread of its own, with memory of its own. `is_wanted` says whether it should,
    `summary` what it has found in the game on the board."""

    def __init__(self, post: Post, settings: AnnotationSettings) -> None:
        self.is_wanted = False
        self.summary: dict[str, Any] | None = None
        self._post = post
        self._settings = settings
        self._searcher: GameSearcher | None = None
        # One thread: what was stopped has ended before the next begins.
        self._thread = ThreadPoolExecutor(1, "annotation")
        # How much is done of what is under way.
        self._share: float | None = None

    def forget(self) -> None:
        """Another game."""
        self.summary = None

    def message(self, tree: GameTree) -> dict[str, Any]:
        """The curve of the game, empty where it has too few evaluations."""
        nodes, points = graph_points(tree)
        known = len(points) >= LEAST_EVALUATIONS
        return {
            "kind": "graph",
            "svg": graph_svg(points) if known else "",
            "nodes": nodes if known else [],
            "summary": self.summary,
        }

    def progress_message(self) -> dict[str, Any]:
        """How much is done; None if nothing is under way."""
        return {"kind": "progress", "share": self._share}

    async def run(self, tree: GameTree) -> AnnotatedText:
        """The annotated game; it can be cancelled between two positions."""
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

    def _annotated(self, pgn: str, goes_on: Callable[[], bool]) -> AnnotatedText:
        if self._searcher is None:
            self._searcher = GameSearcher(self._settings)
        try:
            annotation = annotate_text(pgn, self._searcher, self._settings, goes_on)
        except Abandoned:
            raise WebError("the annotation was stopped") from None
        record = annotation.record
        if record is None:
            raise WebError(annotation.error)
        summary = {
            side: {
                "accuracy": player.accuracy,
                "inaccuracies": player.inaccuracies,
                "mistakes": player.mistakes,
                "blunders": player.blunders,
            }
            for side, player in (("white", record.white), ("black", record.black))
        }
        return AnnotatedText(record.pgn, summary)

    def _tell_progress(self, share: float | None) -> None:
        self._share = share
        self._post(self.progress_message())


def graph_points(tree: GameTree) -> tuple[list[int], list[GraphPoint]]:
    """The moves of the main line up to the last one with an evaluation, and their points; a move
    without one has that of the move before it."""
    nodes, points = [ROOT], [GraphPoint(win_percent(START_CP))]
    known = 0
    for node in tree.game.mainline():
        number = tree.number(node)
        score = tree.score(number)
        point = points[-1]._replace(text="", mark="")
        if score is not None:
            shown = shown_score(score)
            mark = next((MARKS[nag] for nag in sorted(node.nags) if nag in MARKS), "")
            point = GraphPoint(shown.white_percent, f"{tree.san(number)} {shown.text}", mark)
            known = len(points)
        nodes.append(number)
        points.append(point)
    return nodes[: known + 1], points[: known + 1]
