# SPDX-License-Identifier: GPL-3.0-or-later
"""Linked images do what LLVM's own linking does; what this linker cannot do, it refuses."""

import pytest

from kingcobra.kernel.build import link_ahead
from kingcobra.kernel.host import C_LIBRARY_SYMBOLS
from kingcobra.kernel.linking.elf import LinkError
from kingcobra.kernel.linking.linker import link
from kingcobra.kernel.objects import Code, load_code
from tests.kernel.linking.samples import ENTRIES, NEEDS_ELF, SAMPLE, linked, object_file

pytestmark = NEEDS_ELF

THREAD_LOCAL = """
@own = thread_local global i64 3
define i64 @f() {
  %value = load i64, ptr @own
  ret i64 %value
}
"""
POINTER = """
@place = global ptr @f
define i64 @f() { ret i64 1 }
"""
NOT_ONLY_CALLED = """
declare ptr @memset(ptr, i32, i64)
define i64 @f() {
  %address = ptrtoint ptr @memset to i64
  ret i64 %address
}
"""
FOREIGN = """
declare i64 @PyLong_AsLong(i64)
define i64 @f() {
  %value = call i64 @PyLong_AsLong(i64 0)
  ret i64 %value
}
"""
ALIGNED = """
@table = internal global [4 x i64] zeroinitializer, align 8192
define i64 @f() {
  %value = ptrtoint ptr @table to i64
  ret i64 %value
}
"""
REFUSED = {
    "thread-local data": (THREAD_LOCAL, "__tls_get_addr|thread-local"),
    "an address in data": (POINTER, "relocation of kind 1 for f"),
    "a C function's address": (NOT_ONLY_CALLED, "relocation of kind 4|not only called"),
    "a function of Python": (FOREIGN, "needs PyLong_AsLong"),
    "alignment beyond a page": (ALIGNED, "section .bss is .*aligned beyond a page"),
}


def calls(functions):
    """What all functions of the sample return, in a fixed order."""
    results = [functions.sum_of_primes(a, b) for a in range(4) for b in range(4)]
    results += [functions.choose(way, x) for way in range(-1, 7) for x in range(4)]
    results += [functions.count() for _ in range(3)]
    results += [functions.at(index) for index in (0, 500, 999)]
    functions.fill(999, 0x7F)
    functions.fill(0, 0x01)
    results += [functions.at(index) for index in (0, 1, 998, 999)]
    results += [functions.compare(a, b) > 0 for a, b in ((0, 900), (900, 0), (5, 6))]
    return results


def test_an_image_does_what_llvm_links():
    data = object_file(SAMPLE)
    code = link_ahead(ENTRIES, data)
    assert code.layout is not None
    assert set(code.layout.imports) == {"memset", "memcmp"}
    assert calls(load_code(code)) == calls(load_code(Code(ENTRIES, data)))


def test_each_copy_has_its_own_data():
    code = link_ahead(ENTRIES, object_file(SAMPLE))
    first, second = load_code(code), load_code(code)
    assert [first.count(), first.count(), second.count()] == [42, 43, 42]


def test_an_image_is_the_same_each_time():
    assert linked(SAMPLE, *ENTRIES) == linked(SAMPLE, *ENTRIES)


def test_zeros_are_not_stored():
    image = linked(SAMPLE, *ENTRIES)
    assert len(image.contents) < image.layout.size - 1000 * 8


@pytest.mark.parametrize("what", REFUSED)
def test_what_needs_more_is_refused_and_left_to_llvm(what):
    assembly, reason = REFUSED[what]
    with pytest.raises(LinkError, match=reason):
        linked(assembly, "f")
    data = object_file(assembly)
    assert link_ahead({"f": 0}, data) == Code({"f": 0}, data)


def test_code_left_to_llvm_runs():
    function = load_code(link_ahead({"f": 0}, object_file(POINTER)))
    assert function.f() == 1


def test_entry_points_must_be_code():
    with pytest.raises(LinkError, match="entry point g is missing"):
        linked(SAMPLE, "g")
    with pytest.raises(LinkError, match="entry point counter lies outside the code"):
        linked(SAMPLE, "counter")
    with pytest.raises(LinkError, match="entry point memset is missing"):
        linked(SAMPLE, "memset")


def test_damage_is_refused_or_gives_a_sound_image():
    """Bits of headers, symbols, relocations and code, one at a time."""
    data = object_file(SAMPLE)
    refused = 0
    for place in range(len(data)):
        damaged = bytearray(data)
        damaged[place] ^= 1 << place % 8
        try:
            image = link(bytes(damaged), ENTRIES, C_LIBRARY_SYMBOLS)
        except LinkError:
            refused += 1
        else:
            image.layout.require_sound(image.contents, C_LIBRARY_SYMBOLS)
    assert refused > 100
