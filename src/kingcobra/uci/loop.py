# SPDX-License-Identifier: GPL-3.0-or-later
"""The loop: one line, one command.

Everything that happens, a line typed or the core loaded, is an event in one queue, taken by one
thread. While the core is still being loaded or compiled, `uci` and its like are obeyed at once and
all other commands wait their turn; `quit` does not wait for a compilation, be it of the core or of
a network's architecture.
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
from kingcobra.uci.commands.table import AT_ANY_TIME, COMMANDS, QUIT
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
        if not self._input_ended or self._waiting:
            return False
        if not self._talk.has_engine:
            return True
        engine = self._talk.engine
        if engine.awaits_stop and not self._may_be_endless:
            engine.stop()
        return not engine.busy

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
        a compilation, and that is too long for who wants to leave."""
        heard_ns = monotonic_ns()
        if _command_word(line) == QUIT:
            self._talk.patience.hear_quit()
        self._events.put(lambda: self._on_line(line, heard_ns))

    def _wake(self) -> None:
        """Called from the thread that works: lets the loop look again whether all is done."""
        self._events.put(self._on_work_done)

    # --- events -------------------------------------------------------------------------------

    def _on_line(self, line: str, heard_ns: int) -> None:
        if not self._talk.has_engine and _command_word(line) not in AT_ANY_TIME:
            self._waiting.append(line)
            self._leave_if_asked()
        else:
            self._talk.heard_ns = heard_ns
            self._obey(line)

    def _leave_if_asked(self) -> None:
        """A compilation is too long to wait for when the user wants to leave; a core that is merely
        being loaded is not, and the commands before `quit` are still obeyed."""
        if self._compiling and any(_command_word(line) == QUIT for line in self._waiting):
            self._talk.leaving = True

    def _on_end(self) -> None:
        self._input_ended = True

    def _on_ready(self, core: Core) -> None:
        for note in self._builder.notes:
            self._talk.announce(note)
        try:
            self._talk.adopt(SearchEngine(core))
        except OutOfMemory as error:
            self._give_up(f"cannot start: {error}")
        while self._waiting and not self._talk.leaving:
            self._talk.heard_ns = monotonic_ns()
            self._obey(self._waiting.popleft())

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

    # --- commands -----------------------------------------------------------------------------

    def _obey(self, line: str) -> None:
        self._output.heard(line)
        word = _command_word(line)
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


def _command_word(line: str) -> str:
    """The first word of a line, empty if it has none."""
    return line.split(None, 1)[0] if line.strip() else ""
