# SPDX-License-Identifier: GPL-3.0-or-later
"""The one table of options: what `uci` lists and `setoption` accepts. Those of the engine, in
`engine/options.py`, and those of a session."""

from typing import Any

from kingcobra.engine.options import (
    CHECK,
    KNOWLEDGE_OPTIONS,
    REPORT_OPTIONS,
    SEARCH_OPTIONS,
    STRING,
    TUNABLE_OPTIONS,
    Apply,
    Option,
)
from kingcobra.text_values import parse_integer, quoted
from kingcobra.uci.protocol import UciError
from kingcobra.uci.session import Session
from kingcobra.version import ABOUT


def _read_opponent(text: str) -> Any:
    from kingcobra.uci.opponent import parse_opponent  # rarely set

    return parse_opponent(text)


def _read_position_value(text: str) -> Any:
    from kingcobra.uci.position_value import parse_position_value  # rarely set

    return parse_position_value(text)


def _apply_position_value(session: Session, value: Any) -> None:
    from kingcobra.uci.position_value import apply_position_value

    apply_position_value(session.engine, value)


def _ignore(_session: Session, _value: str) -> None:
    """The option is only there to be read."""


def _display(name: str) -> Apply:
    """Assigns an attribute of the session: what is shown, not what is searched."""
    return lambda session, value: setattr(session, name, value)


def _of_engine(option: Option) -> Option:
    """An option of the engine as one of its session."""
    return option._replace(apply=lambda session, value: option.apply(session.engine, value))


# Those of Stockfish in its order, then those of the UCI standard.
OPTIONS = (
    Option("Debug Log File", STRING, "", Session.set_log),
    *map(_of_engine, SEARCH_OPTIONS),
    Option("UCI_ShowWDL", CHECK, False, _display("shows_wdl")),
    *map(_of_engine, KNOWLEDGE_OPTIONS),
    Option("UCI_Opponent", STRING, "", Session.note_opponent, read=_read_opponent),
    Option("UCI_EngineAbout", STRING, ABOUT, _ignore),
    *map(_of_engine, REPORT_OPTIONS),
    Option("UCI_SetPositionValue", STRING, "", _apply_position_value, read=_read_position_value),
)

# Options of the UCI standard that this engine does not have, and why.
UNSUPPORTED = {
    "nalimovpath": "Nalimov tablebases are not read",
    "nalimovcache": "Nalimov tablebases are not read, so they need no cache",
    "uci_shredderbasespath": "Shredder's tablebases are not read",
}


_BY_NAME = {option.name.lower(): option for option in (*OPTIONS, *map(_of_engine, TUNABLE_OPTIONS))}


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
