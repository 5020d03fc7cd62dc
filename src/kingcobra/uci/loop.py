# SPDX-License-Identifier: GPL-3.0-or-later
"""The loop: one line, one command.

Everything that happens, such as a line of input or the core being loaded, is an event in one
queue, handled by one thread. While the core is being loaded or compiled, `uci` and a few others are
executed at once and all other commands wait; `quit` does not wait for a compilation, be it of the
core or of a network's architecture.

A measurement (`bench`, `speedtest`, `go perft`) runs to its end before the commands behind it are
executed, so a script may end with `quit`. Only `stop` interrupts it, and `isready` is answered at
once.
"""

import threading
from collections.abc import Callable, Iterable
from queue import SimpleQueue

from kingcobra.board.fen import FenError
from kingcobra.board.move_text import MoveError
from kingcobra.collection import no_collection
from kingcobra.core.objects import CORE
from kingcobra.engine.search_engine import SearchEngine
from kingcobra.exit_codes import EXIT_FAILED, EXIT_INTERRUPTED
from kingcobra.kernel.build import Builder, settle_level
from kingcobra.kernel.host import monotonic_ns
from kingcobra.kernel.levels import LevelError
from kingcobra.kernel.objects import LoadedObject, ObjectError
from kingcobra.kernel.system.memory import OutOfMemory
from kingcobra.text_values import quoted
from kingcobra.uci.commands.table import (
    AT_ANY_TIME,
    COMMANDS,
    ISREADY,
    ON_THE_CLOCK,
    QUIT,
    STOP,
    command_word,
    is_measurement,
)
from kingcobra.uci.interruptible import QuitRequested
from kingcobra.uci.protocol import UciError
from kingcobra.uci.session import Session
from kingcobra.uci.streams import Output, read_lines
from kingcobra.uci.waiting_lines import WaitingLines
from kingcobra.version import BANNER

Event = Callable[[], None]


