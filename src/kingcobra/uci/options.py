# SPDX-License-Identifier: GPL-3.0-or-later
"""The one table of options: what `uci` lists, what `setoption` accepts, what a change does."""

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from kingcobra.core.search.tunables import TUNABLES, Tunable
from kingcobra.engine.endgame_tables import DEFAULT_PROBE_DEPTH, MOST_MEN
from kingcobra.engine.evaluator import MODES, NNUE
from kingcobra.engine.own_book import DEFAULT_BOOK, DEFAULT_BOOK_DEPTH
from kingcobra.engine.search_engine import DEFAULT_HASH_MB, SearchEngine
from kingcobra.engine.settings import DEFAULT_OVERHEAD_MS, HIGHEST_ELO, LOWEST_ELO
from kingcobra.engine.skill import FULL_LEVEL
from kingcobra.text_values import parse_integer, quoted
from kingcobra.uci.protocol import UciError
from kingcobra.uci.session import Session
from kingcobra.version import ABOUT

BUTTON, CHECK, COMBO, SPIN, STRING = "button", "check", "combo", "spin", "string"
TRUTH = {"true": True, "false": False}
EMPTY = "<empty>"
MAX_HASH_MB = 33_554_432
MAX_THREADS = 1024
MAX_LINES = 500
MAX_OVERHEAD_MS = 5000
MAX_NODESTIME = 10_000
MAX_PROBE_DEPTH = 100


def _as_it_is(text: str) -> str:
    return text


# Puts a value into effect.
Apply = Callable[[Session, Any], None]


class Option(NamedTuple):
    """One option. `read` makes the value of a string option from its text, UciError if it cannot.
    `may_compile` marks options that may need machine code which has yet to be compiled."""

    name: str
    kind: str
    default: bool | int | str
    apply: Apply
    low: int = 0
    high: int = 0
    read: Callable[[str], Any] = _as_it_is
    choices: tuple[str, ...] = ()
    may_compile: bool = False

    def declaration(self) -> str:
        """The line that `uci` prints."""
        if self.kind == BUTTON:
            return f"option name {self.name} type button"
        default = self.default if self.kind == STRING else str(self.default).lower()
        text = f"option name {self.name} type {self.kind} default {default}".rstrip()
        text += "".join(f" var {choice}" for choice in self.choices)
        return f"{text} min {self.low} max {self.high}" if self.kind == SPIN else text

    def parse(self, text: str) -> Any:
        """The value of the text. UciError says what was expected."""
        if self.kind == BUTTON:
            return True
        if self.kind == STRING:
            return self.read("" if text == EMPTY else text)
        if self.kind == CHECK:
            if text.lower() not in TRUTH:
                raise UciError(f"option {self.name}: {quoted(text)}, expected true or false")
            return TRUTH[text.lower()]
        if self.kind == COMBO:
            if text.lower() not in self.choices:
                expected = ", ".join(self.choices)
                raise UciError(f"option {self.name}: {quoted(text)}, expected one of {expected}")
            return text.lower()
        value = parse_integer(text, self.low, self.high)
        if value is None:
            raise UciError(
                f"option {self.name}: {quoted(text)},"
                f" expected a number from {self.low} to {self.high}"
            )
        return value


def _read_numa_policy(text: str) -> Any:
    from kingcobra.kernel.system import numa  # rarely set

    try:
        policy = numa.parse_policy(text)
    except numa.NumaError as error:
        raise UciError(
            f"option NumaPolicy: {error}; expected {', '.join(numa.NAMES)},"
            " or CPUs for each node such as 0-3,8:4-7,9"
        ) from None
    if policy.name not in (numa.NONE, numa.AUTO) and not numa.can_bind():
        raise UciError(f"option NumaPolicy: cannot bind threads on {sys.platform}")
    return policy


def _read_opponent(text: str) -> Any:
    from kingcobra.uci.opponent import parse_opponent  # rarely set

    return parse_opponent(text)


def _read_position_value(text: str) -> Any:
    from kingcobra.uci.position_value import parse_position_value  # rarely set

    return parse_position_value(text)


def _apply_position_value(session: Session, value: Any) -> None:
    from kingcobra.uci.position_value import apply_position_value

    apply_position_value(session.engine, value)


def _use_book(session: Session, is_used: bool) -> None:
    _change_book("OwnBook", session.engine.book.use, is_used)


def _open_book(session: Session, name: str) -> None:
    _change_book("Book File", session.engine.book.open, name)


def _change_book(option: str, change: Callable[[Any], None], value: Any) -> None:
    from kingcobra.engine.opening_book import BookError  # most games are played without a book

    try:
        change(value)
    except BookError as error:
        raise UciError(f"option {option}: {error}") from None


def _book_setting(name: str) -> Apply:
    """Assigns an attribute of the engine's book."""
    return lambda session, value: setattr(session.engine.book, name, value)


def _table_setting(name: str) -> Apply:
    """Assigns an attribute of the engine's endgame tables."""
    return lambda session, value: setattr(session.engine.tables, name, value)


def _ignore(_session: Session, _value: str) -> None:
    """The option is only there to be read."""


def _setting(name: str) -> Apply:
    """Assigns one of the engine's settings."""
    return lambda session, value: setattr(session.engine.settings, name, value)


