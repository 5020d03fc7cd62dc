# SPDX-License-Identifier: GPL-3.0-or-later
"""Files mapped for reading only, without a descriptor that stays open.

Python's own maps keep one descriptor each, and a user's limit is often a thousand; a private map
of a huge file fails where a shared one does not. So the system is asked directly.
"""

import ctypes
import mmap
import os
from pathlib import Path

from kingcobra.kernel.host import IS_WINDOWS

_MAP_FAILED = ctypes.c_void_p(-1).value
# The same number on Linux and macOS.
_MADV_RANDOM = 1
_PAGE_READONLY, _FILE_MAP_READ = 0x02, 0x04


class FileMap:
    """The bytes of a file from `address` on. OSError when it cannot be opened or mapped; an empty
    file cannot. If a file is cut while it is mapped, reading behind its end ends the process."""

    def __init__(self, path: Path) -> None:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        try:
            self.size = os.fstat(descriptor).st_size
            self.address = _map_of(descriptor, self.size, path)
        finally:
            os.close(descriptor)

    def release(self) -> None:
        """Gives the address space back. Any later use of the address is an error."""
        if self.address:
            _unmap(self.address, self.size)
            self.address = self.size = 0


if IS_WINDOWS:

    def _map_of(descriptor: int, size: int, path: Path) -> int:
        import msvcrt

        kernel = ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined,unused-ignore]
        kernel.CreateFileMappingW.restype = kernel.MapViewOfFile.restype = ctypes.c_void_p
        file = ctypes.c_void_p(msvcrt.get_osfhandle(descriptor))  # type: ignore[attr-defined,unused-ignore]
        mapping = kernel.CreateFileMappingW(file, None, _PAGE_READONLY, 0, 0, None)
        if not mapping:
            raise _windows_error(path)
        try:
            address = kernel.MapViewOfFile(
                ctypes.c_void_p(mapping), _FILE_MAP_READ, 0, 0, ctypes.c_size_t(size)
            )
        finally:
            kernel.CloseHandle(ctypes.c_void_p(mapping))  # the view keeps the mapping
        if not address:
            raise _windows_error(path)
        return int(address)

    def _unmap(address: int, size: int) -> None:  # noqa: ARG001
        ctypes.WinDLL("kernel32").UnmapViewOfFile(ctypes.c_void_p(address))  # type: ignore[attr-defined,unused-ignore]

    def _windows_error(path: Path) -> OSError:
        error: OSError = ctypes.WinError(ctypes.get_last_error())  # type: ignore[attr-defined,unused-ignore]
        error.filename = str(path)
        return error

else:

    def _c_library() -> ctypes.CDLL:
        library = ctypes.CDLL(None, use_errno=True)
        library.mmap.restype = ctypes.c_void_p
        return library

    def _map_of(descriptor: int, size: int, path: Path) -> int:
        library = _c_library()
        address = library.mmap(
            None,
            ctypes.c_size_t(size),
            mmap.PROT_READ,
            mmap.MAP_SHARED,
            descriptor,
            ctypes.c_int64(0),
        )
        if address == _MAP_FAILED:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number), str(path))
        # Blocks are far apart: what lies beside one is not read ahead.
        library.madvise(ctypes.c_void_p(address), ctypes.c_size_t(size), _MADV_RANDOM)
        return int(address)

    def _unmap(address: int, size: int) -> None:
        _c_library().munmap(ctypes.c_void_p(address), ctypes.c_size_t(size))
