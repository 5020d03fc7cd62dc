# SPDX-License-Identifier: GPL-3.0-or-later
"""What arguments of commands are, for argparse: each returns a value, or raises with the text that
the user reads."""

import argparse

from kingcobra.core.search.tunables import TUNABLES

LARGEST_AMOUNT = 1e9
LARGEST_INTEGER = 1 << 40


def _integer(text: str, least: int) -> int:
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if not least <= value <= LARGEST_INTEGER:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} on")
    return value


def positive(text: str) -> int:
    """A whole number from 1 on."""
    return _integer(text, 1)


def not_negative(text: str) -> int:
    """A whole number from 0 on."""
    return _integer(text, 0)


def _number(text: str, most: float, what: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= most:
        raise argparse.ArgumentTypeError(f"{text!r} is not {what}")
    return value


def share(text: str) -> float:
    """A share of a whole."""
    return _number(text, 1.0, "a share from 0 to 1")


def amount(text: str) -> float:
    """A number above 0."""
    value = _number(text, LARGEST_AMOUNT, "a number above 0")
    if value == 0:
        raise argparse.ArgumentTypeError("0 is not a number above 0")
    return value


def tunable_value(text: str) -> tuple[str, int]:
    """NAME=VALUE of a tunable."""
    name, _, value = text.partition("=")
    tunable = next((one for one in TUNABLES if one.name == name), None)
    if tunable is None:
        raise argparse.ArgumentTypeError(f"{name!r} is not a tunable")
    if not value.lstrip("-").isdecimal() or not tunable.low <= int(value) <= tunable.high:
        raise argparse.ArgumentTypeError(
            f"{value!r} is not a whole number from {tunable.low} to {tunable.high}"
        )
    return name, int(value)
