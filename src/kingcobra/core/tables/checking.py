# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether all of a part can be decoded: for `kingcobra tb check`, not for probes."""

import numpy as np

from kingcobra.core.tables.parts import (
    BYTE,
    SPAN_BYTES,
    SPAN_PLACE,
    block_length,
    code_length,
    size_of,
    symbol_of,
)
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.file_words import big_u64, little_u16, little_u32

BYTE_SHIFT = 3


@compiled
def is_block_whole(part, block):
    """Whether the codes of a block stand for as many values as it has, or, with the last one, for
    more."""
    at = part.data_at + (block << part.block_bits)
    left = block_length(part, block)
    all_bits = np.int64(BYTE) << part.block_bits
    used_bits = np.int64(0)
    while left > 0:
        if used_bits >= all_bits:
            return False
        # Up to seven bits of the first byte are used already: 57 are enough for any code.
        buffer = big_u64(at + (used_bits >> BYTE_SHIFT)) << np.uint64(used_bits & (BYTE - 1))
        length = code_length(part, buffer)
        symbol = symbol_of(part, buffer, length)
        if symbol >= part.symbols:
            return False
        left -= size_of(part, symbol)
        used_bits += length + part.shortest_code
    return used_bits <= all_bits


@compiled
def first_damaged_block(part, first, count):
    """The first of so many blocks that is damaged; -1 where all are whole."""
    for block in range(first, first + count):
        if not is_block_whole(part, block):
            return block
    return -1


@compiled
def are_spans_right(part):
    """Whether the blocks have as many values as there are positions, and each span names the place
    of its middle."""
    total = np.int64(0)
    for block in range(part.blocks):
        total += block_length(part, block)
    if total != np.int64(part.positions):
        return False
    block = np.int64(0)
    values_before = np.int64(0)
    for span in range(part.spans):
        at = part.spans_at + span * SPAN_BYTES
        named = np.int64(little_u32(at))
        if named < block or named >= part.block_lengths:
            return False
        while block < named:
            values_before += block_length(part, block)
            block += 1
        middle = (span << part.span_bits) + ((1 << part.span_bits) >> 1)
        if values_before + np.int64(little_u16(at + SPAN_PLACE)) != middle:
            return False
    return True
