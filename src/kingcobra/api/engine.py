# SPDX-License-Identifier: GPL-3.0-or-later
"""kingcobra.Engine: the engine in this process, used as chess.engine.SimpleEngine is."""

import os
import weakref
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from types import TracebackType
from typing import Any, Self, TypeAlias, overload

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

from kingcobra.api.analysis import Analysis
from kingcobra.api.configuration import described_options
from kingcobra.api.positions import AnyBoard, AnyMove, position_of
from kingcobra.api.search_request import NO_OPTIONS, search_request
from kingcobra.api.search_session import SearchSession
from kingcobra.api.searches import MOVES_SHOWN, BookAnswer, RunningSearch, play_result
from kingcobra.api.shown_infos import shown_infos
from kingcobra.version import AUTHORS, __version__

DEFAULT_HASH_MB = 64

# A file, empty for the classical evaluation, None for what an engine has by default.
NetworkName: TypeAlias = str | os.PathLike[str] | None
OnInfo: TypeAlias = Callable[[InfoDict], object]


def first_options(threads: int, hash_mb: int, network: NetworkName) -> dict[str, Any]:
    """What an engine begins with, as options."""
    options: dict[str, Any] = {"Threads": threads, "Hash": hash_mb}
    return options | {"EvalFile": os.fspath(network)} if network is not None else options


class Engine:
    """An engine in this process: no binary to find, no pipes. Searches run with Python's lock
    released, so several engines in several threads work side by side, each with its own hash table.
    Of one engine, calls that wait for a result wait for each other; any call that needs the engine
    stops an `analysis` that is running.

    >>> import chess
    >>> from chess.engine import Limit
    >>> board = chess.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    >>> with Engine() as engine:
    ...     info = engine.analyse(board, Limit(nodes=500))
    >>> info["score"], info["pv"]
    (PovScore(Mate(+1), WHITE), [Move.from_uci('a1a8')])

    Boards are kingcobra.Board, chess.Board or FEN text, moves chess.Move or UCI text. A `game` is
    any object; when it differs from that of the call before, the engine forgets what it has learnt.
    `options` hold for one call. EngineError, FenError and TypeError name the value that is wrong;
    the engine can still be used then.
    """

    def __init__(
        self, *, threads: int = 1, hash_mb: int = DEFAULT_HASH_MB, network: NetworkName = None
    ) -> None:
        self._session = SearchSession(first_options(threads, hash_mb, network))
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
        options: ConfigMapping = NO_OPTIONS,
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
        options: ConfigMapping = NO_OPTIONS,
    ) -> list[InfoDict]: ...
    @overload
    def analyse(
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
    def analyse(
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
        """Analyses until the limit is reached: information about the best line or, with `multipv`,
        a list with one dictionary for each line. A notebook shows the result as a board with its
        lines."""
        request = search_request(
            board,
            limit,
            multipv=multipv,
            root_moves=root_moves,
            game=game,
            selector=info,
            options=options,
        )
        with self._session.turn:
            running = self._session.start(request)
            self._wait(running)
        lines = shown_infos(running.stream.lines, request.position)
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
        options: ConfigMapping = NO_OPTIONS,
    ) -> Analysis:
        """Starts an analysis and returns at once; without a limit it runs until it is stopped.

        >>> with Engine() as engine, engine.analysis(chess.Board(), Limit(depth=3)) as analysis:
        ...     lines = [info["pv"] for info in analysis if "pv" in info]
        >>> analysis.info["depth"], analysis.info["pv"] == lines[-1]
        (3, True)
        """
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
        ponder: bool = False,
        draw_offered: bool = False,
        root_moves: Iterable[AnyMove] | None = None,
        options: ConfigMapping = NO_OPTIONS,
        opponent: Opponent | None = None,
        on_info: OnInfo | None = None,
    ) -> PlayResult:
        """A move for the side to move. `on_info` is called, from this thread, with what the search
        finds while it runs. With `ponder` the engine thinks on until the next call. Where a draw is
        offered and the engine sees nothing better, the result says that it offers one, too."""
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
        with self._session.turn:
            running = self._session.start(request)
            self._wait(running, on_info)
            moves = running.moves[:MOVES_SHOWN]
            if ponder and len(moves) == MOVES_SHOWN:
                self._session.ponder(request, moves)
        best = running.stream.wait()
        return play_result(running, best, bool(info), draw_offered)

    def evaluate(self, board: AnyBoard) -> PovScore:
        """The static evaluation: no search at all. `kingcobra.evaluate` does many at once.

        >>> with Engine() as engine:
        ...     engine.evaluate("4k3/8/8/8/8/8/8/4KQ2 w - - 0 1").white() > chess.engine.Cp(200)
        True
        """
        return self._session.evaluate(position_of(board))

    def _wait(self, running: RunningSearch | BookAnswer, on_info: OnInfo | None = None) -> None:
        """Waits for the end of a search. Whatever interrupts it, Ctrl-C too, ends the search."""
        try:
            if on_info is not None:
                for info in Analysis(running.stream, running.stop, self):
                    on_info(info)
            running.stream.wait()
        except BaseException:
            running.stop()
            self._session.stop()
            raise

    # --- settings -----------------------------------------------------------------------------

    @property
    def id(self) -> Mapping[str, str]:
        """The engine's name and its authors."""
        return {"name": f"Kingcobra {__version__}", "author": AUTHORS}

    @property
    def options(self) -> MutableMapping[str, Option]:
        """All options, as docs/7 describes them: a copy."""
        return described_options()

    def configure(self, options: ConfigMapping) -> None:
        """Sets options for all calls to come.

        >>> with Engine() as engine:
        ...     engine.configure({"Hash": 0})
        Traceback (most recent call last):
        kingcobra.api.errors.EngineError: option Hash: '0', expected a number from 1 to 33554432
        """
        with self._session.turn:
            self._session.configure(options)

    def send_opponent_information(
        self, *, opponent: Opponent | None = None, engine_rating: int | None = None
    ) -> None:
        """Another opponent begins another game: the engine forgets what it has learnt. The rating
        is python-chess's for XBoard engines and changes nothing."""
        del engine_rating
        self._session.set_opponent(opponent)

    def send_game_result(
        self,
        board: AnyBoard,
        winner: chess.Color | None = None,
        game_ending: str | None = None,
        game_complete: bool = True,
    ) -> None:
        """The game is over: the engine stops pondering. It does not learn from results."""
        del board, winner, game_ending, game_complete
        self._session.stop()

    # --- as a Python object -------------------------------------------------------------------

    def ping(self) -> None:
        """Returns as soon as no other call is under way; EngineTerminatedError if it was closed."""
        self._session.require_open()
        with self._session.turn:
            self._session.require_open()

    def close(self) -> None:
        """Ends the search under way and returns the memory. Whatever is asked afterwards raises
        EngineTerminatedError."""
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
