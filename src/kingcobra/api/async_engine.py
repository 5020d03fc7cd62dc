# SPDX-License-Identifier: GPL-3.0-or-later
"""kingcobra.AsyncEngine: the same engine for event loops, used as chess.engine.Protocol is."""

import asyncio
import weakref
from collections.abc import Iterable, Mapping, MutableMapping
from types import TracebackType
from typing import Self, overload

import chess
from chess.engine import (
    INFO_ALL,
    INFO_NONE,
    ConfigMapping,
    Info,
    InfoDict,
    Limit,
    Opponent,
    Option,
    PlayResult,
    PovScore,
)

from kingcobra.api.analysis import AsyncAnalysis
from kingcobra.api.configuration import described_options
from kingcobra.api.engine import DEFAULT_HASH_MB, NetworkName, OnInfo, first_options
from kingcobra.api.positions import AnyBoard, AnyMove, position_of
from kingcobra.api.search_request import NO_OPTIONS, SearchRequest, search_request
from kingcobra.api.search_session import SearchSession
from kingcobra.api.searches import MOVES_SHOWN, BookAnswer, RunningSearch, play_result
from kingcobra.api.shown_infos import shown_infos
from kingcobra.version import AUTHORS, __version__


class AsyncEngine:
    """kingcobra.Engine with coroutines in the place of calls that wait. A task that is cancelled
    while it waits stops its search.

    >>> import asyncio, chess
    >>> from chess.engine import Limit
    >>> async def best(fen: str) -> chess.Move:
    ...     async with AsyncEngine() as engine:
    ...         return (await engine.play(fen, Limit(nodes=500))).move
    >>> asyncio.run(best("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"))
    Move.from_uci('a1a8')
    """

    def __init__(
        self, *, threads: int = 1, hash_mb: int = DEFAULT_HASH_MB, network: NetworkName = None
    ) -> None:
        self._session = SearchSession(first_options(threads, hash_mb, network))
        self._turn = asyncio.Lock()
        self._finalizer = weakref.finalize(self, self._session.close)

    # --- searching ----------------------------------------------------------------------------

    @overload
    async def analyse(
        self,
        board: AnyBoard,
        limit: Limit,
        *,
        multipv: None = None,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Iterable[AnyMove] | None = None,
        options: ConfigMapping = NO_OPTIONS,
    ) -> InfoDict: ...
    @overload
    async def analyse(
        self,
        board: AnyBoard,
        limit: Limit,
        *,
        multipv: int,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Iterable[AnyMove] | None = None,
        options: ConfigMapping = NO_OPTIONS,
    ) -> list[InfoDict]: ...
    @overload
    async def analyse(
        self,
        board: AnyBoard,
        limit: Limit,
        *,
        multipv: int | None = None,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Iterable[AnyMove] | None = None,
        options: ConfigMapping = NO_OPTIONS,
    ) -> InfoDict | list[InfoDict]: ...
    async def analyse(
        self,
        board: AnyBoard,
        limit: Limit,
        *,
        multipv: int | None = None,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Iterable[AnyMove] | None = None,
        options: ConfigMapping = NO_OPTIONS,
    ) -> InfoDict | list[InfoDict]:
        """As Engine.analyse."""
        request = search_request(
            board,
            limit,
            multipv=multipv,
            root_moves=root_moves,
            game=game,
            selector=info,
            options=options,
        )
        async with self._turn:
            running = await self._start(request)
            await self._wait(running)
        lines = shown_infos(running.stream.lines, request.position)
        return lines[0] if multipv is None else lines

    async def analysis(
        self,
        board: AnyBoard,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Iterable[AnyMove] | None = None,
        options: ConfigMapping = NO_OPTIONS,
    ) -> AsyncAnalysis:
        """As Engine.analysis; to be iterated with `async for`."""
        request = search_request(
            board,
            limit,
            multipv=multipv,
            root_moves=root_moves,
            must_end=False,
            game=game,
            selector=info,
            options=options,
        )
        async with self._turn:
            running = await self._start(request)
        return AsyncAnalysis(running.stream, running.stop, self)

    async def play(
        self,
        board: AnyBoard,
        limit: Limit,
        *,
        game: object = None,
        info: Info = INFO_NONE,
        ponder: bool = False,
        draw_offered: bool = False,
        root_moves: Iterable[AnyMove] | None = None,
        options: ConfigMapping = NO_OPTIONS,
        opponent: Opponent | None = None,
        on_info: OnInfo | None = None,
    ) -> PlayResult:
        """As Engine.play; `on_info` is called from the event loop."""
        request = search_request(
            board,
            limit,
            root_moves=root_moves,
            is_analysis=False,
            ponder=ponder,
            game=game,
            opponent=opponent,
            selector=INFO_ALL if on_info and not info else info,
            options=options,
        )
        async with self._turn:
            running = await self._start(request)
            await self._wait(running, on_info)
            moves = running.moves[:MOVES_SHOWN]
            if ponder and len(moves) == MOVES_SHOWN:
                await asyncio.to_thread(self._session.ponder, request, moves)
        best = await running.stream.wait_async()
        return play_result(running, best, bool(info), draw_offered)

    async def evaluate(self, board: AnyBoard) -> PovScore:
        """As Engine.evaluate."""
        return self._session.evaluate(position_of(board))

    async def _start(self, request: SearchRequest) -> RunningSearch | BookAnswer:
        """In another thread: to stop a search, or to load a network, may take a moment. A search
        whose task is cancelled meanwhile is stopped as soon as it has begun."""
        starting = asyncio.ensure_future(asyncio.to_thread(self._session.start, request))
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            await asyncio.wait([starting])
            if starting.exception() is None:
                starting.result().stop()
            raise

    async def _wait(
        self, running: RunningSearch | BookAnswer, on_info: OnInfo | None = None
    ) -> None:
        try:
            if on_info is not None:
                async for info in AsyncAnalysis(running.stream, running.stop, self):
                    on_info(info)
            await running.stream.wait_async()
        except BaseException:
            running.stop()
            raise

    # --- settings -----------------------------------------------------------------------------

    @property
    def id(self) -> Mapping[str, str]:
        """The engine's name and its authors."""
        return {"name": f"Kingcobra {__version__}", "author": AUTHORS}

    @property
    def options(self) -> MutableMapping[str, Option]:
        """All options: a copy."""
        return described_options()

    async def configure(self, options: ConfigMapping) -> None:
        """As Engine.configure."""
        async with self._turn:
            await asyncio.to_thread(self._session.configure, options)

    async def send_opponent_information(
        self, *, opponent: Opponent | None = None, engine_rating: int | None = None
    ) -> None:
        """As Engine.send_opponent_information."""
        del engine_rating
        self._session.set_opponent(opponent)

    async def send_game_result(
        self,
        board: AnyBoard,
        winner: chess.Color | None = None,
        game_ending: str | None = None,
        game_complete: bool = True,
    ) -> None:
        """As Engine.send_game_result."""
        del board, winner, game_ending, game_complete
        await asyncio.to_thread(self._session.stop)

    # --- as a Python object -------------------------------------------------------------------

    async def ping(self) -> None:
        """As Engine.ping."""
        self._session.require_open()
        async with self._turn:
            self._session.require_open()

    async def quit(self) -> None:
        """As Engine.close."""
        await asyncio.to_thread(self._session.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.quit()
