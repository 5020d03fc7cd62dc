# SPDX-License-Identifier: GPL-3.0-or-later
"""The log that `Debug Log File` asks for: what was said, by whom, in order."""

import os

# Without O_NONBLOCK a pipe that nobody reads would hold the engine up.
OPEN_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0)
READABLE_BY_ALL = 0o666

TO_ENGINE, FROM_ENGINE, REMARK = ">>", "<<", "--"


class DebugLog:
    """Adds lines to the end of a file, at once, so that they are there whatever happens to the
    process next. Raises OSError when the file cannot be opened; what cannot be written later is
    lost quietly, the conversation goes on without it."""

    def __init__(self, path: str) -> None:
        self._descriptor = os.open(path, OPEN_FLAGS, READABLE_BY_ALL)

    def write_input(self, text: str) -> None:
        """What the user or the GUI has said."""
        self._write(TO_ENGINE, text)

    def write_output(self, text: str) -> None:
        """What the engine has said."""
        self._write(FROM_ENGINE, text)

    def write_remark(self, text: str) -> None:
        """What the engine does and nobody was told."""
        self._write(REMARK, text)

    def _write(self, mark: str, text: str) -> None:
        """Every line of the text with its mark."""
        lines = "".join(f"{mark} {line}\n" for line in text.split("\n"))
        data = lines.encode(errors="replace")
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except OSError:
            return

    def close(self) -> None:
        """Nothing is written from now on."""
        os.close(self._descriptor)
