# SPDX-License-Identifier: GPL-3.0-or-later
"""The structure of a file: every number that a probe relies on is checked here once.

magic, flags
for each file of the leading pawn:  order of the groups, men
for each file, each side:           sizes, code lengths, tree of symbols
DTZ, for each file:                 four maps of distances
for each file, each side:           spans; then block lengths; then blocks
checksum
"""

import numpy as np

from kingcobra.core.tables.cursor import CHECKSUM_BYTES, align, has_room, here
from kingcobra.core.tables.file_layout import (
    MAPPED_FLAG,
    MAPS,
    MAX_CODE_BITS,
    MAX_FILES,
    MAX_SIDES,
    MAX_SYMBOLS,
    SINGLE_VALUE_FLAG,
    SOUND,
    TOO_SHORT,
    WIDE_FLAG,
    WRONG_CODES,
    WRONG_MAGIC,
    WRONG_SIDES,
    WRONG_SIZE,
    WRONG_SYMBOLS,
)
from kingcobra.core.tables.layout import DTZ, WDL
from kingcobra.core.tables.parse_men import WORD_ALIGNMENT, describe_material, read_all_men
from kingcobra.core.tables.parts import (
    BLOCK_LENGTH_BYTES,
    BUFFER_BITS,
    NO_SYMBOL,
    NODE_BYTES,
    SPAN_BYTES,
    SYMBOL_NUMBER_BYTES,
    left_of,
    right_of,
)
from kingcobra.core.tables.views import PART_BYTES, part_at
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import load_u8, store_u8
from kingcobra.kernel.instructions.file_words import big_u32, little_u16, little_u32

WDL_MAGIC, DTZ_MAGIC = 0x71E8235D, 0xD7660CA5
HEADER_BYTES = 5
FLAGS_AT = 4
SPLIT_FLAG, PAWNS_FLAG = 1, 2
BLOCK_ALIGNMENT = 64
# Sizes of a part: flags, block bits, span bits, padding, four bytes of block count, longest and
# shortest code. A part with a single value has only the flags and that value.
SINGLE_VALUE_BYTES, SIZES_BYTES = 2, 10
BLOCK_BITS_AT, SPAN_BITS_AT, PADDING_AT, BLOCKS_AT, LONGEST_AT, SHORTEST_AT = 1, 2, 3, 4, 8, 9
# A block holds at least what fills the buffer of the decoder.
MIN_BLOCK_BITS, MAX_BLOCK_BITS, MAX_SPAN_BITS = 3, 31, 31
# How many values a symbol stands for, less one, fits in a byte.
MAX_VALUES = 256
DAMAGED_SYMBOL = -1


@compiled
def parse(table):
    """Fills the table's record and its parts, whose memory it names, but for the sizes of symbols.
    SOUND, or what is wrong: the parts are then meaningless."""
    describe_material(table)
    problem = read_header(table)
    if problem == SOUND:
        problem = read_all_men(table)
    if problem == SOUND:
        problem = read_all_codes(table)
    if problem == SOUND and table.kind == DTZ:
        problem = read_all_maps(table)
    if problem == SOUND:
        problem = find_blocks(table)
    return problem


@compiled
def part_of(table, number):
    """One of the parts that are being filled."""
    return part_at(table.memory + number * PART_BYTES)


@compiled
def read_header(table):
    """Size, magic, and flags that are right for this material."""
    if table.file_bytes % BLOCK_ALIGNMENT != CHECKSUM_BYTES or table.file_bytes < BLOCK_ALIGNMENT:
        return WRONG_SIZE
    magic = np.int64(big_u32(table.bytes_at))
    if magic != (WDL_MAGIC if table.kind == WDL else DTZ_MAGIC):
        return WRONG_MAGIC
    flags = np.int64(load_u8(table.bytes_at, FLAGS_AT))
    split = flags & SPLIT_FLAG != 0
    pawns = flags & PAWNS_FLAG != 0
    if split == (table.symmetric != 0) or pawns != (table.leading_pawns != 0):
        return WRONG_SIDES
    table.sides = MAX_SIDES if split and table.kind == WDL else 1
    table.files = MAX_FILES if pawns else 1
    table.read = HEADER_BYTES
    return SOUND


