# SPDX-License-Identifier: GPL-3.0-or-later
"""One engine behind the API: its options, its game, and one search at a time."""

import threading
from typing import NamedTuple

from chess.engine import INFO_ALL, ConfigMapping, Opponent, PovScore

from kingcobra.api.configuration import ANALYSE_MODE, SHOW_WDL, Configuration
from kingcobra.api.core import loaded_core, print_on_stderr
from kingcobra.api.errors import EngineError, EngineTerminatedError
from kingcobra.api.info_stream import InfoStream
from kingcobra.api.infos import InfoListener, pov_score
from kingcobra.api.search_request import SearchRequest
from kingcobra.api.searches import BookAnswer, RunningSearch, internal_error
from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.rules.basics import WHITE
from kingcobra.engine.clock import NS_PER_MS
from kingcobra.engine.engine_listener import EngineListener
from kingcobra.engine.evaluator import EvaluationChoice, EvaluatorError, StaticEvaluator
from kingcobra.engine.search_engine import SearchEngine
from kingcobra.kernel.host import monotonic_ns


class Pondering(NamedTuple):
    """A search of the position that is expected after the opponent's move."""

    running: RunningSearch
    request: SearchRequest

    def expects(self, request: SearchRequest) -> bool:
        """Whether the request is for that position, in the same game."""
        expected, given = self.request.position, request.position
        return (
            request.ponder
            and request.game == self.request.game
            and given.chess960 == expected.chess960
            and given.fen() == expected.fen()
        )


class SearchSession(EngineListener):
    """An engine, its settings and its searches. A new search ends the one before it. All methods
    may be called from any thread."""

    def __init__(self, options: ConfigMapping) -> None:
        # Held by whoever waits for the end of a search: others wait, too, before they start one.
        self.turn = threading.RLock()
        self._lock = threading.RLock()
        self._running: RunningSearch | None = None
        self._pondering: Pondering | None = None
        self._is_closed = self._is_released = False
        # A fresh engine has nothing to forget.
        self._has_learnt = False
        self._game: object = None
        self._opponent: Opponent | None = None
        self._static: tuple[EvaluationChoice, StaticEvaluator] | None = None
        self._configuration = Configuration()
        self._engine = SearchEngine(loaded_core(), self)
        try:
            self.configure(options)
        except BaseException:
            self.close()
            raise

    # --- settings -----------------------------------------------------------------------------

    def configure(self, options: ConfigMapping) -> None:
        """Sets options for good; a search under way is stopped."""
        with self._lock:
            self.stop()
            self._configuration.configure(self._engine, options)
            self._load_default_network()

    def _load_default_network(self) -> None:
        """If it is to evaluate. EngineError if it cannot be used: the first of these calls says so,
        and the classical evaluation is in use after that."""
        try:
            self._engine.prepare()
        except EvaluatorError as error:
            raise EngineError(f"option EvalFile: {error}") from error

    def set_opponent(self, opponent: Opponent | None) -> None:
        """Another opponent, another game."""
        with self._lock:
            self.require_open()
            if opponent is not None and opponent != self._opponent:
                self._opponent = opponent
                self._stop_and_forget()

    def stop(self) -> None:
        """Ends the search under way, if any, and waits for its end."""
        with self._lock:
            self.require_open()
            self._pondering = None
            self._engine.stop()

    def close(self) -> None:
        """Ends all that is under way and returns the memory; a second time does nothing."""
        self._is_closed = True
        running = self._running
        if running is not None:
            running.stop()
        with self._lock:
            if not self._is_released:
                self._is_released = True
                self._engine.release()

    def require_open(self) -> None:
        """EngineTerminatedError if the engine was closed."""
        if self._is_closed:
            raise EngineTerminatedError("the engine was closed")

    # --- searches -----------------------------------------------------------------------------

    def start(self, request: SearchRequest) -> RunningSearch | BookAnswer:
        """Begins a search, or continues the one that was pondering on this position."""
        with self._lock:
            self.require_open()
            self.set_opponent(request.opponent)
            hit = self._ponder_hit(request)
            if hit is not None:
                return hit
            self.stop()
            self._configuration.configure_call(self._engine, request.options)
            self._load_default_network()
            if request.game != self._game:
                self._game = request.game
                self._stop_and_forget()
            settings = self._engine.settings
            settings.lines = request.lines
            settings.may_ponder = request.ponder
            if not self._configuration.is_chosen(ANALYSE_MODE, request.options):
                settings.analyse_mode = request.is_analysis
            choice = self._engine.book.choice(
                request.position, request.limits, settings.analyse_mode or request.is_analysis
            )
            if choice is not None:
                return BookAnswer(choice, request.position.chess960)
            return self._run(request)

    def ponder(self, request: SearchRequest, moves: list[int]) -> None:
        """Thinks on after a move was found for the request: about the position after the two
        moves, with the clock that the engine will have then."""
        position = request.position.copy()
        for move in moves:
            position.play_move(move)
        limits = request.limits
        if limits.clock_ms is not None:
            used_ms = (monotonic_ns() - request.started_ns) // NS_PER_MS
            clock_ms = limits.clock_ms + limits.increment_ms - used_ms
            moves_left = max(limits.movestogo - 1, 0)
            limits = limits._replace(clock_ms=clock_ms, movestogo=moves_left)
        expected = request._replace(
            position=position,
            limits=limits._replace(root_moves=(), ponder=True),
            started_ns=monotonic_ns(),
            selector=request.selector or INFO_ALL,
        )
        with self._lock:
            self.require_open()
            self._engine.stop()
            self._pondering = Pondering(self._run(expected), expected)

    def _ponder_hit(self, request: SearchRequest) -> RunningSearch | None:
        """The search that pondered on this position, from now on an ordinary one."""
        pondering, self._pondering = self._pondering, None
        if (
            pondering is None
            or request.is_analysis
            or request.limits.root_moves
            or not pondering.expects(request)
            or self._configuration.is_changed_by(request.options)
        ):
            return None
        self._engine.ponderhit()
        return pondering.running

    def _stop_and_forget(self) -> None:
        self.stop()
        if self._has_learnt:
            self._engine.new_game()
            self._has_learnt = False

    def _run(self, request: SearchRequest) -> RunningSearch:
        engine = self._engine
        stream = InfoStream()
        listener = InfoListener(
            request.position,
            engine.scale,
            request.selector,
            stream.post,
            shows_wdl=bool(self._configuration.value(SHOW_WDL)),
        )
        search = engine.search(request.position, request.limits, listener, request.started_ns)
        self._running = running = RunningSearch(search, listener, stream)
        self._has_learnt = True
        engine.start(running)
        return running

    # --- the evaluation -----------------------------------------------------------------------

    def evaluate(self, position: PositionHandle) -> PovScore:
        """The static evaluation, without any search."""
        with self._lock:
            self.require_open()
            choice = self._engine.evaluator.choice
            if self._static is None or self._static[0] != choice:
                self._static = choice, StaticEvaluator(self._engine.evaluator)
            value = self._static[1].value(position)
            return pov_score(value, self._engine.scale, position.record.side == WHITE)

    # --- what the engine says -----------------------------------------------------------------

    def on_compiling(self, text: str) -> None:
        """The first use of a network may take a minute; the user should know why."""
        print_on_stderr(text)

    def on_fault(self, error: Exception) -> None:
        """Raised where the search is waited for."""
        running = self._running
        if running is not None:
            running.stream.fail(internal_error(error))
