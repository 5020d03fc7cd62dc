# SPDX-License-Identifier: GPL-3.0-or-later
"""Object files as LLVM writes them, other files, and cut ones."""

import pytest

from kingcobra.kernel.linking.elf import EXECUTABLE, NO_SECTION, WRITABLE, LinkError, read_object
from tests.kernel.linking.samples import ENTRIES, NEEDS_ELF, SAMPLE, object_file


@NEEDS_ELF
def test_sections_and_symbols():
    parts = read_object(object_file(SAMPLE))
    by_name = {section.name: section for section in parts.sections}
    assert by_name[".text"].flags & EXECUTABLE
    assert by_name[".data"].contents == (41).to_bytes(8, "little")
    assert by_name[".bss"].flags & WRITABLE
    assert (by_name[".bss"].size, by_name[".bss"].contents) == (8000, b"")
    symbols = {symbol.name: symbol for symbol in parts.symbols}
    assert {parts.sections[symbols[name].section].name for name in ENTRIES} == {".text"}
    assert symbols["memset"].section == NO_SECTION
    called = {parts.symbols[relocation.symbol].name for relocation in parts.relocations}
    assert {"memset", "memcmp"} <= called


@NEEDS_ELF
def test_every_truncation_is_refused():
    data = object_file(SAMPLE)
    for length in range(len(data)):
        with pytest.raises(LinkError):
            read_object(data[:length])


@NEEDS_ELF
def test_the_object_file_of_another_machine_is_named():
    data = bytearray(object_file(SAMPLE))
    data[18] = 183
    with pytest.raises(LinkError, match="for machine 183"):
        read_object(bytes(data))


@pytest.mark.parametrize(
    "data",
    [b"", b"\x7fELF", b"\x7fELF\x01\x01\x01" + bytes(100), b"\xcf\xfa\xed\xfe" + bytes(100)],
    ids=["empty", "cut", "32 bits", "macOS"],
)
def test_other_files_are_refused(data):
    with pytest.raises(LinkError, match="not a 64-bit ELF file"):
        read_object(data)