# --- sizes and codes --------------------------------------------------------------------------


@compiled
def read_all_codes(table):
    """Sizes and codes of all parts."""
    for number in range(table.files * table.sides):
        problem = read_codes(table, part_of(table, number))
        if problem != SOUND:
            return problem
    return SOUND


@compiled
def read_codes(table, part):
    """Sizes of a part, its code lengths and where its tree is."""
    part.blocks = part.block_lengths = part.spans = part.symbols = 0
    part.end_at = table.bytes_at + table.file_bytes
    if not has_room(table, SINGLE_VALUE_BYTES):
        return TOO_SHORT
    part.features = np.int64(load_u8(here(table), 0))
    if part.features & SINGLE_VALUE_FLAG:
        part.value = np.int64(load_u8(here(table), 1))
        table.read += SINGLE_VALUE_BYTES
        return SOUND
    if not has_room(table, SIZES_BYTES):
        return TOO_SHORT
    sizes = here(table)
    part.block_bits = np.int64(load_u8(sizes, BLOCK_BITS_AT))
    part.span_bits = np.int64(load_u8(sizes, SPAN_BITS_AT))
    part.blocks = np.int64(little_u32(sizes + BLOCKS_AT))
    part.block_lengths = part.blocks + np.int64(load_u8(sizes, PADDING_AT))
    longest = np.int64(load_u8(sizes, LONGEST_AT))
    part.shortest_code = np.int64(load_u8(sizes, SHORTEST_AT))
    part.code_lengths = longest - part.shortest_code + 1
    if not MIN_BLOCK_BITS <= part.block_bits <= MAX_BLOCK_BITS or part.span_bits > MAX_SPAN_BITS:
        return WRONG_CODES
    if not 1 <= part.shortest_code <= longest <= MAX_CODE_BITS:
        return WRONG_CODES
    span_length = np.int64(1) << part.span_bits
    part.spans = (np.int64(part.positions) + span_length - 1) >> part.span_bits
    table.read += SIZES_BYTES
    return read_symbols(table, part)


@compiled
def read_symbols(table, part):
    """The first symbol of each code length, and the tree."""
    first_bytes = part.code_lengths * SYMBOL_NUMBER_BYTES
    if not has_room(table, first_bytes + SYMBOL_NUMBER_BYTES):
        return TOO_SHORT
    part.first_symbols_at = here(table)
    table.read += first_bytes
    part.symbols = np.int64(little_u16(here(table)))
    table.read += SYMBOL_NUMBER_BYTES
    if part.symbols > MAX_SYMBOLS:
        return WRONG_SYMBOLS
    if not has_room(table, part.symbols * NODE_BYTES):
        return TOO_SHORT
    part.tree_at = here(table)
    table.read += part.symbols * NODE_BYTES
    align(table, WORD_ALIGNMENT)
    set_lowest_codes(part)
    return SOUND


@compiled
def set_lowest_codes(part):
    """The lowest code of each length, from the longest, whose lowest is zero, to the shortest; at
    the upper end of a word, as the decoder compares them."""
    lowest = np.uint64(0)
    part.lowest_code[part.code_lengths - 1] = lowest
    for length in range(part.code_lengths - 2, -1, -1):
        at = part.first_symbols_at + length * SYMBOL_NUMBER_BYTES
        lowest = (lowest + little_u16(at) - little_u16(at + SYMBOL_NUMBER_BYTES)) >> np.uint64(1)
        shift = BUFFER_BITS - length - part.shortest_code
        part.lowest_code[length] = lowest << np.uint64(shift)


# --- maps of distances ------------------------------------------------------------------------