def _display(name: str) -> Apply:
    """Assigns an attribute of the session: what is shown, not what is searched."""
    return lambda session, value: setattr(session, name, value)


def _method(change: Callable[[SearchEngine, Any], None]) -> Apply:
    """Calls a method of the engine."""
    return lambda session, value: change(session.engine, value)


# Those of Stockfish in its order, then those of the UCI standard.
OPTIONS = (
    Option("Debug Log File", STRING, "", Session.set_log),
    Option("Threads", SPIN, 1, _method(SearchEngine.set_threads), 1, MAX_THREADS),
    Option("Hash", SPIN, DEFAULT_HASH_MB, _method(SearchEngine.set_hash_mb), 1, MAX_HASH_MB),
    Option("Clear Hash", BUTTON, False, lambda session, _pressed: session.engine.clear_hash()),
    Option("Ponder", CHECK, False, _setting("may_ponder")),
    Option("MultiPV", SPIN, 1, _setting("lines"), 1, MAX_LINES),
    Option("Skill Level", SPIN, FULL_LEVEL, _setting("skill_level"), 0, FULL_LEVEL),
    Option("Move Overhead", SPIN, DEFAULT_OVERHEAD_MS, _setting("overhead_ms"), 0, MAX_OVERHEAD_MS),
    Option("nodestime", SPIN, 0, _method(SearchEngine.set_nodestime), 0, MAX_NODESTIME),
    Option("UCI_Chess960", CHECK, False, _setting("chess960")),
    Option("UCI_LimitStrength", CHECK, False, _setting("limits_strength")),
    Option("UCI_Elo", SPIN, LOWEST_ELO, _setting("elo"), LOWEST_ELO, HIGHEST_ELO),
    Option("UCI_ShowWDL", CHECK, False, _display("shows_wdl")),
    Option("SyzygyPath", STRING, EMPTY, _method(SearchEngine.set_tables)),
    Option(
        "SyzygyProbeDepth",
        SPIN,
        DEFAULT_PROBE_DEPTH,
        _table_setting("probe_depth"),
        1,
        MAX_PROBE_DEPTH,
    ),
    Option("Syzygy50MoveRule", CHECK, True, _method(SearchEngine.set_fifty_rule)),
    Option("SyzygyProbeLimit", SPIN, MOST_MEN, _table_setting("probe_limit"), 0, MOST_MEN),
    Option("EvalFile", STRING, EMPTY, _method(SearchEngine.set_network), may_compile=True),
    Option(
        "EvalFileSmall", STRING, EMPTY, _method(SearchEngine.set_small_network), may_compile=True
    ),
    Option(
        "Evaluation",
        COMBO,
        NNUE,
        _method(SearchEngine.set_evaluation),
        choices=MODES,
        may_compile=True,
    ),
    Option(
        "NumaPolicy",
        STRING,
        "auto",
        _method(SearchEngine.set_numa_policy),
        read=_read_numa_policy,
    ),
    Option("OwnBook", CHECK, False, _use_book),
    Option("Book File", STRING, DEFAULT_BOOK, _open_book),
    Option("Best Book Move", CHECK, False, _book_setting("takes_best")),
    Option("Book Depth", SPIN, DEFAULT_BOOK_DEPTH, _book_setting("depth"), 1, DEFAULT_BOOK_DEPTH),
    Option("UCI_AnalyseMode", CHECK, False, _setting("analyse_mode")),
    Option("UCI_Opponent", STRING, "", Session.note_opponent, read=_read_opponent),
    Option("UCI_EngineAbout", STRING, ABOUT, _ignore),
    Option("UCI_ShowCurrLine", CHECK, False, _setting("shows_current_lines")),
    Option("UCI_ShowRefutations", CHECK, False, _setting("shows_refutations")),
    Option("UCI_SetPositionValue", STRING, "", _apply_position_value, read=_read_position_value),
)

# Options of the UCI standard that this engine does not have, and why.
UNSUPPORTED = {
    "nalimovpath": "Nalimov tablebases are not read",
    "nalimovcache": "Nalimov tablebases are not read, so they need no cache",
    "uci_shredderbasespath": "Shredder's tablebases are not read",
}


def _tunable_option(tunable: Tunable) -> Option:
    """A parameter of the search as an option, for the tuner; not listed."""

    def apply(session: Session, value: int) -> None:
        session.engine.set_tunable(tunable.name, value)

    return Option(tunable.name, SPIN, tunable.default, apply, tunable.low, tunable.high)


_BY_NAME = {
    option.name.lower(): option
    for option in (*OPTIONS, *(_tunable_option(tunable) for tunable in TUNABLES))
}


def parse_bounded(text: str, option_name: str, subject: str) -> int:
    """A number within an option's bounds, for a command that takes one in its place. UciError
    begins with the subject."""
    option = option_named(option_name)
    value = parse_integer(text, option.low, option.high)
    if value is None:
        expected = f"expected a number from {option.low} to {option.high}"
        raise UciError(f"{subject} {quoted(text)}, {expected}")
    return value


def option_named(name: str) -> Option:
    """The option of that name, whatever its case. UciError for an unknown one."""
    option = _BY_NAME.get(name.lower())
    if name.lower() in UNSUPPORTED:
        raise UciError(f"option {name} has no effect: {UNSUPPORTED[name.lower()]}")
    if option is None:
        raise UciError(f"unknown option {quoted(name)}")
    return option
