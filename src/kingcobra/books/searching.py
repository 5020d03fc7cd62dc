# SPDX-License-Identifier: GPL-3.0-or-later
"""Searching the positions of a growing book: on the cores of this machine, or on a Ray cluster."""

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import NamedTuple

from kingcobra.board.move_text import format_move
from kingcobra.board.position_handle import PositionHandle
from kingcobra.books.growing import Expansion, ScoredMove
from kingcobra.core.objects import CORE
from kingcobra.core.search.layout import EXACT
from kingcobra.engine.evaluator import EvaluatorError
from kingcobra.engine.limits import SearchLimits
from kingcobra.engine.opening_book import BookError
from kingcobra.engine.reports import LineReport, SearchListener
from kingcobra.engine.search_engine import SearchEngine
from kingcobra.kernel.build import Builder, settle_level
from kingcobra.networks.carried_network import CarriedNetwork, carried_network
from kingcobra.networks.default_network import DEFAULT_NETWORK
from kingcobra.networks.network_files import NetworkError
from kingcobra.workers.cluster import ClusterWorkers
from kingcobra.workers.processes import WorkerProcesses
from kingcobra.workers.tasks import Serve


class SearchSettings(NamedTuple):
    """How a position is searched. An empty network means the classical evaluation."""

    nodes: int
    lines: int
    network: str = DEFAULT_NETWORK


class DeepestLines(SearchListener):
    """Keeps the exact lines of each depth."""

    def __init__(self) -> None:
        self._by_depth: dict[int, dict[int, LineReport]] = {}
        self._deepest = 0

    def on_line(self, report: LineReport) -> None:
        """Lines of an earlier depth may come once more, in another place; they are known."""
        if report.bound == EXACT and report.depth >= self._deepest:
            self._by_depth.setdefault(report.depth, {})[report.number] = report
        self._deepest = max(self._deepest, report.depth)

    @property
    def lines(self) -> list[LineReport]:
        """Those of the deepest depth that has as many as any: only these were all compared."""
        depths = sorted(self._by_depth.items(), reverse=True)
        best: dict[int, LineReport] = {}
        for _, lines in depths:
            if len(lines) > len(best):
                best = lines
        return [best[number] for number in sorted(best)]


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
        listener = DeepestLines()
        engine.search(position, SearchLimits(nodes=self._nodes), listener).run()
        moves = [
            ScoredMove(
                format_move(report.moves[0], position.record),
                engine.scale.centipawns(report.score),
            )
            for report in listener.lines
        ]
        return Expansion(position_text, tuple(moves))


def expanding(settings: SearchSettings) -> Serve[str, Expansion]:
    """What a worker of this machine does. BookError if it cannot."""
    try:
        return PositionSearcher(settings).expand
    except EvaluatorError as error:
        raise BookError(str(error)) from None


class CarriedSettings(NamedTuple):
    """Settings for another machine, with the network that they name."""

    settings: SearchSettings
    network: CarriedNetwork


def expanding_elsewhere(carried: CarriedSettings) -> Serve[str, Expansion]:
    """The same on another machine."""
    with carried.network.file() as name:
        return expanding(carried.settings._replace(network=name))


class Searchers(AbstractContextManager["Searchers"]):
    """Processes of this machine, an engine in each, or actors on the Ray cluster at an address,
    `auto` for the one this machine belongs to."""

    def __init__(self, settings: SearchSettings, size: int, cluster: str | None = None) -> None:
        """BookError where there is no such cluster, or the network cannot be read."""
        self.size = size
        self._workers: WorkerProcesses[str, Expansion] | ClusterWorkers[str, Expansion]
        if cluster is None:
            self._workers = WorkerProcesses(expanding, settings, size, BookError)
            return
        try:
            carried = CarriedSettings(settings, carried_network(settings.network))
        except NetworkError as error:
            raise BookError(str(error)) from None
        self._workers = ClusterWorkers(expanding_elsewhere, carried, size, cluster, BookError)

    def expand(self, positions: Sequence[str]) -> Iterator[Expansion]:
        """The answers as they come. BookError if a worker is lost."""
        waiting = deque(positions)
        under_way = 0
        while waiting or under_way:
            while waiting and self._workers.has_room():
                self._workers.submit(waiting.popleft())
                under_way += 1
            for _, found in self._workers.answers():
                if found is None:
                    raise BookError("a searching process has died")
                under_way -= 1
                yield found

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._workers.__exit__(kind, error, trace)
