# SPDX-License-Identifier: GPL-3.0-or-later
"""How Ctrl-C ends the process: without a traceback, from the first import to the last line."""

import os
import signal
from collections.abc import Callable
from types import FrameType

from kingcobra.exit_codes import EXIT_INTERRUPTED

Handler = Callable[[int, FrameType | None], None]


def leave_at_once() -> None:
    """From now on Ctrl-C ends the process without a word. For times at which nothing can be lost: a
    KeyboardInterrupt inside an import, or while Python takes itself down, would be a traceback. Who
    was started with interrupts ignored goes on ignoring them."""
    _replace(signal.default_int_handler, _leave)


def raise_again() -> None:
    """From now on Ctrl-C is KeyboardInterrupt again."""
    _replace(_leave, signal.default_int_handler)


def _replace(expected: Handler, handler: Handler) -> None:
    if signal.getsignal(signal.SIGINT) is expected:
        signal.signal(signal.SIGINT, handler)


def _leave(_number: int, _frame: FrameType | None) -> None:
    os._exit(EXIT_INTERRUPTED)
