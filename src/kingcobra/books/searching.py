# SPDX-License-Identifier: GPL-3.0-or-later
"""Searching the positions of a growing book: on the cores of this machine, or on a Ray cluster."""

import contextlib
import multiprocessing
import queue
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any, NamedTuple

from kingcobra.board.move_text import format_move
from kingcobra.board.position_handle import PositionHandle
from kingcobra.books.growing import Expansion, ScoredMove
from kingcobra.core.objects import CORE
from kingcobra.core.search.layout import EXACT
from kingcobra.engine.limits import SearchLimits
from kingcobra.engine.opening_book import BookError
from kingcobra.engine.reports import LineReport, SearchListener
from kingcobra.engine.search_engine import SearchEngine
from kingcobra.errors import first_line
from kingcobra.kernel.build import Builder, settle_level
from kingcobra.networks.default_network import DEFAULT_NETWORK
from kingcobra.ray_cluster import ClusterConnection, ClusterError

# How long the death of a process may go unnoticed, here and there.
WATCH_S = 1.0


class SearchSettings(NamedTuple):
    """How a position is searched. An empty network means the classical evaluation."""

    nodes: int
    lines: int
    network: str = DEFAULT_NETWORK


class _LastLines(SearchListener):
    """Keeps the last exact report of each line."""

    def __init__(self) -> None:
        self.lines: dict[int, LineReport] = {}

    def on_line(self, report: LineReport) -> None:
        """Later reports of a line are deeper."""
        if report.bound == EXACT:
            self.lines[report.number] = report


class PositionSearcher:
    """An engine that answers with the best moves of one position after another. Each is searched
    with an empty memory, so the order of the questions does not matter."""

    def __init__(self, settings: SearchSettings) -> None:
        settle_level()
        self._nodes = settings.nodes
        self._engine = SearchEngine(Builder(CORE, lambda _text: None).obtain())
        self._engine.settings.lines = settings.lines
        if settings.network:
            self._engine.set_network(settings.network)

    def expand(self, position_text: str) -> Expansion:
        """The best moves of a position and their values in centipawns."""
        engine = self._engine
        engine.clear_learnt()
        position = PositionHandle(engine.core, f"{position_text} 0 1")
        listener = _LastLines()
        engine.search(position, SearchLimits(nodes=self._nodes), listener).run()
        moves: dict[str, ScoredMove] = {}
        for _, report in sorted(listener.lines.items()):
            text = format_move(report.moves[0], position.record)
            moves.setdefault(text, ScoredMove(text, engine.scale.centipawns(report.score)))
        return Expansion(position_text, tuple(moves.values()))


class LocalSearchers(AbstractContextManager["LocalSearchers"]):
    """Processes of this machine, an engine in each."""

    def __init__(self, settings: SearchSettings, size: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._tasks: Any = context.Queue()
        self._answers: Any = context.Queue()
        self.size = size
        self._processes: list[BaseProcess] = [
            context.Process(
                target=_answer, args=(settings, self._tasks, self._answers), daemon=True
            )
            for _ in range(size)
        ]
        for process in self._processes:
            process.start()

    def expand(self, positions: Sequence[str]) -> Iterator[Expansion]:
        """The answers as they come. BookError if a process has died."""
        for position in positions:
            self._tasks.put(position)
        for _ in positions:
            answer = self._next_answer()
            if isinstance(answer, str):
                raise BookError(f"searching failed: {answer}")
            yield answer

    def _next_answer(self) -> Expansion | str:
        while True:
            try:
                answer: Expansion | str = self._answers.get(timeout=WATCH_S)
                return answer
            except queue.Empty:
                if not all(process.is_alive() for process in self._processes):
                    raise BookError("a searching process has died") from None

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        for process in self._processes:
            process.terminate()
            process.join()


def _answer(settings: SearchSettings, tasks: Any, answers: Any) -> None:
    """The life of a process: it answers until it is ended, or its parent is gone."""
    import signal

    # Ctrl-C is the parent's business.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        searcher = PositionSearcher(settings)
        parent = multiprocessing.parent_process()
        while parent is not None and parent.is_alive():
            with contextlib.suppress(queue.Empty):
                answers.put(searcher.expand(tasks.get(timeout=WATCH_S)))
    except Exception as error:
        answers.put(f"{type(error).__name__}: {error}")


class ClusterSearchers(AbstractContextManager["ClusterSearchers"]):
    """Actors on the Ray cluster at an address, `auto` for the one this machine belongs to."""

    def __init__(self, settings: SearchSettings, size: int, address: str) -> None:
        try:
            self._connection = ClusterConnection(address)
        except ClusterError as error:
            raise BookError(str(error)) from None
        from ray.util import ActorPool

        self._ray = self._connection.ray
        self.size = size
        actor = self._ray.remote(num_cpus=1)(PositionSearcher)
        self._pool = ActorPool([actor.remote(settings) for _ in range(size)])

    def expand(self, positions: Sequence[str]) -> Iterator[Expansion]:
        """The answers as they come. BookError if an actor is lost."""
        try:
            yield from self._pool.map_unordered(
                lambda actor, position: actor.expand.remote(position), list(positions)
            )
        except self._ray.exceptions.RayError as error:
            raise BookError(f"searching failed: {first_line(error)}") from None

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._connection.close()


Searchers = LocalSearchers | ClusterSearchers
