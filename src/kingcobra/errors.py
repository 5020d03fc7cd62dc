# SPDX-License-Identifier: GPL-3.0-or-later
"""What went wrong, in one line for a user. Every room may import it: it costs a start nothing."""


def reason_of(error: Exception) -> str:
    """The system's own words, without its number and without the file; else all that is said."""
    return getattr(error, "strerror", None) or str(error)


def line_of(error: Exception) -> str:
    """The reason, its file in front."""
    reason, file = reason_of(error), getattr(error, "filename", None)
    return reason if file is None else f"{file}: {reason}"
