# SPDX-License-Identifier: GPL-3.0-or-later
"""The one engine of the server, for the event loop: nothing here blocks it, and a search whose
reader is cancelled ends."""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

import chess
from chess.engine import InfoDict, Limit

from kingcobra.api.analysis import AsyncAnalysis
from kingcobra.api.search_session import RunningSearch, SearchSession, search_request
from kingcobra.engine.search_engine import SearchEngine
from kingcobra.web.errors import WebError
from kingcobra.web.position_parts import PositionParts, position_parts

T = TypeVar("T")


class EngineOptions(NamedTuple):
    """What the engine of the server is made with."""

    threads: int = 1
    hash_mb: int = 64
    network: str | None = None
    tables: str = ""


class EngineDesk:
    """Loads the engine when it is first needed, in a thread of its own."""

    def __init__(self, options: EngineOptions) -> None:
        self.options = options
        self._session: SearchSession | None = None
        self._is_loading = False
        # One thread, so that requests reach the engine in their order.
        self._thread = ThreadPoolExecutor(1, "engine desk")
        self._side_thread = ThreadPoolExecutor(1, "static evaluation")

    async def load(self) -> None:
        """Makes the engine ready; the first time on a machine compiles for a minute. What is in the
        way is raised."""
        await self._in_thread(self._loaded)

    async def analyse(self, board: chess.Board, lines: int) -> AsyncIterator[list[InfoDict]]:
        """Searches until the reader leaves: what is known of each line so far, again and again."""
        running = await self._started(board, None, lines=lines)
        analysis = AsyncAnalysis(running.stream, running.stop, self)
        with analysis:
            async for _info in analysis:
                yield analysis.multipv

    async def move(self, board: chess.Board, limit: Limit, elo: int | None) -> chess.Move:
        """A move in a game, at a level; None for full strength."""
        running = await self._started(board, limit, elo=elo)
        try:
            best = await running.stream.wait_async()
        finally:
            running.stop()
        if best.move is None:
            raise WebError("the engine has no move")
        return best.move

    async def parts(self, board: chess.Board) -> PositionParts:
        """What the evaluation makes of a position; a search may go on meanwhile."""
        session = await self._in_thread(self._loaded)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._side_thread, position_parts, session.engine, board)

    @property
    def is_loading(self) -> bool:
        """Whether the engine is being made ready, which cannot be interrupted."""
        return self._is_loading

    def close(self) -> None:
        """Ends what is under way. Nothing follows."""
        self._thread.shutdown(wait=not self._is_loading, cancel_futures=True)
        self._side_thread.shutdown(wait=True, cancel_futures=True)
        if self._session is not None:
            self._session.close()

    # --- in the engine's thread ---------------------------------------------------------------

    async def _started(
        self, board: chess.Board, limit: Limit | None, lines: int = 1, elo: int | None = None
    ) -> RunningSearch:
        """A search that has begun. If its reader is cancelled meanwhile, it ends."""

        def start() -> RunningSearch:
            session = self._loaded()
            session.call(lambda engine: _set_level(engine, elo))
            is_analysis = limit is None
            request = search_request(
                board, limit, multipv=lines, must_end=not is_analysis, is_analysis=is_analysis
            )
            return session.start(request)

        future = asyncio.get_running_loop().run_in_executor(self._thread, start)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            future.add_done_callback(_stop_started)
            raise

    async def _in_thread(self, action: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, action)

    def _loaded(self) -> SearchSession:
        if self._session is None:
            self._is_loading = True
            try:
                self._session = _new_session(self.options)
            finally:
                self._is_loading = False
        return self._session


def _new_session(options: EngineOptions) -> SearchSession:
    session = SearchSession(options.threads, options.hash_mb, options.network)
    if options.tables:
        session.call(lambda engine: engine.set_tables(options.tables))
    return session


def _set_level(engine: SearchEngine, elo: int | None) -> None:
    engine.settings.limits_strength = elo is not None
    if elo is not None:
        engine.settings.elo = elo


def _stop_started(future: "asyncio.Future[Any]") -> None:
    if not future.cancelled() and future.exception() is None:
        future.result().stop()
