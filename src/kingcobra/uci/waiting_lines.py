# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines of input that wait for their turn, however many there are."""

from collections import deque
from collections.abc import Iterator

from kingcobra.uci.commands.table import QUIT, STARTS_WORK, command_word, is_measurement


class WaitingLines:
    """A queue that answers two questions at once, without looking at every line each time."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque()
        self._work_lines = 0
        # The first `quit` or measurement; empty while there is none.
        self._decisive = ""

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def append(self, line: str) -> None:
        """Adds a line at the end."""
        self._lines.append(line)
        self._work_lines += _starts_work(line)
        if not self._decisive and _is_decisive(line):
            self._decisive = line

    def popleft(self) -> str:
        """Takes the first line out."""
        line = self._lines.popleft()
        self._work_lines -= _starts_work(line)
        if line is self._decisive:
            self._decisive = next(filter(_is_decisive, self._lines), "")
        return line

    @property
    def quit_waits(self) -> bool:
        """Whether `quit` is among the lines, and no measurement before it."""
        return command_word(self._decisive) == QUIT

    @property
    def work_waits(self) -> bool:
        """Whether a line is among them that sets the engine to work."""
        return self._work_lines > 0


def _starts_work(line: str) -> bool:
    return command_word(line) in STARTS_WORK


def _is_decisive(line: str) -> bool:
    return command_word(line) == QUIT or is_measurement(line)
