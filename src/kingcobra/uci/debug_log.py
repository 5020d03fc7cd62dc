# SPDX-License-Identifier: GPL-3.0-or-later
"""The log of the option `Debug Log File`: every line in and out, in order."""

import os

# Without O_NONBLOCK a pipe that nobody reads would block the engine.
OPEN_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0)
READABLE_BY_ALL = 0o666

TO_ENGINE, FROM_ENGINE, REMARK = ">>", "<<", "--"


class DebugLog:
    """Appends lines to a file, unbuffered, so they survive a crash. OSError if the file cannot be
    opened; a line that cannot be written later is silently dropped."""

    def __init__(self, path: str) -> None:
        self._descriptor = os.open(path, OPEN_FLAGS, READABLE_BY_ALL)

    def write_input(self, text: str) -> None:
        """Lines that the engine has read."""
        self._write(TO_ENGINE, text)

    def write_output(self, text: str) -> None:
        """Lines that the engine has sent."""
        self._write(FROM_ENGINE, text)

    def write_remark(self, text: str) -> None:
        """Lines for debugging that were not sent."""
        self._write(REMARK, text)

    def _write(self, mark: str, text: str) -> None:
        """Writes each line of the text behind the mark."""
        lines = "".join(f"{mark} {line}\n" for line in text.split("\n"))
        data = lines.encode(errors="replace")
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except OSError:
            return

    def close(self) -> None:
        """Closes the file."""
        os.close(self._descriptor)
