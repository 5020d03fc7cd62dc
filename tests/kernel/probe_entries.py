# SPDX-License-Identifier: GPL-3.0-or-later
"""Entry points around every operation of the kernel: an object of the tests' own."""

import numpy as np

from kingcobra.kernel.compiled import compiled, entry
from kingcobra.kernel.instructions import bits, file_words
from kingcobra.kernel.levels import target_level
from kingcobra.kernel.records import record_at
from kingcobra.kernel.statics import static_table
from tests.kernel.probe_records import Outer

TABLE_LENGTH = 8
LAST = TABLE_LENGTH - 1
FILLED_ON_LOAD = 4242
TRIPLE = 3

table_at, set_table = static_table("probe_table", TABLE_LENGTH)
outer_at = record_at(Outer)


@entry
def prepare():
    """Named as on_load."""
    set_table(np.int64(LAST), np.uint64(FILLED_ON_LOAD))
    return 0


@entry
def popcount(word):
    return bits.popcount(np.uint64(word))


@entry
def lsb(word):
    return bits.lsb(np.uint64(word))


@entry
def msb(word):
    return bits.msb(np.uint64(word))


@entry
def bit(square):
    return np.int64(bits.bit(square))


@entry
def without_lsb(word):
    return np.int64(bits.without_lsb(np.uint64(word)))


if target_level().fast_pext:

    @entry
    def pext(word, mask):
        return np.int64(bits.pext(np.uint64(word), np.uint64(mask)))


@entry
def multiply_low(left, right):
    return np.int64(bits.multiply_low(np.uint64(left), np.uint64(right)))


@entry
def add_low(left, right):
    return np.int64(bits.add_low(np.uint64(left), np.uint64(right)))


@entry
def multiply_high(left, right):
    return np.int64(bits.multiply_high(np.uint64(left), np.uint64(right)))


@entry
def next_subset(subset, mask):
    return np.int64(bits.next_subset(np.uint64(subset), np.uint64(mask)))


@entry
def load_u64(address, index):
    return np.int64(bits.load_u64(address, index))


@entry
def load_u16(address, index):
    return np.int64(bits.load_u16(address, index))


@entry
def load_i16(address, index):
    return bits.load_i16(address, index)


@entry
def store_u64(address, index, value):
    bits.store_u64(address, index, np.uint64(value))
    return 0


@entry
def store_u16(address, index, value):
    bits.store_u16(address, index, np.uint64(value))
    return 0


@entry
def store_u8(address, index, value):
    bits.store_u8(address, index, np.uint64(value))
    return 0


@entry
def little_u16(address):
    return np.int64(file_words.little_u16(address))


@entry
def little_u32(address):
    return np.int64(file_words.little_u32(address))


@entry
def big_u32(address):
    return np.int64(file_words.big_u32(address))


@entry
def big_u64(address):
    return np.int64(file_words.big_u64(address))


@entry
def published(address):
    return file_words.published(address)


@entry
def publish(address, value):
    file_words.publish(address, value)
    return 0


@entry
def prefetch(address):
    bits.prefetch(address)
    return 0


@entry
def monotonic_ns():
    return bits.monotonic_ns()


@entry
def call_address(address, argument):
    return bits.call_address(address, argument)


@entry
def triple(number):
    return TRIPLE * number


@entry
def table_load(index):
    return np.int64(table_at(index))


@entry
def table_store(index, value):
    set_table(index, np.uint64(value))
    return 0


@compiled
def _sum_of(inner):
    return inner.small + inner.number + inner.last


@entry
def sum_of_fields(address):
    """All fields of an Outer, the array elements weighted by their place."""
    outer = outer_at(address)
    total = np.int64(outer.first) + np.int64(outer.word) + outer.signed + outer.end
    for index in range(len(outer.shorts)):
        total += outer.shorts[index] * (index + 1)
    for index in range(len(outer.many)):
        total += _sum_of(outer.many[index]) * (index + 1)
    return total + _sum_of(outer.inner)


@entry
def fill(address, seed):
    """Every field gets the seed plus its number."""
    outer = outer_at(address)
    outer.first = seed
    outer.word = seed + 1
    for index in range(len(outer.shorts)):
        outer.shorts[index] = seed + 2 + index
    outer.inner.small = seed + 5
    outer.inner.number = -seed
    outer.inner.last = seed + 6
    outer.signed = -seed - 1
    for index in range(len(outer.many)):
        outer.many[index].small = seed + 7 + index
        outer.many[index].number = -seed - 2 - index
        outer.many[index].last = seed + 9 + index
    outer.end = seed + 11
    return 0
