# SPDX-License-Identifier: GPL-3.0-or-later
"""Vectors: many small integers as one value of compiled code, a NumPy array in the twins.

A vector may be wider than the CPU's registers: LLVM then uses several, so the same source serves
every level. Operations are generic code that LLVM lowers well everywhere, with one exception,
`dot_bytes`, which compiles only for levels that have its instructions. Arithmetic wraps around.
"""

import ctypes
from functools import cache
from typing import Any

import llvmlite.ir as ir
import numpy as np

from kingcobra.kernel.levels import target_level
from kingcobra.kernel.machine import machine

BYTE, WORD, LONG = 8, 16, 32
BYTES_IN_LONG, WORDS_IN_LONG = 4, 2
CACHE_LINE_BYTES = 64
MASK_LANES = 64
# Lanes of 32 bits in the largest registers that the instructions behind dot_bytes take.
BYTE_DOT_LANES, BYTE_PAIR_LANES = 16, 8
# The greatest byte on the left of dot_bytes: two products of it with signed bytes fit into 16 bits.
MOST_IN_DOT = 127

_I8, _I32, _I64 = ir.IntType(8), ir.IntType(LONG), ir.IntType(64)
_NUMPY = {BYTE: np.int8, WORD: np.int16, LONG: np.int32}


# --- types ------------------------------------------------------------------------------------


@cache
def _vector_class() -> Any:
    from numba import types
    from numba.extending import models, register_model

    class Vector(types.Type):
        """`lanes` integers of `bits` bits."""

        def __init__(self, bits: int, lanes: int) -> None:
            self.bits, self.lanes = bits, lanes
            super().__init__(name=f"Vector({lanes} x i{bits})")

    @register_model(Vector)
    class _Model(models.PrimitiveModel):
        def __init__(self, manager: Any, kind: Any) -> None:
            super().__init__(manager, kind, _llvm(kind.bits, kind.lanes))

    return Vector


@cache
def vector(bits: int, lanes: int) -> Any:
    """The Numba type of such vectors. Not to be asked for where Numba is off."""
    return _vector_class()(bits, lanes)


def _llvm(bits: int, lanes: int) -> Any:
    return ir.VectorType(ir.IntType(bits), lanes)


def _int64() -> Any:
    from numba import types

    return types.int64


def _same(*kinds: Any) -> Any:
    """The signature of an operation between vectors of one type."""
    return kinds[0](*kinds)


def _splat(builder: Any, scalar: Any, lanes: int) -> Any:
    kind = ir.VectorType(scalar.type, lanes)
    one = builder.insert_element(ir.Constant(kind, ir.Undefined), scalar, _I32(0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(_I32, lanes), [0] * lanes))


def _splat_constant(kind: Any, value: int) -> Any:
    return ir.Constant(kind, [value] * kind.count)


def _declared(builder: Any, name: str, result: Any, *arguments: Any) -> Any:
    known = builder.module.globals.get(name)
    return known or ir.Function(builder.module, ir.FunctionType(result, arguments), name)


# --- memory -----------------------------------------------------------------------------------


def _pointer(builder: Any, address: Any, offset: Any, kind: Any) -> Any:
    return builder.inttoptr(builder.add(address, offset), kind.as_pointer())


def _window(address: int, offset: int, size: int) -> Any:
    return (ctypes.c_char * size).from_address(int(address) + int(offset))


@cache
def loader(bits: int, lanes: int, aligned: bool = True) -> Any:
    """A function `load(address, offset)`, the offset in bytes. Aligned: to a cache line, or to the
    vector's own size where that is less."""
    kind = _llvm(bits, lanes)
    size = bits * lanes // BYTE
    alignment = min(size, CACHE_LINE_BYTES) if aligned else 1

    def lower(builder: Any, address: Any, offset: Any) -> Any:
        value = builder.load(_pointer(builder, address, offset, kind), typ=kind)
        value.align = alignment
        return value

    @machine(lambda *_kinds: vector(bits, lanes)(_int64(), _int64()), lower)
    def load(address, offset):
        assert (address + offset) % alignment == 0
        return np.frombuffer(_window(address, offset, size), _NUMPY[bits]).copy()

    return load


def _lower_store(builder: Any, address: Any, offset: Any, value: Any) -> None:
    size = value.type.element.width * value.type.count // BYTE
    store = builder.store(value, _pointer(builder, address, offset, value.type))
    store.align = min(size, CACHE_LINE_BYTES)


