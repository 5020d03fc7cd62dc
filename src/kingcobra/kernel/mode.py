# SPDX-License-Identifier: GPL-3.0-or-later
"""How compiled code runs in this process.

object   the normal way: machine code is loaded from a cached object, Numba is never imported
jit      Numba compiles inside this process: for debugging and Numba's bounds check
plain    nothing is compiled, the functions run as the Python they are: NUMBA_DISABLE_JIT=1
emit     the child process that writes an object: kernel.emit alone sets it
"""

import os

MODE_VARIABLE = "KINGCOBRA_KERNEL"

OBJECT, JIT, PLAIN, EMIT = "object", "jit", "plain", "emit"
MODES = (OBJECT, JIT, PLAIN, EMIT)


def current_mode() -> str:
    """The mode of this process. ValueError names an unknown one in the environment."""
    chosen = _wanted_mode()
    if chosen not in MODES:
        raise ValueError(f"{MODE_VARIABLE}={chosen!r}, expected one of {', '.join(MODES)}")
    return chosen


def numba_is_on() -> bool:
    """Whether functions marked as compiled are handed to Numba in this process. Called while
    modules are imported, so it never raises: an unknown mode is reported when an object is
    obtained."""
    return _wanted_mode() in (JIT, EMIT)


def _wanted_mode() -> str:
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return PLAIN
    return os.environ.get(MODE_VARIABLE) or OBJECT
