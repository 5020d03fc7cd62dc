# SPDX-License-Identifier: GPL-3.0-or-later
"""Progress of a match: a live panel on a terminal if rich is installed, else plain lines."""

import sys
import time
from typing import Any, Protocol

SECONDS_PER_HOUR = 3600
SECONDS_PER_MINUTE = 60
PLAIN_REPORT_S = 60.0
"""Between two reports in plain lines, as for a log."""


class ProgressSource(Protocol):
    """Games with a result to show."""

    @property
    def games(self) -> int: ...

    @property
    def is_decided(self) -> bool: ...

    def lines(self) -> list[str]: ...


class Progress:
    """Shows the present result unless `quiet`. Use it as a context; `show` may be called often."""

    def __init__(
        self,
        source: ProgressSource,
        total_games: int,
        games_before: int,
        title: str = "Kingcobra match",
        quiet: bool = False,
    ) -> None:
        self._quiet = quiet
        self._title = title
        self._source = source
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
        """Shows the result: at once on a terminal, once a minute elsewhere."""
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
        """The result, and the speed."""
        return [*self._source.lines(), self._pace()]

    def _pace(self) -> str:
        played = self._source.games - self._before
        elapsed_s = time.monotonic() - self._started
        left = self._total - self._source.games
        if played == 0:
            return f"{left} games left"
        pace = f"{played / elapsed_s:.2f} games/s"
        if self._source.is_decided:
            return f"{pace}, decided {left} games before the last"
        return f"{pace}, {left} games left, {_duration(left * elapsed_s / played)}"


def _duration(seconds: float) -> str:
    hours, rest = divmod(round(seconds), SECONDS_PER_HOUR)
    minutes, seconds_left = divmod(rest, SECONDS_PER_MINUTE)
    return f"{hours}:{minutes:02d}:{seconds_left:02d} h"


def _live_panel() -> Any:
    """The live display of rich; None without a terminal or without rich."""
    if not sys.stdout.isatty():
        return None
    try:
        from rich.live import Live
    except ImportError:
        return None
    return Live("", auto_refresh=False, transient=True)


def _panel(lines: list[str], title: str) -> Any:
    """The lines in a frame; brackets in names are not markup."""
    from rich.panel import Panel
    from rich.text import Text

    return Panel(Text("\n".join(lines)), title=title, expand=False)
