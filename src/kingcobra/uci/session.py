# SPDX-License-Identifier: GPL-3.0-or-later
"""What every command gets: the engine, the way to the user, and options waiting to be set."""

from typing import TYPE_CHECKING

from kingcobra.engine.background import Action
from kingcobra.engine.evaluator import EvaluatorError
from kingcobra.engine.options import OptionError
from kingcobra.engine.search_engine import SearchEngine
from kingcobra.errors import reason_of
from kingcobra.exit_codes import EXIT_FAILED, EXIT_OK, EXIT_USAGE
from kingcobra.kernel.host import monotonic_ns
from kingcobra.kernel.system.memory import OutOfMemory
from kingcobra.text_values import quoted
from kingcobra.uci.engine_printer import EnginePrinter
from kingcobra.uci.interruptible import InterruptibleWait
from kingcobra.uci.protocol import UciError, internal_error
from kingcobra.uci.streams import Output, print_warning

if TYPE_CHECKING:
    from kingcobra.uci.opponent import Opponent


class Session:
    """One user, one engine. `wake` makes the loop check again whether all is done. Methods are
    called from the loop's thread, unless they say otherwise."""

    def __init__(self, output: Output, wake: Action) -> None:
        self.output = output
        self.wake = wake
        self.interruptible = InterruptibleWait()
        self.quitting = False
        # One command from the command line, not a GUI that must be kept going: what is wrong with
        # it goes to stderr and into the exit code.
        self.is_one_shot = False
        self.exit_code = EXIT_OK
        # What the engine says outside its searches goes through this.
        self.engine_printer = EnginePrinter(
            self.announce, self.info, self.note, self._on_compiling, wake
        )
        self.debug = False
        # Whether scores come with the chances to win, draw and lose.
        self.shows_wdl = False
        # When the present command came in; for one that had to wait, when its turn came.
        self.received_ns = 0
        self._slow_work_ns = 0
        self._engine: SearchEngine | None = None
        self._uciok_sent = False
        self._progress = ""
        self._unsent: list[str] = []
        self._pending: list[Action] = []

    # --- the engine ---------------------------------------------------------------------------

    @property
    def has_engine(self) -> bool:
        """Whether the core is loaded."""
        return self._engine is not None

    @property
    def engine(self) -> SearchEngine:
        """The engine; commands that need it wait until it is there."""
        assert self._engine is not None
        return self._engine

    def use_engine(self, engine: SearchEngine) -> None:
        """The core is loaded."""
        self._engine = engine

    @property
    def started_ns(self) -> int:
        """From when the time of the present command counts: since it came in, but not since before
        the last slow work was done. A network may take seconds to compile, and a GUI that does not
        wait for it wants its search after it."""
        return max(self.received_ns, self._slow_work_ns)

    def mark_slow_work_done(self) -> None:
        """Something that may be slow, and is not part of a game, is done."""
        self._slow_work_ns = monotonic_ns()

    def stop_work(self) -> None:
        """Ends the running job; options that waited for its end are set."""
        self.engine.stop()
        self.apply_pending_options()

    def prepare(self) -> None:
        """Loads the default network if it evaluates and is not there yet: the first time that
        something is to be evaluated, when the options have been set. May raise QuitRequested."""
        engine = self.engine
        if engine.is_prepared or engine.busy:
            return
        try:
            self.interruptible.wait_for(engine.prepare)
        except EvaluatorError as error:
            self.info(f"error: {error}; using {engine.evaluation_name}")
        self.mark_slow_work_done()

    # --- output -------------------------------------------------------------------------------

    def send(self, text: str) -> None:
        """One line or several; from any thread."""
        self.output.send(text)

    def info(self, text: str) -> None:
        """One line for the user; from any thread."""
        self.output.send(f"info string {text}")

    def report_error(self, error: Exception) -> None:
        """A command that cannot be executed, or that the engine failed to execute."""
        if self.is_one_shot:
            print_warning(str(error))
            self.exit_code = EXIT_FAILED if isinstance(error, OutOfMemory) else EXIT_USAGE
        else:
            self.info(f"error: {error}")

    def report_internal_error(self, place: str, error: Exception) -> None:
        """A fault of the engine's own, which must not end a game."""
        self.info(internal_error(place, error))
        if self.is_one_shot:
            self.exit_code = EXIT_FAILED

    def report_ignored(self, command: str, faults: list[str]) -> None:
        """Parts of a command that mean nothing. The rest of it is executed; UciError where nobody
        but the user waits, who would rather type it again."""
        if faults and self.is_one_shot:
            raise UciError(f"{command}: {faults[0]}")
        for fault in faults:
            self.info(f"error: {command}: ignoring {fault}")

    def send_from_job(self, text: str) -> None:
        """The same for jobs, from any thread: a job ends when nobody reads its output."""
        self.output.send(text)
        if self.output.closed:
            self.wake()

    def note(self, text: str) -> None:
        """A line for debugging: sent after `debug on`, else only written to the log if there is
        one; from any thread."""
        if self.debug:
            self.info(text)
        else:
            self.output.log_remark(text)

    def announce(self, text: str) -> None:
        """Printed on stderr at once, and sent to the GUI at once or, before `uciok`, as soon as
        that is sent; from any thread."""
        print_warning(text)
        if self._uciok_sent:
            self.info(text)
        else:
            self._unsent.append(text)

    def tell_progress(self, text: str) -> None:
        """As `announce`, for what the next such text replaces: before `uciok` only the newest is
        kept, until there is an engine."""
        print_warning(text)
        self._progress = text
        if self._uciok_sent:
            self.info(text)

    def _on_compiling(self, text: str) -> None:
        """Called from the thread that compiles."""
        self.tell_progress(text)
        self.interruptible.mark_long()

    def on_uciok_sent(self) -> None:
        """Sends what was kept until then."""
        was_sent, self._uciok_sent = self._uciok_sent, True
        for text in self._unsent:
            self.info(text)
        self._unsent.clear()
        if self._progress and not was_sent and not self.has_engine:
            self.info(self._progress)

    # --- options of the session ---------------------------------------------------------------

    def set_log(self, path: str) -> None:
        """Logs every line in and out to that file; an empty path ends the log. UciError if the
        file cannot be opened: the log before stays in use."""
        from kingcobra.uci.debug_log import DebugLog  # only needed for debugging

        if not path:
            self.output.set_log(None)
            return
        try:
            self.output.set_log(DebugLog(path))
        except (OSError, ValueError) as error:
            raise UciError(
                f"option Debug Log File: cannot open {quoted(path)}: {reason_of(error)}"
            ) from None

    def note_opponent(self, opponent: "Opponent | None") -> None:
        """The opponent only appears in the log."""
        self.note(f"opponent: {opponent}" if opponent else "opponent: unknown")

    # --- options ------------------------------------------------------------------------------

    def set_option(
        self, name: str, value_text: str, apply: Action, may_compile: bool = False
    ) -> None:
        """Sets an option, now or when the running job has ended. If it compiles something, `quit`
        ends the wait."""

        def apply_and_note() -> None:
            if may_compile:
                self.interruptible.wait_for(apply)
            else:
                apply()
            self.note(f"option {name} set to {quoted(value_text)}")

        self._pending.append(apply_and_note)
        if self.engine.busy:
            self.info(f"option {name} will be set when the engine is idle")
        else:
            self.apply_pending_options()

    def apply_pending_options(self) -> None:
        """Sets the options that waited for the end of a job. May raise QuitRequested."""
        pending, self._pending = self._pending, []
        for apply in pending:
            try:
                apply()
            except EvaluatorError as error:
                used = self.engine.evaluation_name
                self.report_error(EvaluatorError(f"{error}; still using {used}"))
            except (UciError, OptionError, OutOfMemory) as error:
                self.report_error(error)
            except Exception as error:  # an internal error must not cost the options behind it
                self.report_internal_error("in 'setoption'", error)
        if pending:
            self.mark_slow_work_done()
