# SPDX-License-Identifier: GPL-3.0-or-later
"""What the workers of the tests do."""

import os
import threading

PRINT, EXIT, ENDLESS = 0, -1, -2


class RefusedError(Exception):
    """A worker that cannot begin."""


def multiplying(factor):
    """Multiplies tasks; some of them are special."""
    if factor == EXIT:
        os._exit(3)
    if not isinstance(factor, int):
        raise RefusedError(f"{factor} is not a factor")

    def multiply(task):
        if task == PRINT:
            print("printed by a worker")
        if task == EXIT:
            os._exit(3)
        if task == ENDLESS:
            threading.Event().wait()
        return factor * task

    return multiply
