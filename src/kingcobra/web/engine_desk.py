# SPDX-License-Identifier: GPL-3.0-or-later
"""The one engine of the server, for the event loop: nothing here blocks it, and a search whose
reader is cancelled ends."""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import chess
from chess.engine import INFO_SCORE, InfoDict, Limit

from kingcobra.api.analysis import AsyncAnalysis
from kingcobra.api.async_engine import AsyncEngine
from kingcobra.api.core import loaded_core
from kingcobra.engine.search_engine import SearchEngine
from kingcobra.networks.default_network import DEFAULT_NETWORK
from kingcobra.tablebases import TablebaseError, Tablebases
from kingcobra.web.errors import WebError
from kingcobra.web.position_parts import (
    CoursePoint,
    PositionParts,
    course_point,
    position_parts,
)
from kingcobra.web.table_verdict import may_be_known, table_verdict

# A mate in hundredths of a pawn.
MATE_CP = 100_000


class EngineOptions(NamedTuple):
    """What the engine of the server is made with."""

    threads: int = 1
    hash_mb: int = 64
    # A file name; empty for the classical evaluation.
    network: str = DEFAULT_NETWORK
    tables: str = ""
    # A Polyglot book for games against the engine; empty for none.
    book: str = ""


class EngineMove(NamedTuple):
    """A move in a game, and what the mover thinks of it; nothing if it comes from a book."""

    move: chess.Move
    mover_cp: int | None


class EngineDesk:
    """`load` comes first; nothing else may be asked before it has ended."""

    def __init__(self, options: EngineOptions) -> None:
        self.options = options
        self._engine: AsyncEngine | None = None
        # Evaluates without searching, beside the other one.
        self._static: SearchEngine | None = None
        self._tables: Tablebases | None = None
        self._tables_fault = ""
        self._is_loading = False
        # Not the loop's own threads, for which a loop waits at its end.
        self._loading_thread = ThreadPoolExecutor(1, "engine loading")
        self._side_thread = ThreadPoolExecutor(1, "side")

    async def load(self) -> None:
        """Makes the engine ready; the first time on a machine compiles for a minute. What is in the
        way is raised."""
        self._is_loading = True
        loop = asyncio.get_running_loop()
        self._engine = await loop.run_in_executor(self._loading_thread, self._new_engine)
        if self.options.book:
            await self._engine.configure({"Book File": self.options.book, "OwnBook": True})
        if self.options.tables:
            await self._engine.configure({"SyzygyPath": self.options.tables})
            await loop.run_in_executor(self._side_thread, self._open_tables)

    async def analyse(self, board: chess.Board, lines: int) -> AsyncIterator[list[InfoDict]]:
        """Searches until the reader leaves: what is known of each line so far, again and again."""
        analysis = await self._started(board, lines)
        with analysis:
            async for _info in analysis:
                yield analysis.multipv

    async def move(self, board: chess.Board, limit: Limit, elo: int | None) -> EngineMove:
        """A move in a game, at a level; None for full strength."""
        level: dict[str, str | int | bool | None] = {"UCI_LimitStrength": elo is not None}
        if elo is not None:
            level["UCI_Elo"] = elo
        result = await self._loaded.play(board, limit, info=INFO_SCORE, options=level)
        if result.move is None:
            raise WebError("the engine has no move")
        score = result.info.get("score")
        mover_cp = None if score is None else score.pov(board.turn).score(mate_score=MATE_CP)
        return EngineMove(result.move, mover_cp)

    async def parts(self, board: chess.Board) -> PositionParts:
        """What the evaluation makes of a position; a search may go on meanwhile."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(
            self._side_thread, lambda: position_parts(self._static_engine(), board)
        )

    async def course_point(self, board: chess.Board) -> CoursePoint:
        """What is shown of each position of a game."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(
            self._side_thread, lambda: course_point(self._static_engine(), board)
        )

    @property
    def has_tables(self) -> bool:
        """Whether endgame tables were given."""
        return bool(self.options.tables)

    async def verdict(self, board: chess.Board) -> str:
        """What the tables say of a position, in words; empty where they do not, and the reason
        where there are none."""
        tables = self._tables
        if tables is None:
            return self._tables_fault
        if not may_be_known(board, tables.largest):
            return ""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._side_thread, table_verdict, tables, board)

    @property
    def is_loading(self) -> bool:
        """Whether the engine is being made ready, which cannot be interrupted."""
        return self._is_loading

    async def close(self) -> None:
        """Ends what is under way. Nothing follows."""
        self._side_thread.shutdown(wait=False, cancel_futures=True)
        if self._engine is not None:
            await self._engine.quit()

    @property
    def _loaded(self) -> AsyncEngine:
        if self._engine is None:
            raise WebError("the engine is not ready")
        return self._engine

    async def _started(self, board: chess.Board, lines: int) -> AsyncAnalysis:
        """An analysis that has begun. If its reader is cancelled meanwhile, it ends."""
        start = asyncio.ensure_future(self._loaded.analysis(board, multipv=lines))
        try:
            return await asyncio.shield(start)
        except asyncio.CancelledError:
            start.add_done_callback(_stop_started)
            raise

    def _new_engine(self) -> AsyncEngine:
        options = self.options
        try:
            return AsyncEngine(
                threads=options.threads, hash_mb=options.hash_mb, network=options.network
            )
        finally:
            self._is_loading = False

    def _open_tables(self) -> None:
        try:
            self._tables = Tablebases(self.options.tables)
        except TablebaseError as error:
            self._tables_fault = f"no verdict: {error}"

    def _static_engine(self) -> SearchEngine:
        if self._static is None:
            self._static = SearchEngine(loaded_core())
            if self.options.network:
                self._static.set_network(self.options.network)
        return self._static


def _stop_started(start: "asyncio.Future[Any]") -> None:
    if not start.cancelled() and start.exception() is None:
        start.result().stop()
