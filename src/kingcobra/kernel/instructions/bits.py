# SPDX-License-Identifier: GPL-3.0-or-later
"""Bit operations, raw memory, prefetch, clock, and the call through an address."""

import ctypes

import llvmlite.ir as ir
import numpy as np

from kingcobra.kernel import host
from kingcobra.kernel.host import MONOTONIC_CLOCK_ID, MONOTONIC_CLOCK_SYMBOL
from kingcobra.kernel.machine import machine

U64_BITS = 64
U64_MASK = (1 << U64_BITS) - 1
NANOSECONDS = 1_000_000_000

_BOOL = ir.IntType(1)
_I8 = ir.IntType(8)
_I32 = ir.IntType(32)
_I64 = ir.IntType(64)
_I128 = ir.IntType(128)
_ZERO_IS_UNDEFINED = ir.Constant(_BOOL, 1)


def _declare(builder, name, result, arguments):
    """The function of that name in the module being built, declared once."""
    known = builder.module.globals.get(name)
    return known or ir.Function(builder.module, ir.FunctionType(result, arguments), name)


def _in_word(square):
    if not 0 <= square < U64_BITS:
        raise IndexError(f"bit {square} of a 64-bit word")
    return int(square)


def _not_empty(bitboard):
    if not bitboard:
        raise ValueError("no bit is set")
    return int(bitboard)


# --- one word ---------------------------------------------------------------------------------


@machine("int64(uint64)", lambda builder, bitboard: builder.ctpop(bitboard))
def popcount(bitboard):
    """How many bits are set."""
    return np.int64(int(bitboard).bit_count())


@machine("int64(uint64)", lambda builder, bitboard: builder.cttz(bitboard, _ZERO_IS_UNDEFINED))
def lsb(bitboard):
    """Index of the lowest set bit; meaningless for an empty word."""
    word = _not_empty(bitboard)
    return np.int64((word & -word).bit_length() - 1)


def _lower_msb(builder, bitboard):
    leading = builder.ctlz(bitboard, _ZERO_IS_UNDEFINED)
    return builder.xor(leading, ir.Constant(_I64, U64_BITS - 1))


@machine("int64(uint64)", _lower_msb)
def msb(bitboard):
    """Index of the highest set bit; meaningless for an empty word."""
    return np.int64(_not_empty(bitboard).bit_length() - 1)


@machine("uint64(int64)", lambda builder, square: builder.shl(ir.Constant(_I64, 1), square))
def bit(square):
    """The word with this one bit set."""
    return np.uint64(1 << _in_word(square))


def _lower_without_lsb(builder, bitboard):
    return builder.and_(bitboard, builder.sub(bitboard, ir.Constant(_I64, 1)))


@machine("uint64(uint64)", _lower_without_lsb)
def without_lsb(bitboard):
    """The word with its lowest set bit cleared; empty stays empty."""
    word = int(bitboard)
    return np.uint64(word & (word - 1) if word else 0)


# --- two words --------------------------------------------------------------------------------


def _lower_pext(builder, word, mask):
    return builder.call(_declare(builder, "llvm.x86.bmi.pext.64", _I64, [_I64, _I64]), [word, mask])


@machine("uint64(uint64, uint64)", _lower_pext)
def pext(word, mask):
    """The bits of the word under the mask, packed together at the low end.
    Compiles only for levels with BMI2."""
    word, remaining = int(word), int(mask)
    packed = place = 0
    while remaining:
        lowest = remaining & -remaining
        packed |= bool(word & lowest) << place
        place += 1
        remaining ^= lowest
    return np.uint64(packed)


@machine("uint64(uint64, uint64)", lambda builder, left, right: builder.mul(left, right))
def multiply_low(left, right):
    """The low 64 bits of the product."""
    return np.uint64(int(left) * int(right) & U64_MASK)


@machine("uint64(uint64, uint64)", lambda builder, left, right: builder.add(left, right))
def add_low(left, right):
    """The low 64 bits of the sum."""
    return np.uint64(int(left) + int(right) & U64_MASK)


def _lower_multiply_high(builder, left, right):
    product = builder.mul(builder.zext(left, _I128), builder.zext(right, _I128))
    return builder.trunc(builder.lshr(product, ir.Constant(_I128, U64_BITS)), _I64)


@machine("uint64(uint64, uint64)", _lower_multiply_high)
def multiply_high(left, right):
    """The high 64 bits of the product: scales a hash key to a table of any size."""
    return np.uint64(int(left) * int(right) >> U64_BITS)


def _lower_next_subset(builder, subset, mask):
    return builder.and_(builder.sub(subset, mask), mask)


