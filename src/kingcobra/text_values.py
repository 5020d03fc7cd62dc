# SPDX-License-Identifier: GPL-3.0-or-later
"""Small pieces of text as values, and back in messages. Every package may import this module: it
costs nothing at start-up."""

QUOTED_CHARACTERS = 40


def parse_integer(text: str, low: int, high: int) -> int | None:
    """The integer from `low` to `high` that the text spells in ASCII digits; None for anything
    else. A sign is accepted only where `low` is negative."""
    digits = text[1:] if low < 0 and text[:1] in ("-", "+") else text
    # int() is slow on thousands of digits, and refuses more than that with an error of its own.
    most_digits = max(len(str(abs(low))), len(str(abs(high))))
    if not (digits.isascii() and digits.isdigit()) or len(digits.lstrip("0")) > most_digits:
        return None
    sign = -1 if text[0] == "-" else 1
    value = sign * int(digits.lstrip("0") or "0")
    return value if low <= value <= high else None


def quoted(text: str) -> str:
    """The text in quotes on one line, shortened if it is too long for a message."""
    shown = printable(text[:QUOTED_CHARACTERS])
    if len(text) > QUOTED_CHARACTERS:
        return f"'{shown}…' ({len(text)} characters)"
    return f"'{shown}'"


def printable(text: str) -> str:
    """Text from strangers, without what would break a line or command a terminal."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else "?" for character in text)
