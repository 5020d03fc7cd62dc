# SPDX-License-Identifier: GPL-3.0-or-later
"""What a command has in its hands: the engine, the way to the user, and what waits its turn."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from kingcobra.engine.evaluator import EvaluatorError
from kingcobra.engine.search_engine import SearchEngine
from kingcobra.errors import reason_of
from kingcobra.kernel.host import monotonic_ns
from kingcobra.kernel.system.memory import OutOfMemory
from kingcobra.text_values import quoted
from kingcobra.uci.engine_printer import EnginePrinter
from kingcobra.uci.interruptible import InterruptibleWait
from kingcobra.uci.protocol import UciError
from kingcobra.uci.streams import Output, complain

if TYPE_CHECKING:
    from kingcobra.uci.opponent import Opponent

Call = Callable[[], None]


class Session:
    """One user, one engine. `wake` lets the loop look again whether all is done; it may be called
    from any thread, as may what says so of itself. All else belongs to the loop's thread."""

    def __init__(self, output: Output, wake: Call) -> None:
        self.output = output
        self.wake = wake
        self.patience = InterruptibleWait()
        self.leaving = False
        # What the engine says outside its searches goes through this.
        self.engine_printer = EnginePrinter(self.announce, self.note, self._on_compiling, wake)
        self.debug = False
        # Whether scores come with the chances to win, draw and lose.
        self.shows_wdl = False
        # When the command under way was heard; one that waited for the core counts from its end.
        self.heard_ns = 0
        self._set_up_ns = 0
        self._engine: SearchEngine | None = None
        self._uciok_said = False
        self._unsaid: list[str] = []
        self._settings: list[Call] = []

    # --- the engine ---------------------------------------------------------------------------

    @property
    def has_engine(self) -> bool:
        """Whether the core is loaded."""
        return self._engine is not None

    @property
    def engine(self) -> SearchEngine:
        """The engine; commands that need it are obeyed only when it is there."""
        assert self._engine is not None
        return self._engine

    def adopt(self, engine: SearchEngine) -> None:
        """The engine has come."""
        self._engine = engine

    @property
    def asked_ns(self) -> int:
        """From when on the time of the command under way counts: since it was heard, but not since
        before the engine was set up. A network may take seconds to compile, and whoever does not
        wait for that wants his search after it."""
        return max(self.heard_ns, self._set_up_ns)

    def mark_set_up(self) -> None:
        """Something that may have taken long, and is no part of a game, is done."""
        self._set_up_ns = monotonic_ns()

    def halt(self) -> None:
        """Ends the work under way; what waited for its end happens."""
        self.engine.stop()
        self.apply_settings()

    # --- words --------------------------------------------------------------------------------

    def say(self, text: str) -> None:
        """Lines as they are; from any thread."""
        self.output.say(text)

    def info(self, text: str) -> None:
        """One line for people; from any thread."""
        self.output.say(f"info string {text}")

    def say_at_work(self, text: str) -> None:
        """For the thread that works: work for a reader who has gone ends."""
        self.output.say(text)
        if self.output.closed:
            self.wake()

    def note(self, text: str) -> None:
        """What the engine does, for whoever debugs it: said after `debug on`, else only written to
        the log if there is one; from any thread."""
        if self.debug:
            self.info(text)
        else:
            self.output.remark(text)

    def announce(self, text: str, keep: bool = True) -> None:
        """On stderr at once; to the GUI as soon as it has been told that this is a UCI engine; from
        any thread."""
        complain(text)
        if self._uciok_said:
            self.info(text)
        elif keep:
            self._unsaid.append(text)

    def _on_compiling(self, text: str) -> None:
        """Called from the thread that is waited for."""
        self.announce(text, keep=False)
        self.patience.notice_length()

    def introduced(self) -> None:
        """`uciok` is out: what was kept back is said."""
        self._uciok_said = True
        for text in self._unsaid:
            self.info(text)
        self._unsaid.clear()

    # --- options that concern the conversation --------------------------------------------------

    def set_log(self, path: str) -> None:
        """Writes every line in and out to that file too; an empty path ends it. UciError when the
        file cannot be opened: what was logged to before stays."""
        from kingcobra.uci.debug_log import DebugLog  # only who debugs needs it

        if not path:
            self.output.set_log(None)
            return
        try:
            self.output.set_log(DebugLog(path))
        except (OSError, ValueError) as error:
            raise UciError(
                f"option Debug Log File: {quoted(path)} cannot be opened: {reason_of(error)}"
            ) from None

    def note_opponent(self, opponent: "Opponent | None") -> None:
        """The opponent's name and strength change nothing but the log."""
        self.note(f"opponent: {opponent}" if opponent else "opponent: not known")

    # --- settings -----------------------------------------------------------------------------

    def change(self, name: str, value_text: str, apply: Call, may_compile: bool = False) -> None:
        """Sets an option: now, or when the work under way has ended. A compilation is waited for
        until the user says `quit`."""

        def apply_and_tell() -> None:
            if may_compile:
                self.patience.wait_for(apply)
            else:
                apply()
            self.note(f"option {name} is set to {quoted(value_text)}")

        self._settings.append(apply_and_tell)
        if self.engine.busy:
            self.info(f"option {name} is set when the work under way has ended")
        else:
            self.apply_settings()

    def apply_settings(self) -> None:
        """Does what `setoption` asked for while there was work under way. May raise Leaving."""
        settings, self._settings = self._settings, []
        for apply in settings:
            try:
                apply()
            except (UciError, OutOfMemory, EvaluatorError) as error:
                self.info(f"error: {error}")
            except Exception as error:  # a fault of ours must not cost the settings behind it
                self.info(f"error: internal, in 'setoption': {type(error).__name__}: {error}")
        if settings:
            self.mark_set_up()
