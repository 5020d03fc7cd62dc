# SPDX-License-Identifier: GPL-3.0-or-later
"""The loop: one line, one method.

Everything that happens, a line typed or the core loaded, is an event in one queue, taken by one
thread. While the core is still being loaded or compiled, `uci` and `help` are obeyed at once and
all other commands wait their turn; `quit` does not wait for a compilation.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterable
from queue import SimpleQueue
from typing import ClassVar

from kingcobra.board.board import Board
from kingcobra.board.diagram import diagram
from kingcobra.board.fen import FenError
from kingcobra.board.layout import Position
from kingcobra.board.moves import MoveError, format_move
from kingcobra.engine import Call, Engine
from kingcobra.kernel.build import Builder
from kingcobra.kernel.levels import LevelError
from kingcobra.kernel.memory import OutOfMemory
from kingcobra.kernel.objects import Core, ObjectError
from kingcobra.search.core import CORE
from kingcobra.search.layout import Report
from kingcobra.search.pool import Finding
from kingcobra.uci.bench import Bench, go_form_limits, is_go_form, parse_task
from kingcobra.uci.go_words import parse_go
from kingcobra.uci.info import format_report
from kingcobra.uci.options import OPTIONS, option_named
from kingcobra.uci.protocol import (
    UciError,
    parse_position,
    parse_setoption,
    quoted,
)
from kingcobra.uci.streams import Output, complain, read_lines, write_stderr
from kingcobra.version import AUTHORS, __version__

BANNER = f"Kingcobra {__version__} by {AUTHORS}"
QUIT = "quit"
EXIT_OK, EXIT_NO_CORE, EXIT_INTERRUPTED = 0, 1, 130

Event = Callable[[], None]


class UciLoop:
    """A conversation from the banner to its end."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._events: SimpleQueue[Event] = SimpleQueue()
        self._waiting: deque[list[str]] = deque()
        self._builder = Builder(CORE, self._on_progress)
        self._engine: Engine | None = None
        self._unsaid: list[str] = []
        self._settings: list[Event] = []
        self._uciok_said = False
        self._compiling = False
        self._input_ended = False
        self._leaving = False
        self._exit_code = EXIT_OK

    # --- life ---------------------------------------------------------------------------------

    def run(self, lines: Iterable[str] | None = None) -> int:
        """Obeys the given lines, or those of standard input, and returns the exit code."""
        self._output.say(BANNER)
        threading.Thread(target=self._load_core, name="core", daemon=True).start()
        if lines is None:
            threading.Thread(target=self._read_input, name="input", daemon=True).start()
        else:
            for line in lines:
                self._on_line(line)
            self._on_end()
        try:
            while not self._finished():
                self._events.get()()
        except KeyboardInterrupt:
            self._exit_code = EXIT_INTERRUPTED
        self._builder.cancel()
        if self._engine is not None:
            self._engine.stop()
        return self._exit_code

    def _finished(self) -> bool:
        if self._leaving or self._output.closed:
            return True
        if not self._input_ended or self._waiting:
            return False
        if self._engine is not None and self._engine.awaits_stop:
            self._engine.stop()
        return self._engine is None or not self._engine.busy

    def _load_core(self) -> None:
        try:
            core = self._builder.obtain()
        except (ObjectError, LevelError) as error:
            message = f"cannot start: {error}"
            self._events.put(lambda: self._give_up(message))
        except Exception as error:  # whatever it is, the loop must not wait for ever
            message = f"cannot start: {type(error).__name__}: {error}"
            self._events.put(lambda: self._give_up(message))
        else:
            self._events.put(lambda: self._on_ready(core))

    def _read_input(self) -> None:
        read_lines(
            lambda line: self._events.put(lambda: self._on_line(line)),
            lambda: self._events.put(self._on_end),
        )

    # --- events -------------------------------------------------------------------------------

    def _on_line(self, line: str) -> None:
        words = line.split()
        if not words:
            return
        if self._engine is None and words[0] not in self.AT_ANY_TIME:
            self._waiting.append(words)
            self._leave_if_asked()
        else:
            self._obey(words)

    def _leave_if_asked(self) -> None:
        """A compilation is too long to wait for when the user wants to leave; a core that is merely
        being loaded is not, and the commands before `quit` are still obeyed."""
        if self._compiling and any(words[0] == QUIT for words in self._waiting):
            self._leaving = True

    def _on_end(self) -> None:
        self._input_ended = True

    def _on_ready(self, core: Core) -> None:
        for note in self._builder.notes:
            self._announce(note)
        try:
            self._engine = Engine(core)
        except OutOfMemory as error:
            self._give_up(f"cannot start: {error}")
        while self._waiting and not self._leaving:
            self._obey(self._waiting.popleft())

    def _give_up(self, message: str) -> None:
        self._announce(message)
        self._exit_code = EXIT_NO_CORE
        self._leaving = True

    def _on_progress(self, text: str) -> None:
        """Called from the thread that loads the core."""
        self._events.put(lambda: self._on_compiling(text))

    def _on_compiling(self, text: str) -> None:
        self._compiling = True
        self._announce(text, keep=False)
        self._leave_if_asked()

    def _announce(self, text: str, keep: bool = True) -> None:
        """On stderr at once; to the GUI as soon as it has been told that this is a UCI engine."""
        complain(text)
        if self._uciok_said:
            self._info(text)
        elif keep:
            self._unsaid.append(text)

    def _info(self, text: str) -> None:
        self._output.say(f"info string {text}")

    # --- commands -----------------------------------------------------------------------------

    def _obey(self, words: list[str]) -> None:
        command = self.COMMANDS.get(words[0])
        if command is None:
            self._info(f"unknown command {quoted(words[0])}; 'help' lists the known ones")
            return
        try:
            command(self, words[1:])
        except (UciError, FenError, MoveError, OutOfMemory) as error:
            self._info(f"error: {error}")
        except Exception as error:  # a fault of ours must not take the game down with it
            self._info(f"error: internal, in {quoted(words[0])}: {type(error).__name__}: {error}")

    @property
    def _ready_engine(self) -> Engine:
        """The engine; commands that need it are obeyed only when it is there."""
        assert self._engine is not None
        return self._engine

    def _uci(self, _words: list[str]) -> None:
        """uci: who this is, the options, uciok."""
        self._output.say(f"id name Kingcobra {__version__}")
        self._output.say(f"id author {AUTHORS}\n")
        for option in OPTIONS:
            self._output.say(option.declaration())
        self._output.say("uciok")
        self._uciok_said = True
        for text in self._unsaid:
            self._info(text)
        self._unsaid.clear()

    def _isready(self, _words: list[str]) -> None:
        """isready: readyok as soon as the engine is; also while it works."""
        self._output.say("readyok")

    def _ucinewgame(self, _words: list[str]) -> None:
        """ucinewgame: the start position, and nothing remembered."""
        self._halt()
        self._ready_engine.new_game()

    def _setoption(self, words: list[str]) -> None:
        """setoption name <name> [value <value>]: changes one option, after the work under way."""
        command = parse_setoption(words)
        option = option_named(command.name)
        value = option.parse(command.value)
        engine = self._ready_engine
        self._settings.append(lambda: option.apply(engine, value))
        if engine.busy:
            self._info(f"option {option.name} is set when the work under way has ended")
        else:
            self._apply_settings()

    def _apply_settings(self) -> None:
        """Does what `setoption` asked for while there was work under way."""
        settings, self._settings = self._settings, []
        for apply in settings:
            try:
                apply()
            except OutOfMemory as error:
                self._info(f"error: {error}")

    def _halt(self) -> None:
        """Ends the work under way; what waited for its end happens."""
        self._ready_engine.stop()
        self._apply_settings()

    def _position(self, words: list[str]) -> None:
        """position startpos | fen <fen> [moves <move> …]: sets up a position. An illegal move ends
        the list; the moves before it stay."""
        command = parse_position(words)
        engine = self._ready_engine
        engine.set_position(command.fen)
        for number, move in enumerate(command.moves, 1):
            try:
                engine.board.play(move)
            except MoveError as error:
                raise UciError(
                    f"{error} (number {number} of {len(command.moves)}) in {engine.board.fen()}"
                ) from None

    def _go(self, words: list[str]) -> None:
        """go [searchmoves | ponder | wtime | btime | winc | binc | movestogo | depth | nodes |
        mate | movetime | infinite | perft] …: searches until the first limit is reached."""
        limits, complaints = parse_go(words)
        for complaint in complaints:
            self._info(f"error: {complaint}")
        engine = self._ready_engine
        self._halt()
        if limits.perft:
            engine.start_perft(limits.perft, self._say_at_work, self._wake)
            return
        position = type(engine.board.record).from_buffer_copy(engine.board.record)

        def tell(report: Report, nodes: int) -> None:
            full = engine.pool.fullness_permille()
            self._say_at_work(format_report(report, position, nodes, full))

        def answer(finding: Finding) -> None:
            self._answer(finding, position)

        engine.go(limits, tell, answer, self._wake)

    def _say_at_work(self, text: str) -> None:
        """Called from the thread that works: work for a reader who has gone ends."""
        self._output.say(text)
        if self._output.closed:
            self._wake()

    def _answer(self, finding: Finding, position: Position) -> None:
        """bestmove, and what the opponent is expected to play."""
        if not finding.line:
            mated = position.states[position.ply].checkers
            self._output.say(f"info depth 0 score {'mate 0' if mated else 'cp 0'}")
            self._output.say("bestmove (none)")
            return
        best, *rest = finding.line
        text = f"bestmove {format_move(best, position)}"
        self._output.say(f"{text} ponder {format_move(rest[0], position)}" if rest else text)

    def _wake(self) -> None:
        """Called from the thread that works: lets the loop look again whether all is done."""
        self._events.put(self._on_work_done)

    def _on_work_done(self) -> None:
        if self._engine is not None and not self._engine.busy:
            self._apply_settings()

    def _ponderhit(self, _words: list[str]) -> None:
        """ponderhit: the expected move was played; pondering becomes an ordinary search."""
        self._ready_engine.ponderhit()

    def _stop(self, _words: list[str]) -> None:
        """stop: ends the work under way."""
        self._halt()

    def _bench(self, words: list[str]) -> None:
        """bench [hash] [threads] [limit] [default | current | file] [limit type], or bench and
        limits as for go: a fixed task for speed and signature."""
        engine = self._ready_engine
        self._halt()
        bench = Bench(engine, self._say_at_work)
        if is_go_form(words):
            limits = go_form_limits(words)
            board = Board(engine.core, engine.board.fen(), engine.board.chess960)

            def work() -> Call:
                bench.search(board, limits, self._tell)
                return lambda: self._output.say(bench.go_form_summary())
        else:
            task = parse_task(words, (engine.board.fen(), engine.board.chess960))
            engine.pool.set_threads(task.threads)
            engine.set_hash_mb(task.hash_mb)
            engine.pool.forget()

            def work() -> Call:
                bench.run(task, self._tell)
                return lambda: write_stderr(bench.stockfish_summary())

        engine.start(work, bench.halt, self._wake)

    def _tell(self, report: Report, board: Board) -> None:
        """One info line of a search on that board."""
        pool = self._ready_engine.pool
        full = pool.fullness_permille()
        self._say_at_work(format_report(report, board.record, report.nodes, full))

    def _d(self, _words: list[str]) -> None:
        """d: the board, its FEN, key and checkers."""
        self._output.say("\n" + diagram(self._ready_engine.board))

    def _flip(self, _words: list[str]) -> None:
        """flip: the same position with the sides exchanged."""
        self._ready_engine.board.flip()

    def _help(self, _words: list[str]) -> None:
        """help: this list."""
        self._output.say(f"{BANNER}\nA UCI chess engine. Its commands:\n")
        for command in self.COMMANDS.values():
            self._output.say("  " + " ".join((command.__doc__ or "").split()))

    def _quit(self, _words: list[str]) -> None:
        """quit: ends the engine at once."""
        self._leaving = True

    COMMANDS: ClassVar[dict[str, Callable[["UciLoop", list[str]], None]]] = {
        "uci": _uci,
        "isready": _isready,
        "ucinewgame": _ucinewgame,
        "setoption": _setoption,
        "position": _position,
        "go": _go,
        "stop": _stop,
        "ponderhit": _ponderhit,
        "bench": _bench,
        "d": _d,
        "flip": _flip,
        "help": _help,
        QUIT: _quit,
    }
    # Obeyed even while the core is still being compiled.
    AT_ANY_TIME = frozenset({"uci", "help"})
