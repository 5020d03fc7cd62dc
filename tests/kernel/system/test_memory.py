# SPDX-License-Identifier: GPL-3.0-or-later
"""Big memory: aligned, zero, mapped from files without ever changing them, and given back."""

import ctypes
import mmap
from pathlib import Path

import pytest

from kingcobra.kernel import host
from kingcobra.kernel.system.memory import CACHE_LINE_BYTES, HUGE_PAGE_BYTES, Memory, OutOfMemory
from tests.kernel.probe_records import Outer

PETABYTE = 1 << 50
MAPS = Path("/proc/self/maps")


def content(memory):
    return ctypes.string_at(memory.address, memory.size)


@pytest.mark.parametrize(
    ("size", "alignment"),
    [
        (1, CACHE_LINE_BYTES),
        (1000, CACHE_LINE_BYTES),
        (HUGE_PAGE_BYTES - 1, CACHE_LINE_BYTES),
        (HUGE_PAGE_BYTES, HUGE_PAGE_BYTES),
        (3 * HUGE_PAGE_BYTES + 17, HUGE_PAGE_BYTES),
    ],
)
def test_anonymous_memory_is_aligned_zero_and_all_there(size, alignment):
    memory = Memory.anonymous(size)
    assert memory.size == size
    assert memory.address % alignment == 0
    assert content(memory) == bytes(size)
    ctypes.memset(memory.address, 0xA5, size)
    assert content(memory) == b"\xa5" * size
    memory.release()


@pytest.mark.parametrize(("size", "advised"), [(HUGE_PAGE_BYTES, True), (4096, False)])
def test_huge_pages_are_asked_for_where_they_fit(monkeypatch, size, advised):
    regions = []
    monkeypatch.setattr(host, "advise_huge_pages", regions.append)
    Memory.anonymous(size).release()
    assert bool(regions) == advised


@pytest.mark.skipif(not MAPS.exists(), reason="looks at memory through /proc")
def test_anonymous_memory_is_private():
    """Linux gives huge pages to private memory; shared memory goes without by default."""
    memory = Memory.anonymous(HUGE_PAGE_BYTES)
    for line in MAPS.read_text().splitlines():
        span, rights = line.split()[:2]
        start, end = (int(bound, 16) for bound in span.split("-"))
        if start <= memory.address < end:
            assert rights == "rw-p"
            break
    else:
        pytest.fail("the memory is not mapped")
    memory.release()


def test_refused_advice_is_no_error():
    class Region:
        def madvise(self, _advice):
            raise OSError("not here")

    assert host.advise_huge_pages(Region()) is None


@pytest.mark.parametrize("size", [PETABYTE, 1 << 63, 1 << 70])
def test_absurd_sizes_are_out_of_memory(size):
    with pytest.raises(OutOfMemory, match=str(size)):
        Memory.anonymous(size)


@pytest.mark.parametrize("size", [1 << 62, 1 << 70])
def test_absurd_sizes_where_the_system_does_not_say_what_it_has(monkeypatch, size):
    monkeypatch.setattr(host, "available_memory_bytes", lambda: None)
    with pytest.raises(OutOfMemory, match=str(size)):
        Memory.anonymous(size)


def test_file_is_shared_and_never_written(tmp_path):
    path = tmp_path / "weights"
    original = bytes(range(256)) * 40
    path.write_bytes(original)
    one, other = Memory.from_file(path), Memory.from_file(path)
    assert one.size == len(original)
    assert one.address % CACHE_LINE_BYTES == 0
    assert content(one) == content(other) == original

    ctypes.memset(one.address, 0, one.size)
    assert content(one) == bytes(len(original))
    assert content(other) == original
    one.release()
    other.release()
    assert path.read_bytes() == original


@pytest.mark.skipif(not hasattr(mmap, "MAP_PRIVATE"), reason="no pages to look at")
def test_mapped_pages_show_a_change_of_the_file(tmp_path):
    """Pages that nobody has written to are the file's own, not a copy."""
    path = tmp_path / "weights"
    path.write_bytes(b"a" * 100)
    memory = Memory.from_file(path)
    with path.open("r+b") as file:
        file.write(b"b" * 100)
    assert content(memory) == b"b" * 100
    memory.release()


def test_record_lies_at_the_start():
    memory = Memory.anonymous(ctypes.sizeof(Outer))
    record = memory.record(Outer)
    record.end = 99
    assert content(memory)[Outer.end.offset] == 99
    assert ctypes.addressof(record) == memory.address
    memory.release()


def test_record_that_does_not_fit_is_refused():
    memory = Memory.anonymous(ctypes.sizeof(Outer) - 1)
    with pytest.raises(ValueError, match="Outer has"):
        memory.record(Outer)
    memory.release()


def test_release_gives_the_pages_back():
    memory = Memory.anonymous(HUGE_PAGE_BYTES)
    region = memory._region
    memory.release()
    assert region.closed
    assert (memory.address, memory.size) == (0, 0)


@pytest.mark.skipif(not host.IS_LINUX, reason="other systems may keep the pages")
def test_discarded_pages_are_zero_again():
    memory = Memory.anonymous(HUGE_PAGE_BYTES)
    ctypes.memset(memory.address, 0xA5, memory.size)
    assert memory.discard()
    assert content(memory) == bytes(memory.size)
    memory.release()


def test_parts_are_cleared_one_by_one():
    memory = Memory.anonymous(1001)
    ctypes.memset(memory.address, 0xA5, memory.size)
    memory.clear(1, 3)
    assert content(memory) == b"\xa5" * 333 + bytes(334) + b"\xa5" * 334
    memory.clear(0, 3)
    memory.clear(2, 3)
    assert content(memory) == bytes(1001)
    memory.release()


def test_refused_discarding_is_no_error(monkeypatch):
    class Region:
        def madvise(self, _advice):
            raise OSError("not here")

    assert host.discard_pages(Region()) is False
    monkeypatch.setattr(host, "IS_LINUX", False)
    assert host.discard_pages(Region()) is False


def test_clearing_leaves_only_zeros():
    memory = Memory.anonymous(4096)
    ctypes.memset(memory.address, 0xA5, memory.size)
    memory.clear()
    assert ctypes.string_at(memory.address, memory.size) == bytes(memory.size)
