# SPDX-License-Identifier: GPL-3.0-or-later
"""Words inside a mapped file: at any address, in the byte order that the file has; and the word
that another thread publishes."""

import ctypes

import llvmlite.ir as ir
import numpy as np

from kingcobra.kernel.machine import machine

BYTE_BITS = 8
WORD_BYTES = 8
_I64 = ir.IntType(64)


def _loader(size, order):
    element_type = ir.IntType(size * BYTE_BITS)

    def lower(builder, address):
        pointer = builder.inttoptr(address, element_type.as_pointer())
        value = builder.load(pointer, typ=element_type, align=1)
        if order == "big":
            value = builder.bswap(value)
        return value if size == WORD_BYTES else builder.zext(value, _I64)

    @machine("uint64(int64)", lower)
    def load(address):
        return np.uint64(int.from_bytes(ctypes.string_at(int(address), size), order))

    return load


little_u16 = _loader(2, "little")
little_u32 = _loader(4, "little")
big_u32 = _loader(4, "big")
big_u64 = _loader(8, "big")


def _lower_published(builder, address):
    pointer = builder.inttoptr(address, _I64.as_pointer())
    return builder.load_atomic(pointer, ordering="acquire", align=WORD_BYTES, typ=_I64)


@machine("int64(int64)", _lower_published)
def published(address):
    """The 64-bit word at an address. Whatever another thread wrote before it stored that word can
    be read after this call."""
    return np.int64(ctypes.c_int64.from_address(int(address)).value)


def _lower_publish(builder, address, value):
    pointer = builder.inttoptr(address, _I64.as_pointer())
    builder.store_atomic(value, pointer, ordering="release", align=WORD_BYTES)


@machine("void(int64, int64)", _lower_publish)
def publish(address, value):
    """Stores a 64-bit word for other threads to see with `published`, after all that was written
    before."""
    ctypes.c_int64.from_address(int(address)).value = int(value)
