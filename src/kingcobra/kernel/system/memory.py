# SPDX-License-Identifier: GPL-3.0-or-later
"""Big memory for compiled code: aligned, on huge pages where possible, anonymous or from a file.

Compiled code sees an address; the Memory object owns the bytes and must outlive every use.
"""

import ctypes
import mmap
import os
from pathlib import Path
from typing import TypeVar

from kingcobra.kernel import host
from kingcobra.kernel.system import container

HUGE_PAGE_BYTES = 2 * 1024 * 1024
CACHE_LINE_BYTES = 64

Record = TypeVar("Record", bound=ctypes.Structure)


class OutOfMemory(Exception):
    """Memory that cannot be allocated; the message says how much was requested and is available."""


class Memory:
    """`size` bytes from `address` on. Anonymous memory is zero and takes no room until touched."""

    def __init__(self, region: mmap.mmap, size: int, alignment: int) -> None:
        self._region = region
        self._handle = ctypes.c_char.from_buffer(region)
        start = ctypes.addressof(self._handle)
        self.address = (start + alignment - 1) // alignment * alignment
        self.size = size

    @classmethod
    def anonymous(cls, size: int) -> "Memory":
        """Zeroed memory. OutOfMemory if the machine or the container has less available. That is
        checked first: the system would promise the memory and end the process when it is used."""
        available = available_bytes()
        if available is not None and size > available:
            raise OutOfMemory(f"{size} bytes requested, {available} available")
        alignment = HUGE_PAGE_BYTES if size >= HUGE_PAGE_BYTES else CACHE_LINE_BYTES
        try:
            region = host.anonymous_region(size + alignment)
        except (OSError, ValueError, OverflowError) as error:
            raise OutOfMemory(f"{size} bytes requested: {error}") from error
        if alignment == HUGE_PAGE_BYTES:
            host.advise_huge_pages(region)
        return cls(region, size, alignment)

    @classmethod
    def from_file(cls, path: Path) -> "Memory":
        """The bytes of a file. Processes that map the same file share its pages; writing to them
        changes a private copy and never the file."""
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            region = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        return cls(region, size, CACHE_LINE_BYTES)

    def record(self, structure: type[Record]) -> Record:
        """The start of the memory seen as a record; it does not keep the memory alive."""
        if ctypes.sizeof(structure) > self.size:
            raise ValueError(
                f"{structure.__name__} has {ctypes.sizeof(structure)} bytes, the memory {self.size}"
            )
        return structure.from_address(self.address)

    def clear(self, part: int = 0, parts: int = 1) -> None:
        """Makes all bytes zero again, or those of one of several parts of about the same size.
        Threads may clear parts side by side."""
        start, end = self.size * part // parts, self.size * (part + 1) // parts
        ctypes.memset(self.address + start, 0, end - start)

    def discard(self) -> bool:
        """Gives the pages of anonymous memory back to the system; they are zero when they are
        touched again. False where the system does not do so: then nothing has changed."""
        return host.discard_pages(self._region)

    def release(self) -> None:
        """Gives the memory back. Any later use of the address is an error."""
        del self._handle
        self._region.close()
        self.address = self.size = 0


def available_bytes() -> int | None:
    """What may be allocated; None where the system does not tell."""
    rooms = (host.available_memory_bytes(), container.memory_room_bytes())
    return min((room for room in rooms if room is not None), default=None)
