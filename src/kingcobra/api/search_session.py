# SPDX-License-Identifier: GPL-3.0-or-later
"""One engine behind the API: what is asked of it, one search at a time, in values."""

import threading
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

from chess.engine import INFO_ALL, BestMove, Info, Limit

from kingcobra.api.core import loaded_core, print_on_stderr
from kingcobra.api.errors import EngineError, EngineTerminatedError
from kingcobra.api.info_stream import InfoStream
from kingcobra.api.infos import InfoListener
from kingcobra.api.limits import require_end, search_limits
from kingcobra.api.positions import AnyBoard, AnyMove, chess_moves, position_of, root_moves_of
from kingcobra.board.position_handle import PositionHandle
from kingcobra.engine.background import Action, Job
from kingcobra.engine.engine_listener import EngineListener
from kingcobra.engine.evaluator import EvaluatorError
from kingcobra.engine.limits import SearchLimits
from kingcobra.engine.reports import SearchResult
from kingcobra.engine.search import Search
from kingcobra.engine.search_engine import SearchEngine
from kingcobra.kernel.host import monotonic_ns
from kingcobra.kernel.system.memory import OutOfMemory

MAX_LINES = 500


class SearchRequest(NamedTuple):
    """What is to be searched, checked: nothing here can fail later."""

    position: PositionHandle
    limits: SearchLimits
    started_ns: int
    lines: int = 1
    # Analysis is never weakened or shortened; a move in a game may be.
    is_analysis: bool = True
    game: object = None
    selector: Info = INFO_ALL


def search_request(
    board: AnyBoard,
    limit: Limit | None,
    *,
    root_moves: Iterable[AnyMove] | None = None,
    multipv: int | None = None,
    must_end: bool = True,
    **rest: Any,
) -> SearchRequest:
    """A request from what a user gives. Each error names the value; nothing has happened then."""
    started_ns = monotonic_ns()
    if multipv is not None and (not isinstance(multipv, int) or not 1 <= multipv <= MAX_LINES):
        raise EngineError(f"multipv {multipv!r}, expected a number from 1 to {MAX_LINES}")
    position = position_of(board)
    codes = root_moves_of(position, root_moves)
    limits = search_limits(limit, position.record.side, codes)
    if must_end and limit is not None:
        require_end(limits, limit)
    return SearchRequest(position, limits, started_ns, lines=multipv or 1, **rest)


class RunningSearch(Job):
    """A search and the stream of what it finds."""

    def __init__(self, search: Search, listener: InfoListener, stream: InfoStream) -> None:
        self.stream = stream
        self.result: SearchResult | None = None
        self._search = search
        self._listener = listener

    def run(self) -> Action:
        """Searches. Whatever goes wrong, the stream ends."""
        try:
            self.result = result = self._search.run()
            self._listener.close(result)
            moves = chess_moves(result.moves[:2], self._listener.chess960)
            best = BestMove(*moves, *[None] * (2 - len(moves)))
            return partial(self.stream.finish, best)
        except Exception as error:
            return partial(self.stream.fail, internal_error(error))

    def stop(self) -> None:
        """Ends the search; from any thread."""
        self._search.stop()

    @property
    def awaits_stop(self) -> bool:
        """Whether it is infinite or ponders."""
        return self._search.awaits_stop


class SearchSession(EngineListener):
    """An engine, its settings and its searches. One search runs at a time: a new one ends the one
    before it. All methods may be called from any thread."""

    def __init__(self, threads: int, hash_mb: int, network: str | None) -> None:
        # Held by whoever waits for the end of a search: others wait, too, before they start one.
        self.turn = threading.RLock()
        self._lock = threading.RLock()
        self._running: RunningSearch | None = None
        self._is_closed = False
        self._is_first_game = True
        self._game: object = None
        self.engine = SearchEngine(loaded_core(), self)
        try:
            self.engine.set_threads(threads)
            self.engine.set_hash_mb(hash_mb)
            if network:
                self.engine.set_network(network)
        except (EvaluatorError, OutOfMemory) as error:
            self.engine.shut_down()
            raise EngineError(str(error)) from error

    def start(self, request: SearchRequest) -> RunningSearch:
        """Begins a search; whatever ran before is stopped."""
        with self._lock:
            self._require_open()
            engine = self.engine
            engine.stop()
            if self._is_first_game or request.game != self._game:
                engine.new_game()
                self._game, self._is_first_game = request.game, False
            settings = engine.settings
            settings.lines = request.lines
            settings.analyse_mode = request.is_analysis
            stream = InfoStream()
            listener = InfoListener(request.position, engine.scale, request.selector, stream.post)
            search = engine.search(request.position, request.limits, listener, request.started_ns)
            self._running = running = RunningSearch(search, listener, stream)
            engine.start(running)
            return running

    def stop(self) -> None:
        """Ends the search under way, if any, and waits for its end."""
        with self._lock:
            self.engine.stop()

    def call(self, action: Callable[[SearchEngine], Any]) -> Any:
        """Does something with the engine while nothing runs."""
        with self._lock:
            self._require_open()
            self.engine.stop()
            return action(self.engine)

    def close(self) -> None:
        """Ends all that is under way. Nothing follows; a second time does nothing."""
        self._is_closed = True
        running = self._running
        if running is not None:
            running.stop()
        with self._lock:
            self.engine.shut_down()

    def _require_open(self) -> None:
        if self._is_closed:
            raise EngineTerminatedError("the engine was closed")

    # --- what the engine says -----------------------------------------------------------------

    def on_compiling(self, text: str) -> None:
        """The first use of a network may take a minute; the user should know why."""
        print_on_stderr(text)

    def on_fault(self, error: Exception) -> None:
        """Told to whoever waits for the search."""
        running = self._running
        if running is not None:
            running.stream.fail(internal_error(error))


def internal_error(error: Exception) -> EngineError:
    """Something to report to the developers."""
    fault = EngineError(f"internal error: {type(error).__name__}: {error}")
    fault.__cause__ = error
    return fault
