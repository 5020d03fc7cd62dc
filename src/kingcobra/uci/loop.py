# SPDX-License-Identifier: GPL-3.0-or-later
"""The loop: one line, one command.

Everything that happens, a line typed or the core loaded, is an event in one queue, taken by one
thread. While the core is still being loaded or compiled, `uci` and its like are obeyed at once and
all other commands wait their turn; `quit` does not wait for a compilation, be it of the core or of
a network's architecture.

A measurement (`bench`, `speedtest`, `go perft`) runs to its end before the commands behind it are
obeyed, so a script may end with `quit`. Only `stop` interrupts it, and `isready` is answered at
once.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterable
from queue import SimpleQueue

from kingcobra.board.fen import FenError
from kingcobra.board.move_text import MoveError
from kingcobra.core.objects import CORE
from kingcobra.engine.search_engine import SearchEngine
from kingcobra.exit_codes import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK
from kingcobra.kernel.build import Builder, settle_level
from kingcobra.kernel.host import monotonic_ns
from kingcobra.kernel.levels import LevelError
from kingcobra.kernel.objects import Core, ObjectError
from kingcobra.kernel.system.memory import OutOfMemory
from kingcobra.text_values import quoted
from kingcobra.uci.commands.table import (
    AT_ANY_TIME,
    COMMANDS,
    ISREADY,
    ON_THE_CLOCK,
    QUIT,
    STARTS_WORK,
    STOP,
    command_word,
    is_measurement,
)
from kingcobra.uci.interruptible import Leaving
from kingcobra.uci.protocol import UciError
from kingcobra.uci.session import Session
from kingcobra.uci.streams import Output, read_lines
from kingcobra.version import BANNER

Event = Callable[[], None]


class UciLoop:
    """A conversation from the banner to its end."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._talk = Session(output, self._wake)
        self._events: SimpleQueue[Event] = SimpleQueue()
        self._waiting: deque[str] = deque()
        # Measurements heard, counted by the thread that reads, and obeyed, counted by the loop.
        self._measurements_heard = 0
        self._measurements_obeyed = 0
        self._builder = Builder(CORE, self._on_progress)
        self._compiling = False
        self._input_ended = False
        self._may_be_endless = False
        self._exit_code = EXIT_OK

    # --- life ---------------------------------------------------------------------------------

    def run(self, lines: Iterable[str] | None = None) -> int:
        """Obeys the given lines, or those of standard input, and returns the exit code. Endless
        work ends with the input; given lines leave it to go on until it is interrupted."""
        try:
            self._begin(lines)
            while not self._finished():
                self._events.get()()
        except KeyboardInterrupt:
            self._exit_code = EXIT_INTERRUPTED
        except Leaving:
            self._talk.leaving = True
        self._builder.cancel()
        if self._talk.has_engine:
            self._talk.engine.shut_down()
        return self._exit_code

    def _begin(self, lines: Iterable[str] | None) -> None:
        self._output.say(BANNER)
        complaint = settle_level()
        if complaint:
            self._talk.announce(complaint)
        threading.Thread(target=self._load_core, name="core", daemon=True).start()
        if lines is None:
            threading.Thread(target=self._read_input, name="input", daemon=True).start()
            return
        for line in lines:
            self._on_line(line, monotonic_ns())
        self._on_end()
        self._may_be_endless = True

    def _finished(self) -> bool:
        if self._talk.leaving or self._output.closed:
            return True
        if not self._input_ended:
            return False
        if not self._talk.has_engine:
            return not self._waiting
        engine = self._talk.engine
        if engine.awaits_stop and not self._may_be_endless:
            engine.stop()
        return not (engine.busy or self._waiting)

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
        read_lines(self._hear, lambda: self._events.put(self._on_end))

    def _hear(self, line: str) -> None:
        """Called from the thread that reads: whoever asks for a move has his clock running since
        he sent the line, not since this thread's news reached the loop. The loop may be waiting for
        a compilation, and that is too long for who wants to leave, unless he wants a measurement
        first."""
        heard_ns = monotonic_ns()
        self._measurements_heard += is_measurement(line)
        if command_word(line) == QUIT and self._measurements_heard == self._measurements_obeyed:
            self._talk.patience.hear_quit()
        self._events.put(lambda: self._on_line(line, heard_ns))

    def _wake(self) -> None:
        """Called from the thread that works: lets the loop look again whether all is done."""
        self._events.put(self._on_work_done)

    # --- events -------------------------------------------------------------------------------

    def _on_line(self, line: str, heard_ns: int) -> None:
        talk = self._talk
        if not talk.has_engine and command_word(line) not in AT_ANY_TIME:
            self._waiting.append(line)
            self._leave_if_asked()
        elif talk.has_engine and (self._waiting or talk.engine.is_measuring):
            self._hold(line)
        else:
            talk.heard_ns = heard_ns
            self._obey(line)

    def _hold(self, line: str) -> None:
        """Keeps a line until the measurement under way has ended, unless it is urgent. `stop` ends
        all work asked for before it, also what waits; `quit` ends what never ends by itself. Once
        the last line of the measurement is out, everything comes in its order."""
        word = command_word(line)
        engine = self._talk.engine
        work_waits = any(command_word(other) in STARTS_WORK for other in self._waiting)
        is_urgent = engine.busy and word in (ISREADY, STOP)
        if is_urgent or (word == QUIT and engine.awaits_stop):
            self._obey(line)
        if not is_urgent or (word == STOP and work_waits):
            self._waiting.append(line)

    def _leave_if_asked(self) -> None:
        """A compilation is too long to wait for when the user wants to leave, unless he wants a
        measurement first. A core that is merely being loaded is waited for, and the commands before
        `quit` are still obeyed."""
        if self._compiling and self._quit_waits():
            self._talk.leaving = True

    def _quit_waits(self) -> bool:
        """Whether `quit` is among the waiting lines, and no measurement before it."""
        for line in self._waiting:
            if is_measurement(line):
                return False
            if command_word(line) == QUIT:
                return True
        return False

    def _on_end(self) -> None:
        self._input_ended = True

    def _on_ready(self, core: Core) -> None:
        for note in self._builder.notes:
            self._talk.announce(note)
        try:
            self._talk.adopt(SearchEngine(core, self._talk.engine_printer))
        except OutOfMemory as error:
            self._give_up(f"cannot start: {error}")
        self._obey_waiting()

    def _obey_waiting(self) -> None:
        """As far as the next measurement, which holds those behind it."""
        talk = self._talk
        while self._waiting and not (talk.leaving or talk.engine.is_measuring):
            if self._quit_waits():
                talk.patience.hear_quit()
            talk.heard_ns = monotonic_ns()
            self._obey(self._waiting.popleft())
        if not talk.leaving:
            held, self._waiting = self._waiting, deque()
            for line in held:
                self._hold(line)

    def _give_up(self, message: str) -> None:
        self._talk.announce(message)
        self._exit_code = EXIT_FAILED
        self._talk.leaving = True

    def _on_progress(self, text: str) -> None:
        """Called from the thread that loads the core."""
        self._events.put(lambda: self._on_compiling(text))

    def _on_compiling(self, text: str) -> None:
        self._compiling = True
        self._talk.announce(text, keep=False)
        self._leave_if_asked()

    def _on_work_done(self) -> None:
        if self._talk.has_engine and not self._talk.engine.busy:
            self._talk.apply_settings()
            self._obey_waiting()

    # --- commands -----------------------------------------------------------------------------

    def _obey(self, line: str) -> None:
        self._output.heard(line)
        word = command_word(line)
        self._measurements_obeyed += is_measurement(line)
        if not word:
            return
        command = COMMANDS.get(word)
        if command is None:
            self._talk.info(f"unknown command {quoted(word)}; 'help' lists the known ones")
            return
        try:
            command(self._talk, line.strip().removeprefix(word).strip())
        except (UciError, FenError, MoveError, OutOfMemory) as error:
            self._talk.info(f"error: {error}")
        except Exception as error:  # a fault of ours must not take the game down with it
            self._talk.info(f"error: internal, in {quoted(word)}: {type(error).__name__}: {error}")
        if word not in ON_THE_CLOCK:
            self._talk.mark_set_up()
