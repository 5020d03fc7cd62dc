# SPDX-License-Identifier: GPL-3.0-or-later
"""Values out of a part's compressed blocks.

A block is a sequence of symbols in a canonical Huffman code; a symbol is one value, or two
symbols, and so on. A span of positions says in which block its middle lies. A damaged file gives
wrong values or DAMAGED_VALUE; nothing outside the file is read.
"""

import numpy as np

from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import load_u8
from kingcobra.kernel.instructions.file_words import big_u32, big_u64, little_u16, little_u32

DAMAGED_VALUE = -1
# A span's entry: four bytes of block, two of place in it.
SPAN_BYTES = 6
SPAN_PLACE = 4
BLOCK_LENGTH_BYTES = 2
SYMBOL_NUMBER_BYTES = 2
# A node of the tree of symbols: two numbers of twelve bits.
NODE_BYTES = 3
LAST_NODE_BYTE = 2
LOW_BITS = 15
HALF_BYTE = 4
BYTE = 8
# A symbol that is a value has this on its right; the value is on its left.
NO_SYMBOL = 0xFFF

BUFFER_BYTES, BUFFER_BITS = 8, 64
REFILL_BYTES, REFILL_BITS = 4, 32


@compiled
def left_of(part, symbol):
    """The left child of a symbol, or the value of one that has none."""
    node = part.tree_at + symbol * NODE_BYTES
    return np.int64(load_u8(node, 0)) | (np.int64(load_u8(node, 1)) & LOW_BITS) << BYTE


@compiled
def right_of(part, symbol):
    """The right child of a symbol, NO_SYMBOL for a value."""
    node = part.tree_at + symbol * NODE_BYTES
    return (
        np.int64(load_u8(node, 1)) >> HALF_BYTE
        | np.int64(load_u8(node, LAST_NODE_BYTE)) << HALF_BYTE
    )


@compiled
def size_of(part, symbol):
    """How many values a symbol stands for."""
    return np.int64(load_u8(part.sizes_at, symbol)) + 1


@compiled
def block_length(part, block):
    """How many values a block has."""
    return np.int64(little_u16(part.block_lengths_at + block * BLOCK_LENGTH_BYTES)) + 1


@compiled
def value_at(part, index):
    """The value of a number below part.positions; DAMAGED_VALUE where there is none."""
    span = part.spans_at + (index >> part.span_bits) * SPAN_BYTES
    block = np.int64(little_u32(span))
    if block >= part.block_lengths:
        return DAMAGED_VALUE
    span_length = 1 << part.span_bits
    place = np.int64(little_u16(span + SPAN_PLACE))
    place += (index & (span_length - 1)) - (span_length >> 1)
    while place < 0:
        block -= 1
        if block < 0:
            return DAMAGED_VALUE
        place += block_length(part, block)
    while place >= block_length(part, block):
        place -= block_length(part, block)
        block += 1
        if block >= part.block_lengths:
            return DAMAGED_VALUE
    if block >= part.blocks:
        return DAMAGED_VALUE
    return value_in_block(part, part.data_at + (block << part.block_bits), place)


@compiled
def code_length(part, buffer):
    """Which code length, from the shortest on, the code at the buffer's upper end has."""
    number = 0
    while buffer < part.lowest_code[number]:
        number += 1
    return number


@compiled
def symbol_of(part, buffer, length):
    """The symbol of the code of that length at the buffer's upper end; a damaged file may give one
    that does not exist."""
    shift = np.uint64(BUFFER_BITS - length - part.shortest_code)
    beyond = (buffer - part.lowest_code[length]) >> shift
    first = little_u16(part.first_symbols_at + length * SYMBOL_NUMBER_BYTES)
    return np.int64(beyond) + np.int64(first)


@compiled
def value_in_block(part, at, place):
    """The value at a place of the block that begins at an address."""
    buffer = big_u64(at)
    bits = BUFFER_BITS
    at += BUFFER_BYTES
    while True:
        length = code_length(part, buffer)
        symbol = symbol_of(part, buffer, length)
        if symbol >= part.symbols:
            return DAMAGED_VALUE
        size = size_of(part, symbol)
        if place < size:
            return value_in_symbol(part, symbol, place)
        place -= size
        code_bits = length + part.shortest_code
        buffer <<= np.uint64(code_bits)
        bits -= code_bits
        if bits <= REFILL_BITS:
            if at + REFILL_BYTES > part.end_at:
                return DAMAGED_VALUE
            bits += REFILL_BITS
            buffer |= big_u32(at) << np.uint64(BUFFER_BITS - bits)
            at += REFILL_BYTES


@compiled
def value_in_symbol(part, symbol, place):
    """The value at a place of a symbol, which stands for more values than that."""
    while size_of(part, symbol) > 1:
        left = left_of(part, symbol)
        size = size_of(part, left)
        if place < size:
            symbol = left
        else:
            place -= size
            symbol = right_of(part, symbol)
    return left_of(part, symbol)
