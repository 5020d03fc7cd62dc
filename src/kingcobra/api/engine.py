# SPDX-License-Identifier: GPL-3.0-or-later
"""kingcobra.Engine: the engine in this process, used as chess.engine.SimpleEngine is."""

import weakref
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Self, overload

from chess.engine import INFO_ALL, INFO_NONE, Info, InfoDict, Limit, PlayResult

from kingcobra.api.analysis import Analysis
from kingcobra.api.positions import AnyBoard, AnyMove
from kingcobra.api.search_session import RunningSearch, SearchSession, search_request

DEFAULT_HASH_MB = 64


class Engine:
    """An engine in this process: no binary to find, no pipes. Searches run with Python's lock
    released, so several engines in several threads work side by side; each has its own hash table.
    Of one engine, calls that wait for a result wait for each other; any call ends a streaming
    analysis.

    >>> import chess
    >>> from chess.engine import Limit
    >>> board = chess.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    >>> with Engine() as engine:
    ...     info = engine.analyse(board, Limit(nodes=500))
    >>> info["score"], info["pv"]
    (PovScore(Mate(+1), WHITE), [Move.from_uci('a1a8')])
    """

    def __init__(
        self, *, threads: int = 1, hash_mb: int = DEFAULT_HASH_MB, network: str | None = None
    ) -> None:
        self._session = SearchSession(threads, hash_mb, network)
        # Also at the end of the process: no thread may search in memory that is gone.
        self._finalizer = weakref.finalize(self, self._session.close)

    # --- searching ----------------------------------------------------------------------------

    @overload
    def analyse(
        self,
        board: AnyBoard,
        limit: Limit,
        *,
        multipv: None = None,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Iterable[AnyMove] | None = None,
    ) -> InfoDict: ...
    @overload
    def analyse(
        self,
        board: AnyBoard,
        limit: Limit,
        *,
        multipv: int,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Iterable[AnyMove] | None = None,
    ) -> list[InfoDict]: ...
    def analyse(
        self,
        board: AnyBoard,
        limit: Limit,
        *,
        multipv: int | None = None,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Iterable[AnyMove] | None = None,
    ) -> InfoDict | list[InfoDict]:
        """Analyses until the limit is reached: information about the best line or, with `multipv`,
        a list with one dictionary for each line."""
        request = search_request(
            board, limit, root_moves=root_moves, multipv=multipv, game=game, selector=info
        )
        with self._session.turn:
            running = self._session.start(request)
            self._wait(running)
        lines = running.stream.lines
        return lines[0] if multipv is None else lines

    def analysis(
        self,
        board: AnyBoard,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Iterable[AnyMove] | None = None,
    ) -> Analysis:
        """Starts an analysis and returns at once; without a limit it runs until it is stopped."""
        request = search_request(
            board,
            limit,
            root_moves=root_moves,
            multipv=multipv,
            must_end=False,
            game=game,
            selector=info,
        )
        with self._session.turn:
            running = self._session.start(request)
        return Analysis(running.stream, running.stop, self)

    def play(
        self,
        board: AnyBoard,
        limit: Limit,
        *,
        game: object = None,
        info: Info = INFO_NONE,
        root_moves: Iterable[AnyMove] | None = None,
        on_info: Callable[[InfoDict], None] | None = None,
    ) -> PlayResult:
        """A move for the side to move. `on_info` is called, from this thread, with what the search
        finds while it runs."""
        request = search_request(
            board,
            limit,
            root_moves=root_moves,
            is_analysis=False,
            game=game,
            selector=INFO_ALL if on_info and not info else info,
        )
        with self._session.turn:
            running = self._session.start(request)
            self._wait(running, on_info)
        best = running.stream.wait()
        return PlayResult(best.move, best.ponder, running.stream.lines[0] if info else None)

    def _wait(
        self, running: RunningSearch, on_info: Callable[[InfoDict], None] | None = None
    ) -> None:
        """Waits for the end of a search. Whatever interrupts it, Ctrl-C too, ends the search."""
        analysis = Analysis(running.stream, running.stop, self)
        try:
            if on_info is not None:
                for info in analysis:
                    on_info(info)
            analysis.wait()
        except BaseException:
            running.stop()
            self._session.stop()
            raise

    # --- as a Python object -------------------------------------------------------------------

    def close(self) -> None:
        """Ends the search under way and gives the memory back. Nothing can be asked any more."""
        self._session.close()

    def quit(self) -> None:
        """As `close`."""
        self.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
