# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of the engine: names, kinds, bounds, and what a change does.

UCI and the API offer the same ones; what is about a session alone is in `uci/options.py`.
"""

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
from kingcobra.networks.default_network import DEFAULT_NETWORK
from kingcobra.text_values import parse_integer, quoted

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


class OptionError(ValueError):
    """A value that an option cannot have; the message names both."""


# Puts a value into effect: of an engine or, where UCI adds options, of its session.
Apply = Callable[[Any, Any], None]


class Option(NamedTuple):
    """One option. `read` makes the value of a string option from its text, OptionError if it
    cannot. `may_compile` marks options that may need machine code which has yet to be
    compiled."""

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
        """The value of the text. OptionError says what was expected."""
        if self.kind == BUTTON:
            return True
        if self.kind == STRING:
            return self.read("" if text == EMPTY else text)
        if self.kind == CHECK:
            if text.lower() not in TRUTH:
                raise OptionError(f"option {self.name}: {quoted(text)}, expected true or false")
            return TRUTH[text.lower()]
        if self.kind == COMBO:
            if text.lower() not in self.choices:
                expected = ", ".join(self.choices)
                raise OptionError(f"option {self.name}: {quoted(text)}, expected one of {expected}")
            return text.lower()
        value = parse_integer(text, self.low, self.high)
        if value is None:
            raise OptionError(
                f"option {self.name}: {quoted(text)},"
                f" expected a number from {self.low} to {self.high}"
            )
        return value


def _read_numa_policy(text: str) -> Any:
    from kingcobra.kernel.system import numa  # rarely set

    try:
        policy = numa.parse_policy(text)
    except numa.NumaError as error:
        raise OptionError(
            f"option NumaPolicy: {error}; expected {', '.join(numa.NAMES)},"
            " or CPUs for each node such as 0-3,8:4-7,9"
        ) from None
    if policy.name not in (numa.NONE, numa.AUTO) and not numa.can_bind():
        raise OptionError(f"option NumaPolicy: cannot bind threads on {sys.platform}")
    return policy


def _use_book(engine: SearchEngine, is_used: bool) -> None:
    _change_book("OwnBook", engine.book.use, is_used)


def _open_book(engine: SearchEngine, name: str) -> None:
    _change_book("Book File", engine.book.open, name)


def _change_book(option: str, change: Callable[[Any], None], value: Any) -> None:
    from kingcobra.engine.opening_book import BookError  # most games are played without a book

    try:
        change(value)
    except BookError as error:
        raise OptionError(f"option {option}: {error}") from None


def _book_setting(name: str) -> Apply:
    """Assigns an attribute of the engine's book."""
    return lambda engine, value: setattr(engine.book, name, value)


def _table_setting(name: str) -> Apply:
    """Assigns an attribute of the engine's endgame tables."""
    return lambda engine, value: setattr(engine.tables, name, value)


def _setting(name: str) -> Apply:
    """Assigns one of the engine's settings."""
    return lambda engine, value: setattr(engine.settings, name, value)


# Those of Stockfish in its order, then those of the UCI standard.
SEARCH_OPTIONS = (
    Option("Threads", SPIN, 1, SearchEngine.set_threads, 1, MAX_THREADS),
    Option("Hash", SPIN, DEFAULT_HASH_MB, SearchEngine.set_hash_mb, 1, MAX_HASH_MB),
    Option("Clear Hash", BUTTON, False, lambda engine, _pressed: engine.clear_hash()),
    Option("Ponder", CHECK, False, _setting("may_ponder")),
    Option("MultiPV", SPIN, 1, _setting("lines"), 1, MAX_LINES),
    Option("Skill Level", SPIN, FULL_LEVEL, _setting("skill_level"), 0, FULL_LEVEL),
    Option("Move Overhead", SPIN, DEFAULT_OVERHEAD_MS, _setting("overhead_ms"), 0, MAX_OVERHEAD_MS),
    Option("nodestime", SPIN, 0, SearchEngine.set_nodestime, 0, MAX_NODESTIME),
    Option("UCI_Chess960", CHECK, False, _setting("chess960")),
    Option("UCI_LimitStrength", CHECK, False, _setting("limits_strength")),
    Option("UCI_Elo", SPIN, LOWEST_ELO, _setting("elo"), LOWEST_ELO, HIGHEST_ELO),
)
KNOWLEDGE_OPTIONS = (
    Option("SyzygyPath", STRING, EMPTY, SearchEngine.set_tables),
    Option(
        "SyzygyProbeDepth",
        SPIN,
        DEFAULT_PROBE_DEPTH,
        _table_setting("probe_depth"),
        1,
        MAX_PROBE_DEPTH,
    ),
    Option("Syzygy50MoveRule", CHECK, True, SearchEngine.set_fifty_rule),
    Option("SyzygyProbeLimit", SPIN, MOST_MEN, _table_setting("probe_limit"), 0, MOST_MEN),
    Option("EvalFile", STRING, DEFAULT_NETWORK, SearchEngine.set_network, may_compile=True),
    Option("EvalFileSmall", STRING, EMPTY, SearchEngine.set_small_network, may_compile=True),
    Option(
        "Evaluation",
        COMBO,
        NNUE,
        SearchEngine.set_evaluation,
        choices=MODES,
        may_compile=True,
    ),
    Option(
        "NumaPolicy",
        STRING,
        "auto",
        SearchEngine.set_numa_policy,
        read=_read_numa_policy,
    ),
    Option("OwnBook", CHECK, False, _use_book),
    Option("Book File", STRING, DEFAULT_BOOK, _open_book),
    Option("Best Book Move", CHECK, False, _book_setting("takes_best")),
    Option("Book Depth", SPIN, DEFAULT_BOOK_DEPTH, _book_setting("depth"), 1, DEFAULT_BOOK_DEPTH),
    Option("UCI_AnalyseMode", CHECK, False, _setting("analyse_mode")),
)
REPORT_OPTIONS = (
    Option("UCI_ShowCurrLine", CHECK, False, _setting("shows_current_lines")),
    Option("UCI_ShowRefutations", CHECK, False, _setting("shows_refutations")),
)


def tunable_option(tunable: Tunable) -> Option:
    """A parameter of the search as an option, for the tuner; not listed."""

    def apply(engine: SearchEngine, value: int) -> None:
        engine.set_tunable(tunable.name, value)

    return Option(tunable.name, SPIN, tunable.default, apply, tunable.low, tunable.high)


TUNABLE_OPTIONS = tuple(tunable_option(tunable) for tunable in TUNABLES)
