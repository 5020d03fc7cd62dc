# SPDX-License-Identifier: GPL-3.0-or-later
"""Text to values: pure functions over the words of a command."""

from typing import NamedTuple

from kingcobra.board.fen import START_FEN
from kingcobra.text_values import quoted

__all__ = [
    "PositionCommand",
    "SetOptionCommand",
    "UciError",
    "internal_error",
    "parse_position",
    "parse_setoption",
]


class UciError(ValueError):
    """A command that cannot be executed; the message is what the user sees."""


def internal_error(place: str, error: Exception) -> str:
    """The one line for an error that is the engine's own."""
    return f"error: internal, {place}: {type(error).__name__}: {error}"


class PositionCommand(NamedTuple):
    """`position`: where the game began and the moves since."""

    fen: str
    moves: tuple[str, ...]


class SetOptionCommand(NamedTuple):
    """`setoption`: a name and, buttons apart, a value."""

    name: str
    value: str


def parse_position(words: list[str]) -> PositionCommand:
    """`startpos moves e2e4` or `fen … moves …`, without the word `position`."""
    if "moves" in words:
        at = words.index("moves")
        words, moves = words[:at], words[at + 1 :]
    else:
        moves = []
    if not words or words[0] not in ("startpos", "fen"):
        found = quoted(words[0]) if words else "nothing"
        raise UciError(f"position: {found} given, expected startpos or fen")
    if words[0] == "fen":
        return PositionCommand(" ".join(words[1:]), tuple(moves))
    if len(words) > 1:
        raise UciError(f"position: {quoted(words[1])} after startpos, expected moves")
    return PositionCommand(START_FEN, tuple(moves))


def parse_setoption(text: str) -> SetOptionCommand:
    """`name Clear Hash` or `name Hash value 64`, without the word `setoption`. Blanks inside the
    value stay as they are."""
    words = text.split()
    if not words or words[0] != "name":
        raise UciError("setoption: expected 'setoption name <name> [value <value>]'")
    at = words.index("value") if "value" in words else len(words)
    name = " ".join(words[1:at])
    if not name:
        raise UciError("setoption: the name is missing")
    value = text.split(None, at + 1)[at + 1 :]
    return SetOptionCommand(name, "".join(value).strip())
