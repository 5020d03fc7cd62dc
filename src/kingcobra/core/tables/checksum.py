# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of CityHashCrc256 that sees every byte of a file.

Five lanes take a word each. A lane's new value is its neighbour's old one, rotated, multiplied and
added to the word; a CRC-32C of each lane's values is kept beside it.
"""

import numpy as np

from kingcobra.core.tables.file_layout import CHECKSUM_LANES
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import add_low, load_u64, multiply_low

CRC_POLYNOMIAL = 0x82F63B78
BYTE_VALUES, BYTE_BITS, WORD_BYTES, WORD_BITS = 256, 8, 8, 64
LOW_BYTE, LOW_HALF = np.uint64(0xFF), np.uint64(0xFFFF_FFFF)
BYTE_SHIFT = np.uint64(8)
STEP_BYTES = CHECKSUM_LANES * WORD_BYTES
STEPS = 6

ROTATIONS = np.array([41, 27, 41, 33, 25], np.int64)
MULTIPLIER = np.uint64(0xC3A5_C85C_97CB_3127)
# Every other step does not multiply, and rotates by another distance.
UNMULTIPLIED, TWIST, NO_TWIST = np.uint64(1), 1, 0


def _crc_table():
    table = []
    for value in range(BYTE_VALUES):
        for _ in range(BYTE_BITS):
            value = value >> 1 ^ (CRC_POLYNOMIAL if value & 1 else 0)
        table.append(value)
    return np.array(table, np.uint64)


CRC_TABLE = _crc_table()


@compiled
def crc_of_word(crc, word):
    """A CRC-32C carried on over the eight bytes of a word, the lowest first."""
    rest = crc & LOW_HALF ^ word
    for _ in range(WORD_BYTES):
        rest = rest >> BYTE_SHIFT ^ CRC_TABLE[np.int64(rest & LOW_BYTE)]
    return rest


@compiled
def rotated(word, distance):
    """A word rotated to the right, by one bit at least."""
    return word >> np.uint64(distance) | word << np.uint64(WORD_BITS - distance)


@compiled
def absorb(state, at, multiplier, twist):
    """One step: a word into each lane."""
    first = state.mixed[0]
    for lane in range(CHECKSUM_LANES):
        source = state.earlier
        if lane + 1 < CHECKSUM_LANES:
            source = state.mixed[lane + 1]
        value = multiply_low(rotated(source, ROTATIONS[lane] ^ twist), multiplier)
        value = add_low(value, load_u64(at, lane))
        state.mixed[lane] = value
        state.sums[lane] = crc_of_word(state.sums[lane], value)
    state.earlier = first


@compiled
def absorb_all(state, at, length):
    """All bytes from an address on, as many as six steps take at least, a multiple of eight."""
    end = at + length
    while end - at >= STEPS * STEP_BYTES:
        for _ in range(STEPS // 2):
            absorb(state, at, UNMULTIPLIED, TWIST)
            absorb(state, at + STEP_BYTES, MULTIPLIER, NO_TWIST)
            at += 2 * STEP_BYTES
    while end - at >= STEP_BYTES:
        absorb(state, at, MULTIPLIER, NO_TWIST)
        at += STEP_BYTES
    if at < end:
        absorb(state, end - STEP_BYTES, MULTIPLIER, NO_TWIST)