def _store_signature(_address: Any, _offset: Any, kind: Any) -> Any:
    from numba import types

    return types.void(types.int64, types.int64, kind)


@machine(_store_signature, _lower_store)
def store(address, offset, value):
    """Writes a vector, aligned as an aligned load demands it."""
    assert (address + offset) % min(value.nbytes, CACHE_LINE_BYTES) == 0
    ctypes.memmove(int(address) + int(offset), value.ctypes.data, value.nbytes)


@cache
def spreader(bits: int, lanes: int) -> Any:
    """A function `spread(address, index)`: the 32-bit chunk of that index, over and over, as a
    vector of `lanes` integers of `bits` bits."""
    longs = lanes * bits // LONG

    def lower(builder: Any, address: Any, index: Any) -> Any:
        base = builder.inttoptr(address, _I32.as_pointer())
        chunk = builder.load(builder.gep(base, [index], source_etype=_I32), typ=_I32)
        return builder.bitcast(_splat(builder, chunk, longs), _llvm(bits, lanes))

    @machine(lambda *_kinds: vector(bits, lanes)(_int64(), _int64()), lower)
    def spread(address, index):
        chunk = np.frombuffer(_window(address, index * 4, 4), np.int32)
        return np.repeat(chunk, longs).view(_NUMPY[bits])

    return spread


@cache
def splatter(bits: int, lanes: int, value: int) -> Any:
    """A function without arguments that gives a vector of equal constants."""

    def lower(_builder: Any) -> Any:
        return _splat_constant(_llvm(bits, lanes), value)

    @machine(lambda *_kinds: vector(bits, lanes)(), lower)
    def splat():
        return np.full(lanes, value, _NUMPY[bits])

    return splat


# --- arithmetic -------------------------------------------------------------------------------


@machine(_same, lambda builder, left, right: builder.add(left, right))
def add(left, right):
    """Lane by lane."""
    return left + right


@machine(_same, lambda builder, left, right: builder.sub(left, right))
def subtract(left, right):
    """Lane by lane."""
    return left - right


@machine(_same, lambda builder, left, right: builder.mul(left, right))
def multiply(left, right):
    """Lane by lane, the low half of each product."""
    return left * right


def _clamped(builder: Any, value: Any, low: int, high: int) -> Any:
    kind = value.type
    for name, bound in (("smax", low), ("smin", high)):
        full_name = f"llvm.{name}.v{kind.count}i{kind.element.width}"
        function = _declared(builder, full_name, kind, kind, kind)
        value = builder.call(function, [value, _splat_constant(kind, bound)])
    return value


@cache
def clamper(low: int, high: int) -> Any:
    """A function that brings each lane of a vector between two constants."""

    @machine(_same, lambda builder, value: _clamped(builder, value, low, high))
    def clamp(value):
        return np.clip(value, low, high).astype(value.dtype)

    return clamp


@cache
def right_shifter(count: int) -> Any:
    """A function that shifts each lane right by a constant, keeping its sign."""

    def lower(builder: Any, value: Any) -> Any:
        return builder.ashr(value, _splat_constant(value.type, count))

    @machine(_same, lower)
    def shift_right(value):
        return value >> count

    return shift_right


@cache
def narrower(bits: int) -> Any:
    """A function that keeps the lowest bits of each lane."""

    def lower(builder: Any, value: Any) -> Any:
        if value.type.element.width == bits:
            return value
        return builder.trunc(value, _llvm(bits, value.type.count))

    @machine(lambda kind: vector(bits, kind.lanes)(kind), lower)
    def narrow(value):
        return value.astype(_NUMPY[bits])

    return narrow


# --- between lanes ----------------------------------------------------------------------------


def _every(builder: Any, value: Any, first: int, step: int) -> Any:
    lanes = list(range(first, value.type.count, step))
    mask = ir.Constant(ir.VectorType(_I32, len(lanes)), lanes)
    return builder.shuffle_vector(value, value, mask)


def _lower_dot_words(builder: Any, total: Any, left: Any, right: Any) -> Any:
    wide = _llvm(LONG, left.type.count)
    products = builder.mul(builder.sext(left, wide), builder.sext(right, wide))
    even = _every(builder, products, 0, WORDS_IN_LONG)
    odd = _every(builder, products, 1, WORDS_IN_LONG)
    return builder.add(total, builder.add(even, odd))


@machine(_same, _lower_dot_words)
def dot_words(total, left, right):
    """Adds to each 32-bit lane the products of two pairs of signed 16-bit lanes."""
    products = left.astype(np.int32) * right.astype(np.int32)
    return total + products.reshape(-1, WORDS_IN_LONG).sum(axis=1, dtype=np.int32)


