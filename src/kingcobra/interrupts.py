# SPDX-License-Identifier: GPL-3.0-or-later
"""How Ctrl-C ends the process: without a traceback, from the first import to the last line."""

import os
import signal
from collections.abc import Callable
from types import FrameType

from kingcobra.exit_codes import EXIT_INTERRUPTED

Handler = Callable[[int, FrameType | None], None]


def exit_on_interrupt() -> None:
    """From now on Ctrl-C ends the process without a message. For times when nothing can be lost:
    KeyboardInterrupt during an import, or while Python shuts down, would print a traceback. A
    process that was started with interrupts ignored keeps ignoring them."""
    _replace(signal.default_int_handler, _exit)


def raise_on_interrupt() -> None:
    """From now on Ctrl-C raises KeyboardInterrupt again."""
    _replace(_exit, signal.default_int_handler)


def _replace(expected: Handler, handler: Handler) -> None:
    if signal.getsignal(signal.SIGINT) is expected:
        signal.signal(signal.SIGINT, handler)


def _exit(_number: int, _frame: FrameType | None) -> None:
    os._exit(EXIT_INTERRUPTED)
