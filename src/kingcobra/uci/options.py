# SPDX-License-Identifier: GPL-3.0-or-later
"""The one table of options: what `uci` lists, what `setoption` accepts, what a change does."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kingcobra.engine import (
    DEFAULT_HASH_MB,
    DEFAULT_OVERHEAD_MS,
    HIGHEST_ELO,
    LOWEST_ELO,
    Engine,
)
from kingcobra.search.skill import FULL_LEVEL
from kingcobra.search.tunables import TUNABLES, Tunable
from kingcobra.uci.position_value import apply_position_value, parse_position_value
from kingcobra.uci.protocol import UciError, quoted

BUTTON, CHECK, SPIN, STRING = "button", "check", "spin", "string"
TRUTH = {"true": True, "false": False}
MAX_HASH_MB = 33_554_432
MAX_THREADS = 1024
MAX_LINES = 256
MAX_OVERHEAD_MS = 5000
MAX_NODESTIME = 10_000


@dataclass(frozen=True)
class Option:
    """One option. `apply` takes the engine and the new value."""

    name: str
    kind: str
    default: bool | int | str
    apply: Callable[[Engine, Any], None]
    low: int = 0
    high: int = 0
    read: Callable[[str], Any] = str

    def declaration(self) -> str:
        """The line that `uci` prints."""
        if self.kind == BUTTON:
            return f"option name {self.name} type button"
        default = str(self.default).lower()
        text = f"option name {self.name} type {self.kind} default {default}"
        return f"{text} min {self.low} max {self.high}" if self.kind == SPIN else text

    def parse(self, text: str) -> Any:
        """The value that the text means. UciError says what would have been right."""
        if self.kind == BUTTON:
            return True
        if self.kind == STRING:
            return self.read(text)
        if self.kind == CHECK:
            if text.lower() not in TRUTH:
                raise UciError(f"option {self.name}: {quoted(text)}, expected true or false")
            return TRUTH[text.lower()]
        digits = text.removeprefix("-")
        is_number = digits.isascii() and digits.isdigit() and len(digits) <= len(str(self.high))
        if not is_number or not self.low <= int(text) <= self.high:
            raise UciError(
                f"option {self.name}: {quoted(text)},"
                f" expected a number from {self.low} to {self.high}"
            )
        return int(text)


OPTIONS = (
    Option("Threads", SPIN, 1, Engine.set_threads, 1, MAX_THREADS),
    Option("Hash", SPIN, DEFAULT_HASH_MB, Engine.set_hash_mb, 1, MAX_HASH_MB),
    Option("Clear Hash", BUTTON, False, lambda engine, _pressed: engine.clear_hash()),
    Option("Ponder", CHECK, False, Engine.set_may_ponder),
    Option("MultiPV", SPIN, 1, Engine.set_lines, 1, MAX_LINES),
    Option("Skill Level", SPIN, FULL_LEVEL, Engine.set_skill_level, 0, FULL_LEVEL),
    Option("Move Overhead", SPIN, DEFAULT_OVERHEAD_MS, Engine.set_overhead_ms, 0, MAX_OVERHEAD_MS),
    Option("nodestime", SPIN, 0, Engine.set_nodestime, 0, MAX_NODESTIME),
    Option("UCI_Chess960", CHECK, False, Engine.set_chess960),
    Option("UCI_LimitStrength", CHECK, False, Engine.set_limits_strength),
    Option("UCI_Elo", SPIN, LOWEST_ELO, Engine.set_elo, LOWEST_ELO, HIGHEST_ELO),
    Option("UCI_ShowWDL", CHECK, False, Engine.set_shows_wdl),
    Option("UCI_ShowCurrLine", CHECK, False, Engine.set_shows_current_line),
    Option("UCI_ShowRefutations", CHECK, False, Engine.set_shows_refutations),
    Option("UCI_SetPositionValue", STRING, "", apply_position_value, read=parse_position_value),
)


def _tunable_option(tunable: Tunable) -> Option:
    """A parameter of the search as an option: not listed, but there for the tuner."""

    def apply(engine: Engine, value: int) -> None:
        engine.pool.set_tunable(tunable.name, value)

    return Option(tunable.name, SPIN, tunable.default, apply, tunable.low, tunable.high)


_BY_NAME = {
    option.name.lower(): option
    for option in (*OPTIONS, *(_tunable_option(tunable) for tunable in TUNABLES))
}


def option_named(name: str) -> Option:
    """The option of that name, whatever its case. UciError for an unknown one."""
    option = _BY_NAME.get(name.lower())
    if option is None:
        raise UciError(f"unknown option {quoted(name)}")
    return option
