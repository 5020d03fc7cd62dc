# SPDX-License-Identifier: GPL-3.0-or-later
"""Words of a file: compiled, as twins, and as Python reads them."""

import ctypes

import pytest

from kingcobra.kernel.instructions import bits, file_words

BYTES = bytes(range(200, 224))
MASK = (1 << 64) - 1


@pytest.mark.parametrize("offset", range(9))
@pytest.mark.parametrize(
    ("name", "size", "order"),
    [
        ("little_u16", 2, "little"),
        ("little_u32", 4, "little"),
        ("big_u32", 4, "big"),
        ("big_u64", 8, "big"),
    ],
)
def test_words_at_any_address(probe, name, size, order, offset):
    memory = ctypes.create_string_buffer(BYTES)
    address = ctypes.addressof(memory) + offset
    expected = int.from_bytes(BYTES[offset : offset + size], order)
    assert getattr(probe, name)(address) & MASK == expected
    assert int(getattr(file_words, name)(address)) == expected


@pytest.mark.parametrize("value", [0, 5, -1, -(1 << 63)])
def test_a_published_word_is_read(probe, value):
    word = ctypes.c_int64(99)
    address = ctypes.addressof(word)
    probe.publish(address, value)
    assert word.value == value
    assert probe.published(address) == value
    word.value = 99
    file_words.publish(address, value)
    assert int(file_words.published(address)) == value


def test_a_byte_is_stored_alone(probe):
    memory = ctypes.create_string_buffer(BYTES)
    probe.store_u8(ctypes.addressof(memory), 3, 0x1FF)
    assert memory.raw[:5] == BYTES[:3] + b"\xff" + BYTES[4:5]
    bits.store_u8(ctypes.addressof(memory), 3, 7)
    assert memory.raw[:5] == BYTES[:3] + b"\x07" + BYTES[4:5]