@machine("uint64(uint64, uint64)", _lower_next_subset)
def next_subset(subset, mask):
    """The subset of the mask that follows in counting order; the empty one after the last."""
    return np.uint64((int(subset) - int(mask)) & int(mask))


# --- memory behind an address -----------------------------------------------------------------


def _element(builder, element_type, address, index):
    base = builder.inttoptr(address, element_type.as_pointer())
    return builder.gep(base, [index], source_etype=element_type)


def _loader(bits, signed):
    element_type = ir.IntType(bits)
    ctype = getattr(ctypes, f"c_{'' if signed else 'u'}int{bits}")
    numpy_type = np.int64 if signed else np.uint64

    def lower(builder, address, index):
        value = builder.load(_element(builder, element_type, address, index), typ=element_type)
        if bits == U64_BITS:
            return value
        return builder.sext(value, _I64) if signed else builder.zext(value, _I64)

    @machine(f"{'int64' if signed else 'uint64'}(int64, int64)", lower)
    def load(address, index):
        return numpy_type(
            ctype.from_address(int(address) + int(index) * ctypes.sizeof(ctype)).value
        )

    return load


def _storer(bits):
    element_type = ir.IntType(bits)
    ctype = getattr(ctypes, f"c_uint{bits}")

    def lower(builder, address, index, value):
        narrow = value if bits == U64_BITS else builder.trunc(value, element_type)
        builder.store(narrow, _element(builder, element_type, address, index))

    @machine("void(int64, int64, uint64)", lower)
    def store(address, index, value):
        ctype.from_address(int(address) + int(index) * ctypes.sizeof(ctype)).value = int(value)

    return store


load_u64 = _loader(64, signed=False)
load_u16 = _loader(16, signed=False)
load_u8 = _loader(8, signed=False)
load_i16 = _loader(16, signed=True)
load_i32 = _loader(32, signed=True)
store_u64 = _storer(64)
store_u16 = _storer(16)
store_u8 = _storer(8)


def _lower_prefetch(builder, address):
    pointer = _I8.as_pointer()
    for_reading, keep_everywhere, data = _I32(0), _I32(3), _I32(1)
    hint = _declare(builder, "llvm.prefetch.p0", ir.VoidType(), [pointer, _I32, _I32, _I32])
    builder.call(hint, [builder.inttoptr(address, pointer), for_reading, keep_everywhere, data])


@machine("void(int64)", _lower_prefetch)
def prefetch(address):
    """Starts bringing a cache line nearer. A hint: any address is harmless."""


# --- the world outside ------------------------------------------------------------------------


def _lower_monotonic_ns(builder):
    if MONOTONIC_CLOCK_ID is None:
        return _lower_performance_counter(builder)
    timespec = ir.ArrayType(_I64, 2)
    with builder.goto_entry_block():
        slot = builder.alloca(timespec)
    clock = _declare(builder, MONOTONIC_CLOCK_SYMBOL, _I32, [_I32, timespec.as_pointer()])
    builder.call(clock, [_I32(MONOTONIC_CLOCK_ID), slot])
    reading = builder.load(slot, typ=timespec)
    seconds = builder.mul(builder.extract_value(reading, 0), _I64(NANOSECONDS))
    return builder.add(seconds, builder.extract_value(reading, 1))


def _lower_performance_counter(builder):
    """Windows counts ticks; they become nanoseconds in two steps so that nothing overflows."""
    readings = []
    for name in (MONOTONIC_CLOCK_SYMBOL, "QueryPerformanceFrequency"):
        with builder.goto_entry_block():
            slot = builder.alloca(_I64)
        builder.call(_declare(builder, name, _I32, [_I64.as_pointer()]), [slot])
        readings.append(builder.load(slot, typ=_I64))
    ticks, per_second = readings
    whole = builder.mul(builder.sdiv(ticks, per_second), _I64(NANOSECONDS))
    rest = builder.sdiv(builder.mul(builder.srem(ticks, per_second), _I64(NANOSECONDS)), per_second)
    return builder.add(whole, rest)


@machine("int64()", _lower_monotonic_ns)
def monotonic_ns():
    """Nanoseconds of a clock that never goes back, the one that host.monotonic_ns reads."""
    return np.int64(host.monotonic_ns())


def _lower_call(builder, address, argument):
    function = builder.inttoptr(address, ir.FunctionType(_I64, [_I64]).as_pointer())
    return builder.call(function, [argument])


@machine("int64(int64, int64)", _lower_call)
def call_address(address, argument):
    """Calls the entry point at an address with one 64-bit integer and returns its result.
    This is how the search reaches an evaluation that was compiled as an object of its own."""
    return np.int64(ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(int(address))(int(argument)))
