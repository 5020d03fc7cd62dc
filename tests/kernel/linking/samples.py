# SPDX-License-Identifier: GPL-3.0-or-later
"""Small object files that LLVM writes for this machine in a moment."""

import sys

import pytest

from kingcobra.kernel.host import C_LIBRARY_SYMBOLS
from kingcobra.kernel.levels import host_architecture
from kingcobra.kernel.linking.linker import link

NEEDS_ELF = pytest.mark.skipif(
    sys.platform != "linux" or host_architecture() != "x86_64",
    reason="images are for Linux on 64-bit x86",
)

# Every kind of section: code, constants, a table of jumps, data, zeros; calls inside and outside.
SAMPLE = """
@primes = internal constant [4 x i64] [i64 2, i64 3, i64 5, i64 7], align 64
@counter = internal global i64 41, align 8
@table = internal global [1000 x i64] zeroinitializer, align 64

declare ptr @memset(ptr, i32, i64)
declare i32 @memcmp(ptr, ptr, i64)

define internal i64 @prime(i64 %index) noinline {
  %place = getelementptr [4 x i64], ptr @primes, i64 0, i64 %index
  %value = load i64, ptr %place
  ret i64 %value
}
define i64 @sum_of_primes(i64 %a, i64 %b) {
  %x = call i64 @prime(i64 %a)
  %y = call i64 @prime(i64 %b)
  %sum = add i64 %x, %y
  ret i64 %sum
}
define i64 @count() {
  %old = load i64, ptr @counter
  %new = add i64 %old, 1
  store i64 %new, ptr @counter
  ret i64 %new
}
define i64 @fill(i64 %index, i64 %byte) {
  %place = getelementptr [1000 x i64], ptr @table, i64 0, i64 %index
  %value = trunc i64 %byte to i32
  %same = call ptr @memset(ptr %place, i32 %value, i64 8)
  ret i64 0
}
define i64 @at(i64 %index) {
  %place = getelementptr [1000 x i64], ptr @table, i64 0, i64 %index
  %value = load i64, ptr %place
  ret i64 %value
}
define i64 @compare(i64 %a, i64 %b) {
  %x = getelementptr [1000 x i64], ptr @table, i64 0, i64 %a
  %y = getelementptr [1000 x i64], ptr @table, i64 0, i64 %b
  %order = call i32 @memcmp(ptr %x, ptr %y, i64 160)
  %wide = sext i32 %order to i64
  ret i64 %wide
}
define i64 @choose(i64 %way, i64 %x) {
  switch i64 %way, label %other [ i64 0, label %a  i64 1, label %b  i64 2, label %c
                                  i64 3, label %d  i64 4, label %e ]
a: %a1 = add i64 %x, 11
  ret i64 %a1
b: %b1 = mul i64 %x, %x
  ret i64 %b1
c: %c1 = sub i64 5, %x
  ret i64 %c1
d: %d1 = call i64 @prime(i64 %x)
  ret i64 %d1
e: %e1 = call i64 @count()
  ret i64 %e1
other: ret i64 -1
}
"""
ENTRIES = {"sum_of_primes": 2, "count": 0, "fill": 2, "at": 1, "compare": 2, "choose": 2}


def object_file(assembly):
    """The object file of LLVM's assembly, as the compiler makes it of Numba's."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly(assembly)
    target = llvm.Target.from_triple(llvm.get_process_triple())
    machine = target.create_target_machine(opt=2, reloc="pic", codemodel="default")
    return machine.emit_object(module)


def linked(assembly, *entries):
    """The image of LLVM's assembly."""
    return link(object_file(assembly), entries, C_LIBRARY_SYMBOLS)
