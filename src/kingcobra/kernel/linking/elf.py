# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading an ELF object file for 64-bit x86, as the compiler writes it on Linux.

Only what linking needs: sections, symbols, relocations. The numbers are those of the System V
specification and its supplement for x86-64.
"""

from struct import Struct, error
from typing import NamedTuple

# ELF, 64 bits, little-endian, version 1.
_IDENTITY = b"\x7fELF\x02\x01\x01"
_RELOCATABLE, _X86_64 = 1, 62
_FILE_HEADER = Struct("<16s2HI3QI6H")
_SECTION_HEADER = Struct("<2I4Q2I2Q")
_SYMBOL = Struct("<I2BH2Q")
_RELOCATION = Struct("<QIIq")

NO_SECTION = 0
_SYMBOL_TABLE, _RELOCATIONS, _NO_BITS = 2, 4, 8

WRITABLE, LOADED, EXECUTABLE = 0x1, 0x2, 0x4
THREAD_LOCAL = 0x400


class LinkError(Exception):
    """An object file that cannot be linked here; the message says why."""


class Section(NamedTuple):
    """A section; `contents` are empty if it is all zeros."""

    name: str
    flags: int
    size: int
    alignment: int
    contents: bytes


class Symbol(NamedTuple):
    """A place in a section; `section` is NO_SECTION if another file defines it."""

    name: str
    section: int
    offset: int


class Relocation(NamedTuple):
    """A place in a section that must be changed when it is known where things lie."""

    section: int
    offset: int
    kind: int
    symbol: int
    addend: int


class ElfObject(NamedTuple):
    """An object file. Sections and symbols are referred to by their index."""

    sections: tuple[Section, ...]
    symbols: tuple[Symbol, ...]
    relocations: tuple[Relocation, ...]


class _SectionHeader(NamedTuple):
    name: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int
    entry_size: int


def read_object(data: bytes) -> ElfObject:
    """The parts of an object file. LinkError for any other file and for a damaged one."""
    if not data.startswith(_IDENTITY):
        raise LinkError("not a 64-bit ELF file")
    try:
        return _read(data)
    except (error, IndexError, OverflowError, ValueError) as fault:
        raise LinkError(f"damaged ELF file ({fault})") from fault


def _read(data: bytes) -> ElfObject:
    _, kind, machine, _, _, _, table, _, _, _, _, _, count, names_index = _FILE_HEADER.unpack_from(
        data
    )
    if (kind, machine) != (_RELOCATABLE, _X86_64):
        raise LinkError(f"ELF file of type {kind} for machine {machine}, not x86-64's object file")
    headers = [
        _SectionHeader(*_SECTION_HEADER.unpack_from(data, table + index * _SECTION_HEADER.size))
        for index in range(count)
    ]
    names = _contents(data, headers[names_index])
    sections = tuple(
        Section(
            _text_at(names, header.name),
            header.flags,
            header.size,
            header.alignment,
            _contents(data, header),
        )
        for header in headers
    )
    symbols: tuple[Symbol, ...] = ()
    relocations: list[Relocation] = []
    for header, section in zip(headers, sections, strict=True):
        if header.kind == _SYMBOL_TABLE:
            symbols = _symbols(section.contents, sections[header.link].contents)
        elif header.kind == _RELOCATIONS:
            relocations += _relocations(section.contents, header.info)
    if any(r.section >= count or r.symbol >= len(symbols) for r in relocations):
        raise ValueError("a relocation refers to nothing")
    return ElfObject(sections, symbols, tuple(relocations))


def _contents(data: bytes, header: _SectionHeader) -> bytes:
    if header.kind == _NO_BITS:
        return b""
    contents = data[header.offset : header.offset + header.size]
    if len(contents) != header.size:
        raise ValueError("a section ends behind the file")
    return contents


def _text_at(texts: bytes, offset: int) -> str:
    return texts[offset : texts.index(b"\0", offset)].decode("ascii")


def _symbols(table: bytes, names: bytes) -> tuple[Symbol, ...]:
    return tuple(
        Symbol(_text_at(names, name), section, offset)
        for name, _, _, section, offset, _ in _SYMBOL.iter_unpack(table)
    )


def _relocations(table: bytes, section: int) -> list[Relocation]:
    return [
        Relocation(section, offset, kind, symbol, addend)
        for offset, kind, symbol, addend in _RELOCATION.iter_unpack(table)
    ]
