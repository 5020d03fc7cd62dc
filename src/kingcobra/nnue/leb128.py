# SPDX-License-Identifier: GPL-3.0-or-later
"""Signed LEB128, a whole array at a time: seven bits to a byte, lowest first; the top bit says that
another byte follows; the last byte's bit 6 is the sign."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

PAYLOAD_BITS = 7
PAYLOAD, MORE, SIGN = 0x7F, 0x80, 0x40
# Arrays of this many bytes or numbers stay in the CPU's cache through all the steps.
BLOCK = 1 << 18

Bytes = NDArray[np.uint8]


class Leb128Error(ValueError):
    """Bytes that are not what the encoder writes for so many numbers of that type."""


def decode(data: Bytes, count: int, dtype: type[np.integer[Any]]) -> NDArray[Any]:
    """The `count` numbers that the bytes stand for. Leb128Error unless they are exactly so many,
    each in its shortest form and within the range of `dtype`."""
    numbers = np.empty(count, dtype)
    done = start = 0
    while start < len(data):
        block = data[start : start + BLOCK]
        ends = np.flatnonzero(block < MORE)
        if not len(ends):
            raise Leb128Error("a number without an end")
        if done + len(ends) > count:
            raise Leb128Error(f"more than {count} numbers")
        _decode_block(block, ends, numbers[done : done + len(ends)])
        done += len(ends)
        start += int(ends[-1]) + 1
    if done != count:
        raise Leb128Error(f"{done} numbers, {count} expected")
    return numbers


def _decode_block(block: Bytes, ends: NDArray[np.intp], numbers: NDArray[Any]) -> None:
    """Fills `numbers` with what ends at `ends`. Built from the last byte of each number down: the
    last one carries the sign, each earlier one is shifted in from below."""
    limits = np.iinfo(numbers.dtype)
    longest = -(-limits.bits // PAYLOAD_BITS)
    last = block[ends]
    values = (last << 1).view(np.int8).astype(np.int64 if limits.bits > 16 else np.int32) >> 1
    lengths = np.diff(ends, prepend=-1)
    remaining = np.flatnonzero(lengths > 1)
    before = block[ends[remaining] - 1]
    redundant = np.where(before & SIGN, PAYLOAD, 0)
    if np.any(last[remaining] == redundant):
        raise Leb128Error("a number not in its shortest form")
    for position in range(1, longest):
        if not len(remaining):
            break
        payload = block[ends[remaining] - position] & PAYLOAD
        values[remaining] = values[remaining] << PAYLOAD_BITS | payload
        remaining = remaining[lengths[remaining] > position + 1]
    if len(remaining):
        raise Leb128Error(f"a number longer than {longest} bytes")
    if len(values) and (values.min() < limits.min or values.max() > limits.max):
        raise Leb128Error(f"a number beyond {limits.bits} bits")
    numbers[:] = values


def encode(numbers: NDArray[Any]) -> bytes:
    """The bytes of an array, in C order, each number in its shortest form."""
    flat = np.ascontiguousarray(numbers).reshape(-1)
    return b"".join(
        _encode_block(flat[start : start + BLOCK]) for start in range(0, len(flat), BLOCK)
    )


def _encode_block(numbers: NDArray[Any]) -> bytes:
    values = numbers.astype(np.int64)
    magnitudes = np.where(values < 0, ~values, values)
    lengths = np.ones(len(values), np.intp)
    limit = SIGN
    while (longer := magnitudes >= limit).any():
        lengths += longer
        limit <<= PAYLOAD_BITS
    ends = np.cumsum(lengths)
    starts = ends - lengths
    data = np.empty(int(ends[-1]), np.uint8)
    for position in range(int(lengths.max())):
        here = np.flatnonzero(lengths > position)
        payload = values[here] >> PAYLOAD_BITS * position & PAYLOAD
        data[starts[here] + position] = payload | np.where(lengths[here] > position + 1, MORE, 0)
    return data.tobytes()