@compiled
def read_all_maps(table):
    """The maps of all files. Their lengths and values have one byte, or two where they are wide."""
    for number in range(table.files):
        part = part_of(table, number)
        for result in range(MAPS):
            part.map_at[result] = part.map_length[result] = 0
        if part.features & MAPPED_FLAG:
            problem = read_maps(table, part)
            if problem != SOUND:
                return problem
    align(table, WORD_ALIGNMENT)
    return SOUND


@compiled
def read_maps(table, part):
    """The four maps of a part."""
    width = 1
    if part.features & WIDE_FLAG:
        width = 2
        align(table, WORD_ALIGNMENT)
    for result in range(MAPS):
        if not has_room(table, width):
            return TOO_SHORT
        length = np.int64(load_u8(here(table), 0))
        if width == 2:
            length = np.int64(little_u16(here(table)))
        table.read += width
        if not has_room(table, length * width):
            return TOO_SHORT
        part.map_at[result] = here(table)
        part.map_length[result] = length
        table.read += length * width
    return SOUND


# --- spans and blocks -------------------------------------------------------------------------


@compiled
def find_blocks(table):
    """Where spans, block lengths and blocks of all parts are."""
    parts = table.files * table.sides
    for number in range(parts):
        part = part_of(table, number)
        part.spans_at = here(table)
        if not has_room(table, part.spans * SPAN_BYTES):
            return TOO_SHORT
        table.read += part.spans * SPAN_BYTES
    for number in range(parts):
        part = part_of(table, number)
        part.block_lengths_at = here(table)
        if not has_room(table, part.block_lengths * BLOCK_LENGTH_BYTES):
            return TOO_SHORT
        table.read += part.block_lengths * BLOCK_LENGTH_BYTES
    for number in range(parts):
        part = part_of(table, number)
        align(table, BLOCK_ALIGNMENT)
        part.data_at = here(table)
        if not has_room(table, part.blocks << part.block_bits):
            return TOO_SHORT
        table.read += part.blocks << part.block_bits
    return SOUND


# --- sizes of symbols -------------------------------------------------------------------------


@compiled
def count_symbols(table):
    """How many symbols all parts have: the bytes that their sizes need."""
    count = 0
    for number in range(table.files * table.sides):
        count += part_of(table, number).symbols
    return count


@compiled
def size_symbols(table, memory):
    """Writes the sizes of all symbols into memory for count_symbols bytes, all zero, and for as
    many marks behind them. SOUND, or WRONG_SYMBOLS where a tree has loops or loose ends."""
    marks = memory + count_symbols(table)
    for number in range(table.files * table.sides):
        part = part_of(table, number)
        part.sizes_at = memory
        for symbol in range(part.symbols):
            if sized(part, marks, symbol, np.int64(0)) == DAMAGED_SYMBOL:
                return WRONG_SYMBOLS
        memory += part.symbols
        marks += part.symbols
    return SOUND


@compiled
def sized(part, marks, symbol, depth):
    """How many values a symbol stands for, written down once it is known; DAMAGED_SYMBOL where
    that would be none, or too many. So many levels have so many values: a loop ends here."""
    if symbol >= part.symbols or depth >= MAX_VALUES:
        return DAMAGED_SYMBOL
    if load_u8(marks, symbol):
        return np.int64(load_u8(part.sizes_at, symbol)) + 1
    size = np.int64(1)
    if right_of(part, symbol) != NO_SYMBOL:
        left = sized(part, marks, left_of(part, symbol), depth + 1)
        if left == DAMAGED_SYMBOL:
            return DAMAGED_SYMBOL
        right = sized(part, marks, right_of(part, symbol), depth + 1)
        if right == DAMAGED_SYMBOL or left + right > MAX_VALUES:
            return DAMAGED_SYMBOL
        size = left + right
    store_u8(part.sizes_at, symbol, np.uint64(size - 1))
    store_u8(marks, symbol, np.uint64(1))
    return size
