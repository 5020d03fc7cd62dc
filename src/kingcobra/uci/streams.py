# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines in and lines out. Both bypass Python's buffered files: nothing waits in a buffer, and a
thread that blocks in a read never delays the end of the process."""

import os
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kingcobra.uci.debug_log import DebugLog

STDIN, STDOUT = 0, 1
READ_BYTES = 65_536


class Output:
    """Writes whole lines, from any thread. A closed pipe is not an error: from then on lines are
    dropped and `closed` is true."""

    def __init__(self, descriptor: int = STDOUT) -> None:
        self._descriptor = descriptor
        self._lock = threading.Lock()
        self._log: DebugLog | None = None
        self.closed = False

    def send(self, text: str) -> None:
        """One line or several."""
        data = memoryview(text.encode(errors="replace") + b"\n")
        with self._lock:
            if self._log is not None:
                self._log.write_output(text)
            while data and not self.closed:
                try:
                    data = data[os.write(self._descriptor, data) :]
                except BlockingIOError:
                    _wait_until_ready(self._descriptor, to_write=True)
                except OSError:
                    self.closed = True

    # --- the log, where there is one ------------------------------------------------------------

    def set_log(self, log: "DebugLog | None") -> None:
        """Logs every line from now on; the log before is closed."""
        with self._lock:
            if self._log is not None:
                self._log.close()
            self._log = log

    def log_input(self, line: str) -> None:
        """Logs a line of input."""
        with self._lock:
            if self._log is not None:
                self._log.write_input(line)

    def log_remark(self, text: str) -> None:
        """Logs something that is not sent."""
        with self._lock:
            if self._log is not None:
                self._log.write_remark(text)


def write_stderr(text: str) -> None:
    """Prints lines on stderr; silently dropped if it is closed."""
    try:
        print(text, file=sys.stderr, flush=True)
    except (OSError, ValueError, AttributeError):
        return


def print_warning(text: str) -> None:
    """Prints one line on stderr, for a user at a terminal."""
    write_stderr(f"kingcobra: {text}")


def _wait_until_ready(descriptor: int, to_write: bool) -> None:
    """For a descriptor that another process has made non-blocking, which is possible on a shared
    terminal."""
    import select  # rarely needed

    ready = [descriptor]
    select.select([] if to_write else ready, ready if to_write else [], [])


def read_lines(
    on_line: Callable[[str], None],
    on_end: Callable[[], None],
    descriptor: int = STDIN,
) -> None:
    """Calls `on_line` with each line of the input, without its line end, then `on_end`."""
    pending = b""
    while True:
        try:
            chunk = os.read(descriptor, READ_BYTES)
        except BlockingIOError:
            _wait_until_ready(descriptor, to_write=False)
            continue
        except OSError:
            chunk = b""
        if not chunk:
            break
        *lines, pending = (pending + chunk).split(b"\n")
        for line in lines:
            on_line(line.decode(errors="replace"))
    if pending:
        on_line(pending.decode(errors="replace"))
    on_end()
