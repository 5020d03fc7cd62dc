# SPDX-License-Identifier: GPL-3.0-or-later
"""An image: machine code that runs wherever it is copied to.

It has three parts, each of whole pages: code, constants and data. Code reaches all three by
distance, so only the addresses of the C library's functions are filled in at each start.
"""

from typing import NamedTuple

# x86-64's page; no part shares one with another.
PAGE_BYTES = 4096
ADDRESS_BYTES = 8
# What a 32-bit distance reaches.
MOST_BYTES = 2**31


class ImageError(Exception):
    """A layout that contradicts itself or its bytes; the message says where."""


class ImageLayout(NamedTuple):
    """The sizes of the three parts, and offsets from the start of the image: `entries` are those of
    entry points, `imports` those of the words that hold addresses of C functions."""

    code_bytes: int
    constant_bytes: int
    data_bytes: int
    entries: dict[str, int]
    imports: dict[str, int]

    @property
    def size(self) -> int:
        """The bytes of the image in memory."""
        return self.code_bytes + self.constant_bytes + self.data_bytes

    def require_sound(self, contents: bytes, known_imports: frozenset[str]) -> None:
        """ImageError unless everything lies where it must: entry points in the code, imports among
        the constants, contents inside the image. What contents do not fill is zero."""
        for name, size in zip(self._fields, self[:3], strict=False):
            if not _is_count(size) or size % PAGE_BYTES:
                raise ImageError(f"{name} {size!r}: not whole pages")
        if not 0 < self.size <= MOST_BYTES:
            raise ImageError(f"{self.size} bytes in memory")
        if len(contents) > self.size:
            raise ImageError(f"{len(contents)} bytes stored, {self.size} in memory")
        if not isinstance(self.entries, dict) or not isinstance(self.imports, dict):
            raise ImageError("entry points and imports are not tables")
        for name, offset in self.entries.items():
            if not _is_count(offset) or offset >= self.code_bytes:
                raise ImageError(f"entry point {name} at {offset!r}: outside the code")
        constants_end = self.code_bytes + self.constant_bytes
        for name, offset in self.imports.items():
            if name not in known_imports:
                raise ImageError(f"needs {name}, not one of the C library's functions")
            if not _is_count(offset) or offset % ADDRESS_BYTES:
                raise ImageError(f"address of {name} at {offset!r}: not aligned")
            if not self.code_bytes <= offset <= constants_end - ADDRESS_BYTES:
                raise ImageError(f"address of {name} at {offset}: outside the constants")


def _is_count(number: object) -> bool:
    return type(number) is int and number >= 0
