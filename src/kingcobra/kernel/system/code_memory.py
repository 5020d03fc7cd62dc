# SPDX-License-Identifier: GPL-3.0-or-later
"""Memory that holds machine code: written first, then made executable, never both at once."""

import ctypes
import mmap
import os
import weakref

from kingcobra.kernel.linking.image import ImageError, ImageLayout

_MAP_FAILED = ctypes.c_void_p(-1).value


class CodeMemory:
    """A copy of an image, ready to run. `addresses` are those of its entry points, valid for as
    long as this object lives. ImageError if the layout is not sound or the C library has not what
    the code calls, OSError if the system refuses such memory."""

    def __init__(self, layout: ImageLayout, contents: bytes, known_imports: frozenset[str]) -> None:
        layout.require_sound(contents, known_imports)
        library = ctypes.CDLL(None, use_errno=True)
        imports = {name: _address_of(library, name) for name in layout.imports}
        start = _writable_memory(library, layout.size)
        # Not when the interpreter ends: a thread may still be running this code.
        weakref.finalize(self, _release, library, start, layout.size).atexit = False
        ctypes.memmove(start, contents, len(contents))
        for name, offset in layout.imports.items():
            ctypes.c_uint64.from_address(start + offset).value = imports[name]
        _protect(library, start, layout.code_bytes, mmap.PROT_READ | mmap.PROT_EXEC)
        _protect(library, start + layout.code_bytes, layout.constant_bytes, mmap.PROT_READ)
        self.addresses = {name: start + offset for name, offset in layout.entries.items()}


def _address_of(library: ctypes.CDLL, name: str) -> int:
    try:
        function = getattr(library, name)
    except AttributeError:
        raise ImageError(f"the C library has no {name}") from None
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _writable_memory(library: ctypes.CDLL, size: int) -> int:
    library.mmap.restype = ctypes.c_void_p
    address = library.mmap(
        None,
        ctypes.c_size_t(size),
        mmap.PROT_READ | mmap.PROT_WRITE,
        mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS,
        -1,
        ctypes.c_int64(0),
    )
    if address == _MAP_FAILED:
        raise _last_error()
    return int(address)


def _protect(library: ctypes.CDLL, address: int, size: int, protection: int) -> None:
    if library.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(size), protection):
        raise _last_error()


def _release(library: ctypes.CDLL, address: int, size: int) -> None:
    library.munmap(ctypes.c_void_p(address), ctypes.c_size_t(size))


def _last_error() -> OSError:
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number))
