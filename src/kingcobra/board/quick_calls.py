# SPDX-License-Identifier: GPL-3.0-or-later
"""Short calls into compiled code, and the memory that they work with.

A call by an object's own functions converts each argument and lets other threads run meanwhile,
which takes longer than reading a FEN does. A quick call does neither: it takes references
(ctypes.byref), arrays, bytes and integers of 32 bits as they are, in about a quarter of the time.
It is for entry points of core/notation: these expect no more than 32 bits.
"""

import ctypes
import threading
from collections.abc import Callable
from functools import cache
from typing import Any

from kingcobra.core.notation.layout import MOVES_BYTES
from kingcobra.core.rules.layout import MoveList, Setup
from kingcobra.kernel.mode import OBJECT, current_mode
from kingcobra.kernel.objects import LoadedObject

Call = Callable[..., int]

# Not a byte of the text that compiled code reads: stands for every character that is not ASCII.
STAND_IN = "\x01"


class QuickCalls:
    """Entry points of a core as quick calls, by name; made when they are first used."""

    def __init__(self, core: LoadedObject) -> None:
        self._core = core

    def __getattr__(self, name: str) -> Call:
        call = _quick_call(self._core, name)
        setattr(self, name, call)
        return call


@cache
def quick_calls(core: LoadedObject) -> QuickCalls:
    """The quick calls of a core."""
    return QuickCalls(core)


def _quick_call(core: LoadedObject, name: str) -> Call:
    function = getattr(core, name)  # AttributeError names what is missing
    if current_mode() == OBJECT:
        return ctypes.PYFUNCTYPE(ctypes.c_int64)(core.addresses[name])
    return lambda *arguments: function(*map(_as_integer, arguments))


def _as_integer(argument: Any) -> int:
    """What the machine code would see."""
    if isinstance(argument, int):
        return argument
    if isinstance(argument, bytes):
        return address_of(argument)
    return ctypes.addressof(getattr(argument, "_obj", argument))


def address_of(data: bytes) -> int:
    """Where the bytes are, as long as they are kept."""
    return ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0


# --- memory -----------------------------------------------------------------------------------


class Workspace:
    """Memory of one thread for calls whose results are read at once."""

    def __init__(self) -> None:
        self._setup = Setup()
        self.setup = ctypes.byref(self._setup)
        self.move_list = MoveList()
        self.moves = ctypes.byref(self.move_list)
        self.moves_address = ctypes.addressof(self.move_list)
        self.text_buffer: Any = ctypes.create_string_buffer(MOVES_BYTES)
        self.text = ctypes.byref(self.text_buffer)

    def written(self, count: int) -> str:
        """The text that compiled code has just written."""
        return self.text_buffer[:count].decode("ascii")


class _Local(threading.local):
    """Each thread finds a workspace of its own here."""

    def __init__(self) -> None:
        self.space = Workspace()


LOCAL = _Local()


def ascii_bytes(text: str) -> bytes:
    """One byte for each character: its own for ASCII, a blank for other blanks, STAND_IN for the
    rest."""
    try:
        return text.encode("ascii")
    except UnicodeEncodeError:
        return "".join(map(_stand_in, text)).encode("ascii")


def _stand_in(character: str) -> str:
    if character.isascii():
        return character
    return " " if character.isspace() else STAND_IN
