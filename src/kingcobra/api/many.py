# SPDX-License-Identifier: GPL-3.0-or-later
"""kingcobra.analyse_many: a table of analyses, from as many workers as there are, in the order of
the positions."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

import chess
import numpy as np
from chess.engine import ConfigMapping, Limit
from numpy.typing import NDArray

from kingcobra.api.arguments import MANY_EXPECTED, STANDARD_VARIANT, require_many
from kingcobra.api.engine import NetworkName
from kingcobra.api.errors import EngineError
from kingcobra.api.many_chunks import (
    CarriedSettings,
    Chunk,
    ChunkAnalyser,
    ManySettings,
    PositionText,
    Row,
    analysing,
    analysing_elsewhere,
)
from kingcobra.api.positions import AnyBoard
from kingcobra.api.search_request import NO_OPTIONS, required_count, search_request
from kingcobra.api.views import MOVER, WHITE, require_view
from kingcobra.board.position_handle import PositionHandle
from kingcobra.networks.carried_network import carried_network
from kingcobra.networks.network_files import NetworkError
from kingcobra.workers.cluster import ClusterWorkers
from kingcobra.workers.processes import WorkerProcesses
from kingcobra.workers.tasks import Workers

DEFAULT_HASH_MB = 16
# Each worker gets about so many chunks, none of them larger than the second number.
CHUNKS_PER_WORKER = 16
MOST_IN_CHUNK = 32
MAX_JOBS = 1024
CRASHED = "the process that analysed it has crashed"

Progress: TypeAlias = Callable[[int, int], object]
Columns: TypeAlias = dict[str, NDArray[Any]]


def analyse_many(
    positions: Iterable[AnyBoard],
    limit: Limit,
    jobs: int | None = None,
    cluster: str | None = None,
    *,
    network: NetworkName = None,
    hash_mb: int = DEFAULT_HASH_MB,
    options: ConfigMapping = NO_OPTIONS,
    view: str = MOVER,
    progress: Progress | None = None,
) -> Columns:
    """Analyses each position by itself, with a fresh memory and without its past: at fixed nodes
    the table is the same whoever made it. pandas.DataFrame and polars.DataFrame take it as it is.

    One job, the default, works in this process; more are processes of their own. With the address
    of a Ray cluster (`auto` for the one this machine belongs to) they are actors there, by default
    one for each of its CPUs. `progress(done, total)` is called from this thread.

    Scores are those of the side to move, or of White with `view="white"`. A position that cannot be
    analysed has its reason in the column `error`.

    >>> from chess.engine import Limit
    >>> table = analyse_many(["6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "8/8"], Limit(nodes=500))
    >>> table["mate"].tolist(), table["best"].tolist()
    ([1.0, nan], ['a1a8', ''])
    >>> table["error"].tolist()
    ['', "FEN board has 2 ranks, 8 expected: '8/8'"]
    """
    size = None if jobs is None else required_count(jobs, "jobs", MAX_JOBS)
    require_view(view)
    require_many(positions, "positions", MANY_EXPECTED)
    search_request(chess.STARTING_FEN, limit)  # a bad limit is an error of the call
    texts = [_text_of(position) for position in positions]
    settings = ManySettings(
        limit, None if network is None else os.fspath(network), hash_mb, dict(options)
    )
    run = _Run(texts, progress)
    if cluster is not None:
        _on_cluster(run, settings, size, cluster)
    elif size is None or size == 1 or not texts:
        _in_process(run, settings)
    else:
        with WorkerProcesses(analysing, settings, min(size, len(texts)), EngineError) as workers:
            run.work(workers)
    return _columns(run.rows, view)


def _text_of(position: AnyBoard) -> PositionText:
    if isinstance(position, str):
        return PositionText(position)
    if isinstance(position, PositionHandle):
        return PositionText(position.fen(), position.chess960)
    if not isinstance(position, chess.Board):
        return PositionText("", error=f"{position!r} ({type(position).__name__}) is not a position")
    if position.uci_variant != STANDARD_VARIANT:
        return PositionText("", error=f"variant {position.uci_variant!r}, only chess is supported")
    return PositionText(position.fen(shredder=position.chess960), position.chess960)


def _in_process(run: "_Run", settings: ManySettings) -> None:
    analyser = ChunkAnalyser(settings)
    try:
        for chunk in run.chunks(workers=1):
            run.take(chunk, analyser.analyse(chunk))
    finally:
        analyser.close()


def _on_cluster(run: "_Run", settings: ManySettings, size: int | None, address: str) -> None:
    try:
        network = None if settings.network is None else carried_network(settings.network)
    except NetworkError as error:
        raise EngineError(str(error)) from None
    carried = CarriedSettings(settings, network)
    with ClusterWorkers(analysing_elsewhere, carried, size, address, EngineError) as workers:
        run.work(workers)


class _Run:
    """Positions that wait for a worker, and rows that have come back."""

    def __init__(self, texts: list[PositionText], progress: Progress | None) -> None:
        self._texts = texts
        self._progress = progress
        self._found: dict[int, Row] = {}

    @property
    def rows(self) -> list[Row]:
        """All rows, in the order of the positions."""
        return [self._found[index] for index in range(len(self._texts))]

    def chunks(self, workers: int) -> Iterator[Chunk]:
        """The positions in their order, for so many workers."""
        share = len(self._texts) // (CHUNKS_PER_WORKER * workers)
        size = max(1, min(share, MOST_IN_CHUNK))
        for first in range(0, len(self._texts), size):
            yield Chunk(first, self._texts[first : first + size])

    def take(self, chunk: Chunk, rows: list[Row]) -> None:
        """Keeps the rows of a chunk."""
        self._found.update(enumerate(rows, chunk.first))
        if self._progress is not None:
            self._progress(len(self._found), len(self._texts))

    def work(self, workers: Workers[Chunk, list[Row]]) -> None:
        """Has workers analyse the chunks. What a worker that was lost had is done again position by
        position, so that one position alone is lost."""
        waiting = deque(self.chunks(workers.size))
        while len(self._found) < len(self._texts):
            while waiting and workers.has_room():
                workers.submit(waiting.popleft())
            for chunk, rows in workers.answers():
                if rows is not None:
                    self.take(chunk, rows)
                elif len(chunk.positions) == 1:
                    self.take(chunk, [Row(error=CRASHED)])
                else:
                    waiting.extend(
                        Chunk(at, [text]) for at, text in enumerate(chunk.positions, chunk.first)
                    )


# --- columns ----------------------------------------------------------------------------------


def _columns(rows: list[Row], view: str) -> Columns:
    """Centipawns and mates are NaN where a score is the other one, or where there is none."""
    flips = np.array([view == WHITE and row.is_black for row in rows], bool)
    sign = np.where(flips, -1.0, 1.0)

    def numbers(values: Iterable[float | None]) -> NDArray[np.float64]:
        found = [np.nan if value is None else value for value in values]
        return np.array(found, np.float64)

    win = np.array([row.win for row in rows], np.int16)
    loss = np.array([row.loss for row in rows], np.int16)
    return {
        # Plus zero, because minus zero is not what anybody wants to read.
        "cp": numbers(row.cp for row in rows) * sign + 0.0,
        "mate": numbers(row.mate for row in rows) * sign + 0.0,
        "win": np.where(flips, loss, win),
        "draw": np.array([row.draw for row in rows], np.int16),
        "loss": np.where(flips, win, loss),
        "best": np.array([row.best for row in rows], np.str_),
        "pv": np.array([row.pv for row in rows], np.str_),
        "depth": np.array([row.depth for row in rows], np.int16),
        "seldepth": np.array([row.seldepth for row in rows], np.int16),
        "nodes": np.array([row.nodes for row in rows], np.int64),
        "time": np.array([row.time for row in rows], np.float64),
        "error": np.array([row.error for row in rows], np.str_),
    }
