# SPDX-License-Identifier: GPL-3.0-or-later
"""What a page asks for: messages as text, checked and turned into values."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from kingcobra.engine.settings import HIGHEST_ELO, LOWEST_ELO
from kingcobra.text_values import quoted
from kingcobra.web.errors import WebError
from kingcobra.web.game_list import MOST_GAMES

MOST_TEXT = 250_000
MOST_LINES = 5
MOST_BASE_S, MOST_INCREMENT_S = 3 * 60 * 60, 180
COLOURS = ("white", "black")
STEPS = ("first", "previous", "next", "last")


class Request(NamedTuple):
    """What to do, and with which values; all of them are of the right type and within limits."""

    action: str
    values: dict[str, Any]


Check = Callable[[object], Any]


def parse_request(text: str) -> Request:
    """A message of a page. WebError names what is wrong with it."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise WebError("the message is not JSON") from None
    if not isinstance(message, dict):
        raise WebError("the message is not an object")
    action = message.pop("do", None)
    if not isinstance(action, str) or action not in FIELDS:
        raise WebError(f"unknown action {quoted(str(action))}")
    fields = FIELDS[action]
    unknown = sorted(set(message) - set(fields))
    if unknown:
        raise WebError(f"{action}: unknown field {quoted(unknown[0])}")
    values = {}
    for name, check in fields.items():
        if name not in message:
            raise WebError(f"{action}: no {name}")
        try:
            values[name] = check(message[name])
        except ValueError as error:
            raise WebError(f"{action}: {name}: {error}") from None
    return Request(action, values)


# --- types of fields ----------------------------------------------------------------------------


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("not a text")
    if len(value) > MOST_TEXT:
        raise ValueError(f"{len(value)} characters, at most {MOST_TEXT}")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("neither true nor false")
    return value


def _number(low: int, high: int) -> Check:
    def check(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise ValueError(f"{quoted(str(value))}, expected a number from {low} to {high}")
        return value

    return check


def _optional(check: Check) -> Check:
    return lambda value: None if value is None else check(value)


def _word(*words: str) -> Check:
    def check(value: object) -> str:
        if value not in words:
            raise ValueError(f"{quoted(str(value))}, expected {' or '.join(words)}")
        return str(value)

    return check


_NODE = _number(0, 1_000_000)

# The fields of each action. `node` is the move that the page showed when it asked.
FIELDS: dict[str, dict[str, Check]] = {
    # A move from a node, as UCI text or SAN.
    "move": {"node": _NODE, "text": _text},
    "go": {"node": _NODE},
    # From the move on the board, not from a node: several quick steps all count.
    "step": {"to": _word(*STEPS)},
    "take back": {},
    "new game": {"chess960": _optional(_number(0, 959))},
    "position": {"fen": _text, "chess960": _flag},
    # What is wrong with a position, for the page that asks.
    "check": {"fen": _text, "chess960": _flag},
    # `is_part`: the text is the beginning of a longer one.
    "load": {"pgn": _text, "is_part": _flag},
    # One of the games that were loaded, numbered from one.
    "choose": {"number": _number(1, MOST_GAMES)},
    # None: no clock.
    "play": {
        "colour": _word(*COLOURS),
        "elo": _optional(_number(LOWEST_ELO, HIGHEST_ELO)),
        "base_s": _optional(_number(1, MOST_BASE_S)),
        "increment_s": _number(0, MOST_INCREMENT_S),
    },
    "resign": {},
    "offer draw": {},
    "analysis": {"on": _flag, "lines": _number(1, MOST_LINES)},
    "inside": {"on": _flag},
    "annotate": {"on": _flag},
}