class UciLoop:
    """A session from the banner to its end."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._session = Session(output, self._wake)
        self._events: SimpleQueue[Event] = SimpleQueue()
        self._waiting = WaitingLines()
        # Measurements read, counted by the thread that reads, and executed, counted by the loop.
        self._measurements_read = 0
        self._measurements_executed = 0
        self._builder = Builder(CORE, self._on_progress)
        self._compiling = False
        self._input_ended = False

    # --- start and end ------------------------------------------------------------------------

    def run(self, lines: Iterable[str] | None = None) -> int:
        """Executes the given lines, or those of standard input, and returns the exit code. Infinite
        work ends with the input; of given lines it goes on until it is interrupted. Given lines
        must be right: there is no game that must go on."""
        try:
            self._begin(lines)
            while not self._finished():
                self._events.get()()
        except KeyboardInterrupt:
            self._session.exit_code = EXIT_INTERRUPTED
        except QuitRequested:
            self._session.quitting = True
        self._builder.cancel()
        if self._session.has_engine:
            self._session.engine.shut_down()
        return self._session.exit_code

    def _begin(self, lines: Iterable[str] | None) -> None:
        self._output.send(BANNER)
        warning = settle_level()
        if warning:
            self._session.announce(warning)
        threading.Thread(target=self._load_core, name="core", daemon=True).start()
        if lines is None:
            threading.Thread(target=self._read_input, name="input", daemon=True).start()
            return
        self._session.is_one_shot = True
        for line in lines:
            self._on_line(line, monotonic_ns())
        self._on_end()

    def _finished(self) -> bool:
        if self._session.quitting or self._output.closed:
            return True
        if not self._input_ended:
            return False
        if not self._session.has_engine:
            return not self._waiting
        engine = self._session.engine
        if engine.awaits_stop and not self._session.is_one_shot:
            engine.stop()
        return not (engine.busy or self._waiting)

    def _load_core(self) -> None:
        try:
            with no_collection():
                core = self._builder.obtain()
        except (ObjectError, LevelError) as error:
            message = f"cannot start: {error}"
            self._events.put(lambda: self._fail(message))
        except Exception as error:  # otherwise the loop would wait for ever
            message = f"cannot start: {type(error).__name__}: {error}"
            self._events.put(lambda: self._fail(message))
        else:
            self._events.put(lambda: self._on_ready(core))

    def _read_input(self) -> None:
        read_lines(self._on_input, lambda: self._events.put(self._on_end))

    def _on_input(self, line: str) -> None:
        """Called from the thread that reads. A clock runs from when the line was sent, not from
        when the loop gets to it. The loop may be waiting for a compilation: `quit` ends that wait,
        unless a measurement comes before it."""
        received_ns = monotonic_ns()
        self._measurements_read += is_measurement(line)
        if command_word(line) == QUIT and self._measurements_read == self._measurements_executed:
            self._session.interruptible.request_quit()
        self._events.put(lambda: self._on_line(line, received_ns))

    def _wake(self) -> None:
        """Called from the thread of a job: makes the loop check again whether all is done."""
        self._events.put(self._on_job_done)

    # --- events -------------------------------------------------------------------------------

    def _on_line(self, line: str, received_ns: int) -> None:
        session = self._session
        if not session.has_engine and command_word(line) not in AT_ANY_TIME:
            self._waiting.append(line)
            self._quit_if_requested()
        elif session.has_engine and (self._waiting or session.engine.is_measuring):
            self._hold(line)
        else:
            session.received_ns = received_ns
            self._execute(line)

    def _hold(self, line: str) -> None:
        """Keeps a line until the running measurement has ended, unless it is urgent. `stop` ends
        all work requested before it, also what waits; `quit` ends what never ends by itself. Once
        the last line of the measurement is sent, everything is executed in order."""
        word = command_word(line)
        engine = self._session.engine
        work_waits = self._waiting.work_waits
        is_urgent = engine.busy and word in (ISREADY, STOP)
        if is_urgent or (word == QUIT and engine.awaits_stop):
            self._execute(line)
        if not is_urgent or (word == STOP and work_waits):
            self._waiting.append(line)

    def _quit_if_requested(self) -> None:
        """`quit` does not wait for a compilation, unless a measurement comes before it. It does
        wait for a core that is merely being loaded, and the commands before it are executed."""
        if self._compiling and self._waiting.quit_waits:
            self._session.quitting = True

    def _on_end(self) -> None:
        self._input_ended = True

    def _on_ready(self, core: LoadedObject) -> None:
        for note in self._builder.notes:
            self._session.announce(note)
        try:
            self._session.use_engine(SearchEngine(core, self._session.engine_printer))
        except OutOfMemory as error:
            self._fail(f"cannot start: {error}")
        self._execute_waiting()

    def _execute_waiting(self) -> None:
        """Up to the next measurement, which holds the lines behind it."""
        session = self._session
        while self._waiting and not (session.quitting or session.engine.is_measuring):
            if self._waiting.quit_waits:
                session.interruptible.request_quit()
            session.received_ns = monotonic_ns()
            self._execute(self._waiting.popleft())
        if not session.quitting:
            held, self._waiting = self._waiting, WaitingLines()
            for line in held:
                self._hold(line)

    def _fail(self, message: str) -> None:
        self._session.announce(message)
        self._session.exit_code = EXIT_FAILED
        self._session.quitting = True

    def _on_progress(self, text: str) -> None:
        """Called from the thread that loads the core."""
        self._events.put(lambda: self._on_compiling(text))

    def _on_compiling(self, text: str) -> None:
        self._compiling = True
        self._session.tell_progress(text)
        self._quit_if_requested()

    def _on_job_done(self) -> None:
        if self._session.has_engine and not self._session.engine.busy:
            self._session.apply_pending_options()
            self._execute_waiting()

    # --- commands -----------------------------------------------------------------------------

    def _execute(self, line: str) -> None:
        self._output.log_input(line)
        word = command_word(line)
        self._measurements_executed += is_measurement(line)
        if not word:
            return
        command = COMMANDS.get(word)
        if command is None:
            self._session.info(f"unknown command {quoted(word)}; 'help' lists all commands")
            return
        try:
            command(self._session, line.strip().removeprefix(word).strip())
        except (UciError, FenError, MoveError, OutOfMemory) as error:
            self._session.report_error(error)
        except Exception as error:  # an internal error must not end the game
            self._session.report_internal_error(f"in {quoted(word)}", error)
        if word not in ON_THE_CLOCK:
            self._session.mark_slow_work_done()
