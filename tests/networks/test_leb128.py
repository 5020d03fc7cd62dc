# SPDX-License-Identifier: GPL-3.0-or-later
"""LEB128 by the array against LEB128 by the number."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kingcobra.networks import leb128

EDGES = [0, 1, -1, 63, 64, -64, -65, 8191, 8192, -8192, -8193, 32767, -32768]


def slow_encode(numbers):
    """One number after another."""
    data = bytearray()
    for number in map(int, numbers):
        while not -64 <= number < 64:
            data.append(number & 127 | 128)
            number >>= 7
        data.append(number & 127)
    return bytes(data)


def as_bytes(data):
    return np.frombuffer(data, np.uint8)


@pytest.fixture(params=[5, 7, leb128.BLOCK], autouse=True)
def _block(request, monkeypatch):
    """Blocks so small that they end inside numbers, and the real one."""
    monkeypatch.setattr(leb128, "BLOCK", request.param)


@pytest.mark.parametrize("dtype", [np.int16, np.int32])
def test_numbers_at_the_edges(dtype):
    limits = np.iinfo(dtype)
    numbers = np.array([*EDGES, limits.min, limits.max], dtype)
    data = leb128.encode(numbers)
    assert data == slow_encode(numbers)
    assert leb128.decode(as_bytes(data), len(numbers), dtype).tolist() == numbers.tolist()


@pytest.mark.parametrize("dtype", [np.int16, np.int32])
def test_all_sizes_of_numbers(dtype):
    rng = np.random.default_rng(1)
    bits = rng.integers(0, np.iinfo(dtype).bits, 2000)
    numbers = (rng.integers(-(2**31), 2**31, 2000) >> (31 - bits)).astype(dtype)
    data = leb128.encode(numbers)
    assert data == slow_encode(numbers)
    assert np.array_equal(leb128.decode(as_bytes(data), len(numbers), dtype), numbers)


def test_nothing():
    assert leb128.encode(np.empty(0, np.int16)) == b""
    assert leb128.decode(as_bytes(b""), 0, np.int16).tolist() == []


@pytest.mark.parametrize(
    ("data", "count", "message"),
    [
        (b"\x01\x02", 3, "2 numbers, 3 expected"),
        (b"\x01\x02\x03", 2, "more than 2 numbers"),
        (b"\x01\x80", 1, None),
        (b"\x80", 1, "without an end"),
        (b"\x80\x80\x80\x80\x80\x80\x01", 1, "longer than 3 bytes"),
        (b"\x81\x00", 1, "shortest form"),
        (b"\xff\x7f", 1, "shortest form"),
        (b"\xff\xff\x7f", 1, "shortest form"),
        (b"\x80\x80\x02", 1, "beyond 16 bits"),
        (b"\xff\xff\x7d", 1, "beyond 16 bits"),
        (b"", 1, "0 numbers, 1 expected"),
    ],
)
def test_what_no_encoder_writes_is_refused(data, count, message):
    with pytest.raises(leb128.Leb128Error, match=message):
        leb128.decode(as_bytes(data), count, np.int16)


@given(data=arrays(np.uint8, st.integers(0, 40)), count=st.integers(0, 20))
def test_any_bytes_are_refused_or_come_back(data, count):
    try:
        numbers = leb128.decode(data, count, np.int16)
    except leb128.Leb128Error:
        return
    assert len(numbers) == count
    assert leb128.encode(numbers) == data.tobytes()
