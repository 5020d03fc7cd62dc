# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of labelled positions and of games: blocks that stand alone.

A block is a header, JSON text that says where its labels come from, and records. Files can be
concatenated, a killed writer loses its last block at most, and a damaged block is skipped: reading
goes on at the next header.

    magic      8 bytes  b"KCBLOCK1"
    kind       u32      what the records are
    text size  u32      bytes of the JSON text
    data size  u32      bytes of the records
    checksum   u32      CRC-32 of text and records
"""

import json
import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kingcobra.training.data.packed import RECORD, RECORD_BYTES

MAGIC = b"KCBLOCK1"
HEADER = struct.Struct("<8sIIII")
# Kinds: packed positions, or games as training.data.games reads them.
POSITIONS, GAMES = 1, 2
RECORD_SIZES = {POSITIONS: RECORD_BYTES, GAMES: 1}
# What a reader believes of a header: nobody writes larger blocks.
MAX_TEXT_BYTES = 1 << 16
MAX_DATA_BYTES = 1 << 28
# How much is looked through at once for the next header behind a damaged block.
SEARCH_BYTES = 1 << 20


class DataError(Exception):
    """A file that cannot be used at all; the message names it."""


class Block(NamedTuple):
    """Records, and where their labels come from."""

    origin: dict[str, Any]
    records: NDArray[Any]


class DataBlock(NamedTuple):
    """A block of any kind, its records not looked at yet."""

    kind: int
    origin: dict[str, Any]
    data: bytes


def write_block(file: IO[bytes], origin: dict[str, Any], records: NDArray[Any]) -> None:
    """Appends a block of positions as `write_data` does."""
    write_data(file, POSITIONS, origin, np.ascontiguousarray(records, RECORD).tobytes())


def write_data(file: IO[bytes], kind: int, origin: dict[str, Any], data: bytes) -> None:
    """Appends a block. May raise OSError, also where only a part of it finds room."""
    text = json.dumps(origin, sort_keys=True).encode()
    checksum = zlib.crc32(data, zlib.crc32(text))
    rest = memoryview(HEADER.pack(MAGIC, kind, len(text), len(data), checksum) + text + data)
    # An unbuffered file may take less than it is given.
    while rest:
        rest = rest[file.write(rest) :]
    file.flush()


def read_blocks(path: Path, fault: Callable[[str], None]) -> Iterator[Block]:
    """The sound blocks of positions of a file; `fault` hears of damage that is skipped. May raise
    OSError."""
    for kind, origin, data in read_data(path, fault):
        if kind == POSITIONS:
            yield Block(origin, np.frombuffer(data, RECORD))


def read_data(path: Path, fault: Callable[[str], None]) -> Iterator[DataBlock]:
    """The sound blocks of a file, of any kind; `fault` hears of what is skipped. May raise
    OSError."""
    with path.open("rb") as file:
        while True:
            start = file.tell()
            head = file.read(HEADER.size)
            if not head:
                return
            block = _block_behind(file, head)
            if block is not None:
                yield block
                continue
            found = _next_header(file, start + 1)
            end = file.seek(0, 2) if found is None else found
            fault(f"{path}: {end - start} bytes at offset {start} are damaged, skipped")
            if found is None:
                return
            file.seek(found)


def _block_behind(file: IO[bytes], head: bytes) -> DataBlock | None:
    if len(head) < HEADER.size:
        return None
    magic, kind, text_size, data_size, checksum = HEADER.unpack(head)
    plausible = (
        magic == MAGIC
        and kind in RECORD_SIZES
        and text_size <= MAX_TEXT_BYTES
        and data_size <= MAX_DATA_BYTES
        and data_size % RECORD_SIZES[kind] == 0
    )
    if not plausible:
        return None
    text, data = file.read(text_size), file.read(data_size)
    if len(data) < data_size or zlib.crc32(data, zlib.crc32(text)) != checksum:
        return None
    try:
        origin = json.loads(text)
    except ValueError:
        return None
    return DataBlock(kind, origin, data)


def _next_header(file: IO[bytes], offset: int) -> int | None:
    """Where the next magic begins at or behind an offset."""
    carried = b""
    file.seek(offset)
    while True:
        part = file.read(SEARCH_BYTES)
        if not part:
            return None
        window = carried + part
        place = window.find(MAGIC)
        if place >= 0:
            return offset - len(carried) + place
        carried = window[-(len(MAGIC) - 1) :]
        offset += len(part)
