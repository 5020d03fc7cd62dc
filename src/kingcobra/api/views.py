# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose scores a table has."""

MOVER, WHITE = "mover", "white"
VIEWS = (MOVER, WHITE)


def require_view(view: object) -> None:
    """ValueError for anything but one of VIEWS."""
    if view not in VIEWS:
        raise ValueError(f"view {view!r}, expected one of {', '.join(VIEWS)}")
