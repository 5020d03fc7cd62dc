# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors as one line for the user. Every package may import this module: it costs nothing at
start-up."""


class KingcobraError(Exception):
    """What the API raises for a value that it cannot use, or for work that failed."""


def reason_of(error: Exception) -> str:
    """The system's own message, without error number and file name; else the whole message."""
    return getattr(error, "strerror", None) or str(error)


def line_of(error: Exception) -> str:
    """The reason, with the file name in front if there is one."""
    reason, file = reason_of(error), getattr(error, "filename", None)
    return reason if file is None else f"{file}: {reason}"


def not_installed(library: str, extra: str) -> str:
    """What to say of a library that is missing: it comes with an extra of this package."""
    return (
        f"{library} is not installed; it comes with the extra {extra!r}: "
        f"pip install -e '.[{extra}]' in a clone"
    )


def first_line(error: Exception) -> str:
    """The first line of a long message, which says what is wrong."""
    return str(error).strip().partition("\n")[0] or type(error).__name__
