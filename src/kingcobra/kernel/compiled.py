# SPDX-License-Identifier: GPL-3.0-or-later
"""The one decorator for compiled functions and the one for entry points.

Where Numba is off both leave the function as it is, so the same source runs as plain Python.
"""

import json
import os
from collections.abc import Callable
from typing import Any, TypeVar

from kingcobra.kernel.mode import EMIT, current_mode, numba_is_on

Function = TypeVar("Function", bound=Callable[..., Any])

ENTRY_MARK = "kingcobra_entry"
# The function of an entry module that makes entry points for given parameters.
SPECIALISE = "specialise"


def numba_options() -> dict[str, Any]:
    """The standard flags. Division by zero and overflow do not raise, and an index is checked
    only when Numba's own NUMBA_BOUNDSCHECK asks for it. What goes into an object has no wrappers
    for calls from Python."""
    is_emitted = current_mode() == EMIT
    return {
        "no_cpython_wrapper": is_emitted,
        "no_cfunc_wrapper": is_emitted,
        "nogil": True,
        "error_model": "numpy",
        "boundscheck": os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0"),
    }


def _switch_off_index_wraparound() -> None:
    """Numba tests every signed index for a negative value so that a[-1] works. No compiled
    function here uses that, and omitting the test is worth 5-12 % of the engine's speed."""
    from numba.core import types
    from numba.np import arrayobj

    def index_as_given(context: Any, builder: Any, idxty: Any, idx: Any, _size: Any) -> Any:
        return context.cast(builder, idx, idxty, types.intp)

    arrayobj.fix_integer_index = index_as_given


if numba_is_on():
    _switch_off_index_wraparound()


def compiled(function: Function) -> Function:
    """Marks a function as part of the compiled core. Arguments are records and 64-bit integers."""
    if not numba_is_on():
        return function
    from numba import njit

    return njit(**numba_options())(function)  # type: ignore[no-any-return]


def entry(function: Function) -> Function:
    """Marks a function that Python calls. It takes and returns 64-bit integers only;
    a record crosses as its address."""
    marked = compiled(function)
    setattr(marked, ENTRY_MARK, True)
    return marked


def entries_of(module: Any, parameters: str = "") -> dict[str, Callable[..., int]]:
    """The entry points defined in a module, by name. With parameters, JSON text, those that its
    function `specialise` makes for them."""
    if parameters:
        made: dict[str, Callable[..., int]] = getattr(module, SPECIALISE)(json.loads(parameters))
        return made
    return {
        name: thing
        for name, thing in vars(module).items()
        if getattr(thing, ENTRY_MARK, False) and thing.__module__ == module.__name__
    }


def argument_count(function: Callable[..., Any]) -> int:
    """How many 64-bit integers an entry point takes."""
    return int(getattr(function, "py_func", function).__code__.co_argcount)
