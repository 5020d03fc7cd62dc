# SPDX-License-Identifier: GPL-3.0-or-later
"""Linking an object file into an image, once, when it is compiled.

Sections are put one behind the other and every distance between them is filled in. A C function
is called through a jump that reads its address from a word among the constants. Whatever needs
more than that raises LinkError, and LLVM links the object file at each start instead.
"""

from collections.abc import Iterable
from struct import Struct
from typing import NamedTuple

from kingcobra.kernel.linking.elf import (
    EXECUTABLE,
    LOADED,
    NO_SECTION,
    THREAD_LOCAL,
    WRITABLE,
    ElfObject,
    LinkError,
    Relocation,
    Section,
    read_object,
)
from kingcobra.kernel.linking.image import ADDRESS_BYTES, MOST_BYTES, PAGE_BYTES, ImageLayout

# R_X86_64_PC32 and PLT32: a 32-bit distance from the place to the symbol. The second is a call.
DISTANCE, CALL_DISTANCE = 2, 4
_DISTANCE_WORD = Struct("<i")

# Tables for unwinding the stack. Compiled code raises nothing.
_UNWINDING = ".eh_frame"

# jmp [rip + distance], filled up with int3.
_JUMP_HEAD, _JUMP_TAIL = b"\xff\x25", b"\xcc\xcc"
_JUMP_BYTES = len(_JUMP_HEAD) + _DISTANCE_WORD.size + len(_JUMP_TAIL)


class Image(NamedTuple):
    """An image and how it is laid out."""

    layout: ImageLayout
    contents: bytes


class _Places(NamedTuple):
    """Offsets in the image: of sections by their index, of jumps to C functions and of the words
    with their addresses by name, and of the ends of the three parts."""

    sections: dict[int, int]
    jumps: dict[str, int]
    imports: dict[str, int]
    code_end: int
    constants_end: int
    data_end: int


def link(code: bytes, entries: Iterable[str], known_imports: frozenset[str]) -> Image:
    """The image of an object file with these entry points, which calls none but the known C
    functions. LinkError if it needs more than this linker does."""
    parts = read_object(code)
    relocations = [r for r in parts.relocations if _is_loaded(parts.sections[r.section])]
    imports = _imports(parts, relocations)
    unknown = imports - known_imports
    if unknown:
        raise LinkError(f"needs {', '.join(sorted(unknown))}")
    places = _place(parts.sections, sorted(imports))
    contents = _copied(parts.sections, places)
    for relocation in relocations:
        _apply(relocation, parts, places, contents)
    layout = ImageLayout(
        places.code_end,
        places.constants_end - places.code_end,
        places.data_end - places.constants_end,
        _entry_offsets(parts, places, entries),
        places.imports,
    )
    return Image(layout, bytes(contents))


def _is_loaded(section: Section) -> bool:
    return bool(section.flags & LOADED) and section.name != _UNWINDING


def _imports(parts: ElfObject, relocations: list[Relocation]) -> set[str]:
    """The names of the functions that another file must have."""
    symbols = {parts.symbols[relocation.symbol] for relocation in relocations}
    return {symbol.name for symbol in symbols if symbol.section == NO_SECTION}


def _place(sections: tuple[Section, ...], imports: list[str]) -> _Places:
    section_at: dict[int, int] = {}

    def place(end: int, flags: int) -> int:
        """Puts the sections of exactly these flags behind `end`; where the last one ends."""
        for index, section in enumerate(sections):
            if not _is_loaded(section) or section.flags & (WRITABLE | EXECUTABLE) != flags:
                continue
            if section.flags & THREAD_LOCAL or section.alignment > PAGE_BYTES:
                raise LinkError(f"section {section.name} is thread-local or aligned beyond a page")
            section_at[index] = _aligned(end, max(section.alignment, 1))
            end = section_at[index] + section.size
        return end

    jumps_at = _aligned(place(0, EXECUTABLE), _JUMP_BYTES)
    code_end = _aligned(jumps_at + len(imports) * _JUMP_BYTES, PAGE_BYTES)
    imports_at = _aligned(place(code_end, 0), ADDRESS_BYTES)
    constants_end = _aligned(imports_at + len(imports) * ADDRESS_BYTES, PAGE_BYTES)
    data_end = _aligned(place(constants_end, WRITABLE), PAGE_BYTES)
    if data_end > MOST_BYTES:
        raise LinkError(f"{data_end} bytes in memory")
    return _Places(
        section_at,
        {name: jumps_at + number * _JUMP_BYTES for number, name in enumerate(imports)},
        {name: imports_at + number * ADDRESS_BYTES for number, name in enumerate(imports)},
        code_end,
        constants_end,
        data_end,
    )


def _aligned(offset: int, alignment: int) -> int:
    return -(-offset // alignment) * alignment


def _copied(sections: tuple[Section, ...], places: _Places) -> bytearray:
    """Sections and jumps in their places; distances are still missing. Ends with the last byte
    that is stored: what lies behind it is zero."""
    stored = ((offset, sections[index].contents) for index, offset in places.sections.items())
    pieces = [(offset, piece) for offset, piece in stored if piece]
    for name, offset in places.jumps.items():
        behind = offset + len(_JUMP_HEAD) + _DISTANCE_WORD.size
        distance = _DISTANCE_WORD.pack(places.imports[name] - behind)
        pieces.append((offset, _JUMP_HEAD + distance + _JUMP_TAIL))
    contents = bytearray(max((offset + len(piece) for offset, piece in pieces), default=0))
    for offset, piece in pieces:
        contents[offset : offset + len(piece)] = piece
    return contents


def _apply(relocation: Relocation, parts: ElfObject, places: _Places, contents: bytearray) -> None:
    """Fills in one distance."""
    symbol = parts.symbols[relocation.symbol]
    section = parts.sections[relocation.section]
    if relocation.kind not in (DISTANCE, CALL_DISTANCE):
        raise LinkError(f"relocation of kind {relocation.kind} for {symbol.name or symbol.section}")
    if relocation.section not in places.sections or not section.contents:
        raise LinkError(f"relocation in section {section.name}")
    if relocation.offset + _DISTANCE_WORD.size > section.size:
        raise LinkError(f"relocation behind the end of section {section.name}")
    if symbol.section != NO_SECTION:
        target = _offset_of(symbol.section, symbol.offset, places)
    elif relocation.kind == CALL_DISTANCE:
        target = places.jumps[symbol.name]
    else:
        raise LinkError(f"{symbol.name} is not only called")
    offset = places.sections[relocation.section] + relocation.offset
    distance = target + relocation.addend - offset
    if not -MOST_BYTES <= distance < MOST_BYTES:
        raise LinkError(f"{symbol.name or symbol.section} is too far away")
    _DISTANCE_WORD.pack_into(contents, offset, distance)


def _offset_of(section: int, offset: int, places: _Places) -> int:
    if section not in places.sections:
        raise LinkError(f"a symbol lies in section {section}, which is not loaded")
    return places.sections[section] + offset


def _entry_offsets(parts: ElfObject, places: _Places, entries: Iterable[str]) -> dict[str, int]:
    symbols = {symbol.name: symbol for symbol in parts.symbols if symbol.section != NO_SECTION}
    offsets = {}
    for name in entries:
        if name not in symbols:
            raise LinkError(f"entry point {name} is missing")
        offsets[name] = _offset_of(symbols[name].section, symbols[name].offset, places)
        if offsets[name] >= places.code_end:
            raise LinkError(f"entry point {name} lies outside the code")
    return offsets
