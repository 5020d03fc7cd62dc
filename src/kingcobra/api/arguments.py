# SPDX-License-Identifier: GPL-3.0-or-later
"""Arguments of the API, checked. One of the wrong type is a TypeError, one of the right type with a
wrong value a ValueError; the message names the value."""

import operator
import reprlib
from collections.abc import Iterable

from kingcobra.board.fen import square_number
from kingcobra.core.rules.basics import SQUARES
from kingcobra.text_values import quoted

# As python-chess names it.
STANDARD_VARIANT = "chess"
MANY_EXPECTED = "several positions, such as a list of boards or FENs"


def square_of(square: int | str) -> int:
    """The number of a square given by number or name."""
    if isinstance(square, str):
        found = square_number(square)
        if found is None:
            raise ValueError(f"square {quoted(square)}, expected a1 to h8")
        return found
    number = integer(square, "square", "an integer or a name such as 'e4'")
    if not 0 <= number < SQUARES:
        raise ValueError(f"square {number}, expected 0 (a1) to {SQUARES - 1} (h8)")
    return number


def integer(value: object, name: str, expected: str = "an integer") -> int:
    """The value as an integer."""
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise wrong_type(value, name, expected) from None


def require_text(value: object, name: str, expected: str) -> None:
    """TypeError unless the value is text."""
    if not isinstance(value, str):
        raise wrong_type(value, name, expected)


def require_many(values: object, name: str, expected: str) -> None:
    """TypeError for a single value, text too, where several are expected."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise wrong_type(values, name, expected)


def require_bool(value: object, name: str) -> None:
    """TypeError unless the value is True or False."""
    if not isinstance(value, bool):
        raise wrong_type(value, name, "True or False")


def wrong_type(value: object, name: str, expected: str) -> TypeError:
    """The exception for a value of the wrong type."""
    return TypeError(f"{name} {reprlib.repr(value)} ({type(value).__name__}), expected {expected}")
