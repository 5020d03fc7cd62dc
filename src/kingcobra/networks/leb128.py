# SPDX-License-Identifier: GPL-3.0-or-later
"""Signed LEB128, a whole array at a time: seven bits to a byte, lowest first; the top bit says that
another byte follows; the last byte's bit 6 is the sign."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

PAYLOAD_BITS = 7
PAYLOAD, MORE, SIGN = 0x7F, 0x80, 0x40
# Arrays of this many bytes or numbers stay in the CPU's cache through all the steps.
BLOCK = 1 << 17

Bytes = NDArray[np.uint8]


class Leb128Error(ValueError):
    """Bytes that are not what the encoder writes for so many numbers of that type."""


def decode(data: Bytes, count: int, dtype: type[np.integer[Any]]) -> NDArray[Any]:
    """The `count` numbers that the bytes stand for. Leb128Error unless they are exactly so many,
    each in its shortest form and within the range of `dtype`."""
    numbers = np.empty(count, dtype)
    longest = -(-np.iinfo(dtype).bits // PAYLOAD_BITS)
    done = start = 0
    while start < len(data):
        block = _whole_numbers(data[start : start + BLOCK], longest)
        values = _decode_block(block, longest)
        if done + len(values) > count:
            raise Leb128Error(f"more than {count} numbers")
        _require_range(values, dtype)
        numbers[done : done + len(values)] = values
        done += len(values)
        start += len(block)
    if done != count:
        raise Leb128Error(f"{done} numbers, {count} expected")
    return numbers


def _whole_numbers(block: Bytes, longest: int) -> Bytes:
    """The block up to the end of its last whole number."""
    for size in range(len(block), max(len(block) - longest, 0), -1):
        if block[size - 1] < MORE:
            return block[:size]
    raise Leb128Error(f"a number without an end, or longer than {longest} bytes")


def _decode_block(block: Bytes, longest: int) -> NDArray[np.int64]:
    """The numbers of a block. Each begins as its last byte, which carries the sign; the bytes
    before it, which are few, are then shifted in from below, the nearest one first."""
    is_last = block < MORE
    last = block[is_last]
    values = ((last << 1).view(np.int8) >> 1).astype(np.int64)
    earlier = np.flatnonzero(~is_last)
    # As many numbers end before such a byte as there are last bytes before it.
    number = earlier - np.arange(len(earlier))
    for distance in range(1, longest + 1):
        if not len(earlier):
            return values
        if distance == longest:
            break
        is_nearest = np.append(number[1:] != number[:-1], True)
        nearest, owners = block[earlier[is_nearest]], number[is_nearest]
        if distance == 1 and np.any(last[owners] == np.where(nearest & SIGN, PAYLOAD, 0)):
            raise Leb128Error("a number not in its shortest form")
        values[owners] = values[owners] << PAYLOAD_BITS | (nearest & PAYLOAD)
        earlier, number = earlier[~is_nearest], number[~is_nearest]
    raise Leb128Error(f"a number longer than {longest} bytes")


def _require_range(values: NDArray[np.int64], dtype: type[np.integer[Any]]) -> None:
    limits = np.iinfo(dtype)
    if values.min() < limits.min or values.max() > limits.max:
        raise Leb128Error(f"a number beyond {limits.bits} bits")


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
