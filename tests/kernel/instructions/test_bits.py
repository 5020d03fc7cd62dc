# SPDX-License-Identifier: GPL-3.0-or-later
"""Every operation three times: compiled, as its twin, and as arithmetic on Python's integers."""

import ctypes

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingcobra.kernel import host
from kingcobra.kernel.instructions import bits
from tests.kernel.probe_entries import TRIPLE

WORD = 1 << 64
MASK = WORD - 1

words = st.one_of(
    st.sampled_from([0, 1, 2, 1 << 31, 1 << 32, 1 << 63, MASK, MASK - 1, 0x5555555555555555]),
    st.integers(0, MASK),
)
set_words = words.filter(bool)
squares = st.integers(0, 63)


def pext_by_digits(word, mask):
    """The definition, with strings of binary digits."""
    picked = [
        digit for digit, wanted in zip(f"{word:064b}", f"{mask:064b}", strict=True) if wanted == "1"
    ]
    return int("".join(picked) or "0", 2)


def agree(compiled, twin, expected, *arguments):
    """All three say the same of these unsigned words."""
    assert compiled(*arguments) & MASK == expected
    assert int(twin(*(np.uint64(argument) for argument in arguments))) & MASK == expected


@given(words)
def test_popcount(probe, word):
    agree(probe.popcount, bits.popcount, f"{word:b}".count("1"), word)


@given(set_words)
def test_lsb(probe, word):
    lowest = next(index for index in range(64) if word >> index & 1)
    agree(probe.lsb, bits.lsb, lowest, word)


@given(set_words)
def test_msb(probe, word):
    agree(probe.msb, bits.msb, len(f"{word:b}") - 1, word)


@given(squares)
def test_bit(probe, square):
    agree(probe.bit, bits.bit, 2**square, square)


@given(words)
def test_without_lsb(probe, word):
    digits = f"{word:064b}"
    cleared = digits[::-1].replace("1", "0", 1)[::-1]
    agree(probe.without_lsb, bits.without_lsb, int(cleared, 2), word)


@given(words, words)
def test_pext(probe, probe_level, word, mask):
    expected = pext_by_digits(word, mask)
    assert int(bits.pext(np.uint64(word), np.uint64(mask))) == expected
    assert ("pext" in probe.names) == probe_level.fast_pext
    if probe_level.fast_pext:
        assert probe.pext(word, mask) & MASK == expected


@given(words, words)
def test_add_low(probe, left, right):
    agree(probe.add_low, bits.add_low, (left + right) % WORD, left, right)


@given(words, words)
def test_multiply_low(probe, left, right):
    agree(probe.multiply_low, bits.multiply_low, left * right % WORD, left, right)


@given(words, words)
def test_multiply_high(probe, left, right):
    agree(probe.multiply_high, bits.multiply_high, left * right // WORD, left, right)


@given(st.sets(squares, max_size=6))
def test_next_subset_counts_through_all_subsets(probe, members):
    mask = sum(2**square for square in members)
    for step in (
        probe.next_subset,
        lambda *arguments: int(bits.next_subset(*map(np.uint64, arguments))),
    ):
        subset = 0
        seen = []
        for _ in range(2 ** len(members)):
            seen.append(subset)
            subset = step(subset, mask) & MASK
        assert subset == 0
        assert seen == sorted(set(seen))
        assert all(found & ~mask == 0 for found in seen)


LOADS = {
    "load_u64": ctypes.c_uint64,
    "load_u16": ctypes.c_uint16,
    "load_i16": ctypes.c_int16,
}


@pytest.mark.parametrize("name", LOADS)
@given(values=st.lists(words, min_size=4, max_size=4))
def test_loads(probe, name, values):
    kind = LOADS[name]
    memory = (kind * 4)(*values)
    address = ctypes.addressof(memory)
    for index in range(4):
        assert getattr(probe, name)(address, index) & MASK == memory[index] & MASK
        assert int(getattr(bits, name)(address, index)) == memory[index]
    # Counted in elements from the address, backwards too.
    behind = address + ctypes.sizeof(memory)
    assert getattr(probe, name)(behind, -1) & MASK == memory[3] & MASK


@pytest.mark.parametrize(("name", "kind"), [("store_u64", "Q"), ("store_u16", "H")])
@given(value=words, index=st.integers(0, 3))
def test_stores_change_their_element_and_nothing_else(probe, name, kind, value, index):
    for store in (getattr(probe, name), getattr(bits, name)):
        memory = np.full(4, 0x1234, dtype=kind)
        expected = memory.copy()
        expected[index] = value % 256**memory.itemsize
        store(memory.ctypes.data, index, value)
        assert memory.tolist() == expected.tolist()


def test_prefetch_of_any_address_is_harmless(probe):
    for address in (0, 1, -1, 1 << 62):
        assert probe.prefetch(address) == 0
        assert bits.prefetch(address) is None


def test_monotonic_ns_is_python_s_clock(probe):
    for clock in (probe.monotonic_ns, bits.monotonic_ns):
        before = host.monotonic_ns()
        reading = clock()
        after = host.monotonic_ns()
        assert before <= reading <= after


@given(st.integers(-(2**61), 2**61))
def test_call_through_an_address(probe, number):
    address = probe.addresses["triple"]
    assert probe.call_address(address, number) == TRIPLE * number
    assert bits.call_address(address, number) == TRIPLE * number


@pytest.mark.parametrize("operation", [bits.lsb, bits.msb])
def test_twins_refuse_an_empty_word(operation):
    with pytest.raises(ValueError, match="no bit is set"):
        operation(np.uint64(0))


@pytest.mark.parametrize("square", [-1, 64, 1000])
def test_twin_of_bit_refuses_what_is_outside_the_word(square):
    with pytest.raises(IndexError, match=f"bit {square}"):
        bits.bit(square)