def _dot_at_once(builder: Any, total: Any, left: Any, right: Any) -> Any:
    """By the instruction that does it all."""
    longs, octets = total.type, left.type
    name = f"llvm.x86.avx512.vpdpbusd.{longs.count * LONG}"
    function = _declared(builder, name, longs, longs, octets, octets)
    return builder.call(function, [total, left, right])


def _dot_by_pairs(builder: Any, total: Any, left: Any, right: Any) -> Any:
    """Bytes to words, words to longs: each time pairs are added up."""
    octets, words, longs = left.type, _llvm(WORD, left.type.count // 2), total.type
    to_words = _declared(builder, "llvm.x86.avx2.pmadd.ub.sw", words, octets, octets)
    to_longs = _declared(builder, "llvm.x86.avx2.pmadd.wd", longs, words, words)
    pairs = builder.call(to_words, [left, right])
    return builder.add(total, builder.call(to_longs, [pairs, _splat_constant(words, 1)]))


def _lower_dot_bytes(builder: Any, total: Any, left: Any, right: Any) -> Any:
    level = target_level()
    lanes = total.type.count
    part = min(lanes, BYTE_DOT_LANES) if level.has_byte_dots else BYTE_PAIR_LANES
    dot = _dot_at_once if level.has_byte_dots else _dot_by_pairs
    parts = [
        dot(
            builder,
            _slice(builder, total, start, part),
            _slice(builder, left, start * BYTES_IN_LONG, part * BYTES_IN_LONG),
            _slice(builder, right, start * BYTES_IN_LONG, part * BYTES_IN_LONG),
        )
        for start in range(0, lanes, part)
    ]
    while len(parts) > 1:
        pairs = zip(parts[::2], parts[1::2], strict=True)
        parts = [_joined(builder, first, second) for first, second in pairs]
    return parts[0]


def _slice(builder: Any, value: Any, start: int, length: int) -> Any:
    if length == value.type.count:
        return value
    mask = ir.Constant(ir.VectorType(_I32, length), list(range(start, start + length)))
    return builder.shuffle_vector(value, value, mask)


def _joined(builder: Any, first: Any, second: Any) -> Any:
    lanes = 2 * first.type.count
    mask = ir.Constant(ir.VectorType(_I32, lanes), list(range(lanes)))
    return builder.shuffle_vector(first, second, mask)


@machine(_same, _lower_dot_bytes)
def dot_bytes(total, left, right):
    """Adds to each 32-bit lane the products of four bytes of `left`, 0 to MOST_IN_DOT, and four
    signed ones of `right`; nothing saturates. The number of lanes is a power of two, and at least
    eight. Only for levels with multiplies_bytes."""
    assert left.view(np.uint8).max() <= MOST_IN_DOT
    products = left.view(np.uint8).astype(np.int32) * right.astype(np.int32)
    return total + products.reshape(-1, BYTES_IN_LONG).sum(axis=1, dtype=np.int32)


def _lower_total(builder: Any, value: Any) -> Any:
    kind = value.type
    name = f"llvm.vector.reduce.add.v{kind.count}i{kind.element.width}"
    function = _declared(builder, name, kind.element, kind)
    return builder.sext(builder.call(function, [value]), _I64)


@machine(lambda kind: _int64()(kind), _lower_total)
def total(value):
    """The sum of all lanes."""
    return np.int64(value.sum(dtype=value.dtype))


def _lower_lane(builder: Any, value: Any, index: Any) -> Any:
    return builder.sext(builder.extract_element(value, index), _I64)


@machine(lambda kind, _index: _int64()(kind, _int64()), _lower_lane)
def lane(value, index):
    """One lane as a 64-bit integer."""
    return np.int64(value[index])


def _mask_signature(*kinds: Any) -> Any:
    from numba import types

    return types.uint64(*kinds)


def _lower_differing(builder: Any, left: Any, right: Any) -> Any:
    count = left.type.count
    bits = builder.bitcast(builder.icmp_signed("!=", left, right), ir.IntType(count))
    return bits if count == MASK_LANES else builder.zext(bits, _I64)


@machine(_mask_signature, _lower_differing)
def differing(left, right):
    """A word with the bits of those lanes set, at most 64, in which two vectors differ."""
    return np.uint64(sum(1 << int(index) for index in np.flatnonzero(left != right)))
