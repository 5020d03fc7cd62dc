# SPDX-License-Identifier: GPL-3.0-or-later
"""Telling how a match stands: a live panel on a terminal with rich, plain lines elsewhere."""

import sys
import time
from typing import Any, Protocol

SECONDS_PER_HOUR = 3600
SECONDS_PER_MINUTE = 60
PLAIN_REPORT_S = 60.0
"""Between two plain reports: a log is read later, a terminal now."""


class Told(Protocol):
    """Games, and the lines that tell what they have come to."""

    @property
    def games(self) -> int: ...

    @property
    def is_decided(self) -> bool: ...

    def lines(self) -> list[str]: ...


class Progress:
    """Shows a standing, unless `quiet`. Use as a context; call `show` as often as you like."""

    def __init__(
        self,
        standing: Told,
        total_games: int,
        games_before: int,
        title: str = "Kingcobra match",
        quiet: bool = False,
    ) -> None:
        self._quiet = quiet
        self._title = title
        self._standing = standing
        self._total = total_games
        self._before = games_before
        self._started = time.monotonic()
        self._last_plain = self._started
        self._live: Any = None if quiet else _live_panel()

    def __enter__(self) -> "Progress":
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()
        if self._quiet:
            return
        print("\n".join(self.lines()), flush=True)

    def show(self) -> None:
        """The present standing: at once on a terminal, once a minute in a log."""
        if self._live is not None:
            self._live.update(_panel(self.lines(), self._title), refresh=True)
            return
        if self._quiet:
            return
        now = time.monotonic()
        if now - self._last_plain >= PLAIN_REPORT_S:
            self._last_plain = now
            print("\n".join(self.lines()) + "\n", flush=True)

    def lines(self) -> list[str]:
        """The standing, and how fast it goes on."""
        return [*self._standing.lines(), self._pace()]

    def _pace(self) -> str:
        played = self._standing.games - self._before
        elapsed_s = time.monotonic() - self._started
        left = self._total - self._standing.games
        if played == 0:
            return f"{left} games left"
        pace = f"{played / elapsed_s:.2f} games/s"
        if self._standing.is_decided:
            return f"{pace}, decided {left} games before the last"
        return f"{pace}, {left} games left, {_duration(left * elapsed_s / played)}"


def _duration(seconds: float) -> str:
    hours, rest = divmod(round(seconds), SECONDS_PER_HOUR)
    minutes, seconds_left = divmod(rest, SECONDS_PER_MINUTE)
    return f"{hours}:{minutes:02d}:{seconds_left:02d} h"


def _live_panel() -> Any:
    """rich's live display; None where there is no terminal or no rich."""
    if not sys.stdout.isatty():
        return None
    try:
        from rich.live import Live
    except ImportError:
        return None
    return Live("", auto_refresh=False, transient=True)


def _panel(lines: list[str], title: str) -> Any:
    """The lines in a frame, brackets in names taken as they are."""
    from rich.panel import Panel
    from rich.text import Text

    return Panel(Text("\n".join(lines)), title=title, expand=False)
