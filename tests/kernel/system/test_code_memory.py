# SPDX-License-Identifier: GPL-3.0-or-later
"""Memory with machine code: protected, released, and there to the very end of the process."""

import ctypes
import gc
import subprocess
import sys

import pytest

from kingcobra.kernel.host import C_LIBRARY_SYMBOLS
from kingcobra.kernel.linking.image import ImageError
from kingcobra.kernel.objects import Code, ObjectError, load_code
from kingcobra.kernel.system import code_memory
from kingcobra.kernel.system.code_memory import CodeMemory
from tests.kernel.linking.samples import ENTRIES, NEEDS_ELF, SAMPLE, linked

pytestmark = NEEDS_ELF

# It touches no memory of the interpreter once it runs: that may be gone before the thread is.
ENDLESS = """
define i64 @run_forever(i64 %flag) {
  %place = inttoptr i64 %flag to ptr
  store volatile i64 1, ptr %place
  br label %again
again:
  br label %again
}
"""
# The process ends while a thread runs the code.
LEAVE = """
import ctypes, threading, time
from kingcobra.kernel.objects import Code, load_code
from tests.kernel.linking.samples import linked
from tests.kernel.system.test_code_memory import ENDLESS
image = linked(ENDLESS, "run_forever")
loaded = load_code(Code({"run_forever": 1}, image.contents, image.layout))
flag = ctypes.c_int64()
threading.Thread(target=loaded.run_forever, args=[ctypes.addressof(flag)], daemon=True).start()
while not flag.value:
    time.sleep(0.01)
print("running")
"""


@pytest.fixture
def image():
    return linked(SAMPLE, *ENTRIES)


def permissions(address):
    """What the system allows at an address; None where there is no memory."""
    with open("/proc/self/maps") as maps:  # noqa: PTH123
        for line in maps:
            limits, allowed, *_ = line.split()
            start, end = (int(text, 16) for text in limits.split("-"))
            if start <= address < end:
                return allowed
    return None


def test_no_page_is_writable_and_executable(image):
    memory = CodeMemory(image.layout, image.contents, C_LIBRARY_SYMBOLS)
    start = memory.addresses["count"] - image.layout.entries["count"]
    constants = start + image.layout.code_bytes
    data = constants + image.layout.constant_bytes
    assert [permissions(at) for at in (start, constants - 1)] == ["r-xp", "r-xp"]
    assert [permissions(at) for at in (constants, data - 1)] == ["r--p", "r--p"]
    assert [permissions(at) for at in (data, start + image.layout.size - 1)] == ["rw-p", "rw-p"]


def test_memory_is_given_back(image, monkeypatch):
    sizes = []
    release = code_memory._release

    def watched_release(library, address, size):
        sizes.append(size)
        release(library, address, size)

    monkeypatch.setattr(code_memory, "_release", watched_release)
    memory = CodeMemory(image.layout, image.contents, C_LIBRARY_SYMBOLS)
    assert sizes == []
    del memory
    gc.collect()
    assert sizes == [image.layout.size]


def test_code_outlives_the_interpreter():
    done = subprocess.run(
        [sys.executable, "-c", LEAVE], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "running\n", "")


def test_a_function_that_the_c_library_lacks(image):
    layout = image.layout._replace(imports={"no_such_function": image.layout.imports["memset"]})
    with pytest.raises(ImageError, match="the C library has no no_such_function"):
        CodeMemory(layout, image.contents, frozenset({"no_such_function"}))


def test_memory_that_the_system_refuses(image, monkeypatch):
    def refuse(*_arguments):
        ctypes.set_errno(13)
        return -1

    class Refusing(ctypes.CDLL):
        mprotect = staticmethod(refuse)

    monkeypatch.setattr(code_memory.ctypes, "CDLL", Refusing)
    with pytest.raises(ObjectError, match=r"cannot be loaded \(.*Permission denied\)"):
        load_code(Code(ENTRIES, image.contents, image.layout))


def test_a_layout_that_lies_is_refused(image):
    layout = image.layout._replace(entries={"count": 2**40})
    with pytest.raises(ObjectError, match=r"cannot be loaded \(entry point count .*outside"):
        load_code(Code(ENTRIES, image.contents, layout))


def test_an_entry_point_without_an_address_is_named(image):
    layout = image.layout._replace(entries={"count": image.layout.entries["count"]})
    with pytest.raises(ObjectError, match="entry point sum_of_primes is missing"):
        load_code(Code(ENTRIES, image.contents, layout))
