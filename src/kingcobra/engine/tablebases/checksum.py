# SPDX-License-Identifier: GPL-3.0-or-later
"""The checksum in the last 16 bytes of a table: CityHashCrc256 (of CityHash 1.0) of every 16 MiB of
the rest, and CityHashCrc128 of these one after the other."""

import ctypes
from collections.abc import Callable

from kingcobra.core.tables.file_layout import Checksum
from kingcobra.kernel.objects import LoadedObject

CHUNK_BYTES = 16 << 20
CHECKSUM_BYTES = 16
# Shorter input is hashed without the lanes.
SHORTEST_FOR_LANES = 901

# Less is padded with zeros.
LEAST_BYTES = 240
SEED_MASK = (1 << 32) - 1

MASK = (1 << 64) - 1
K0, K1, K3 = 0xC3A5_C85C_97CB_3127, 0xB492_B66F_BE98_F273, 0xC949_D7C7_509E_6557
FINAL_MULTIPLIER = 0x9DDF_EA08_EB38_2D69
MIX_SHIFT = 47

Pair = tuple[int, int]
Progress = Callable[[int], None]


def checksum_of(core: LoadedObject, address: int, size: int, progress: Progress) -> bytes:
    """What the last bytes of a mapped table of that size should be. `progress` hears how many bytes
    are done."""
    end = size - CHECKSUM_BYTES
    digests = b""
    for start in range(0, end, CHUNK_BYTES):
        length = min(CHUNK_BYTES, end - start)
        digests += _bytes(hash_with_lanes(core, address + start, length))
        progress(start + length)
    return hash_of_digests(core, digests)


def hash_of_digests(core: LoadedObject, data: bytes) -> bytes:
    """CityHashCrc128 of 32 bytes or a multiple of them."""
    if len(data) < SHORTEST_FOR_LANES:
        return _bytes(short_hash(_words(data)))
    memory = (ctypes.c_char * len(data)).from_buffer_copy(data)
    return _bytes(hash_with_lanes(core, ctypes.addressof(memory), len(data))[2:])


def _words(data: bytes) -> list[int]:
    return [int.from_bytes(data[at : at + 8], "little") for at in range(0, len(data), 8)]


def _bytes(words: tuple[int, ...]) -> bytes:
    return b"".join(word.to_bytes(8, "little") for word in words)


# --- arithmetic -------------------------------------------------------------------------------


def _rotated(word: int, distance: int) -> int:
    word &= MASK
    return (word >> distance | word << 64 - distance) & MASK


def _folded(word: int) -> int:
    word &= MASK
    return word ^ word >> MIX_SHIFT


def _joined(low: int, high: int) -> int:
    """One word of two."""
    first = _folded((low ^ high) * FINAL_MULTIPLIER)
    second = _folded((high ^ first) * FINAL_MULTIPLIER)
    return second * FINAL_MULTIPLIER & MASK


# --- long input -------------------------------------------------------------------------------


def hash_with_lanes(core: LoadedObject, address: int, length: int) -> tuple[int, int, int, int]:
    """CityHashCrc256 of a multiple of eight bytes."""
    if length >= LEAST_BYTES:
        return _hash_long(core, address, length, seed=0)
    padded = ctypes.create_string_buffer(ctypes.string_at(address, length), LEAST_BYTES)
    return _hash_long(core, ctypes.addressof(padded), LEAST_BYTES, seed=~length & SEED_MASK)


def _hash_long(
    core: LoadedObject, address: int, length: int, seed: int
) -> tuple[int, int, int, int]:
    words = (ctypes.c_uint64 * (length // 8)).from_address(address)
    state = Checksum()
    state.sums[0] = seed
    first = words[7] + K0
    second = words[12] + K0 & MASK
    third = _joined(second, length)
    fourth = words[15] * K0 + length & MASK
    state.mixed[:] = [first & MASK, second, third, fourth, words[23] + seed & MASK]
    state.earlier = third + fourth & MASK
    core.absorb_bytes(ctypes.addressof(state), address, length)
    return _finished(state, third, fourth)


def _finished(state: Checksum, start_low: int, start_high: int) -> tuple[int, int, int, int]:
    a, b, c, d, e = state.mixed
    f, g, h, i, j = state.sums
    j += i << 32
    a = _joined(a, j & MASK)
    h += g << 32
    b += h
    c = _joined(c, f) + i
    d = _joined(d, e + start_low & MASK)
    j += e
    i += _joined(h & MASK, state.earlier)
    e = _joined(a, d) + j
    f = _joined(b & MASK, c & MASK) + a
    g = _joined(j & MASK, i & MASK) + c
    results = [e + f + g + h & MASK]
    a = _folded((a + g) * K0) * K0 + b
    results.append(start_high + a + results[0] & MASK)
    a = _folded(a * K0) * K0 + c
    results.append(a + results[1] & MASK)
    a = _folded((a + e) * K0) * K0
    results.append(a + results[2] & MASK)
    return results[0], results[1], results[2], results[3]


# --- short input ------------------------------------------------------------------------------


def short_hash(words: list[int]) -> Pair:
    """CityHash128 of four words or more."""
    low, high = words[0] ^ K3, words[1]
    rest = words[2:]
    if len(rest) * 8 < 128:
        return _hash_few(rest, low, high)
    return _hash_many(rest, low, high)


def _hash_few(words: list[int], a: int, b: int) -> Pair:
    length = 8 * len(words)
    if len(words) == 2:
        a = _folded(a * K1) * K1 & MASK
        last = words[1]
        c = b * K1 + (_joined(words[0], _rotated(last + length, length)) ^ last)
        d = _folded(a + words[0])
    else:
        c = _joined(words[-1] + K1 & MASK, a)
        d = _joined(b + length & MASK, c + words[-2] & MASK)
        a += d
        for at in range(0, len(words) - 2, 2):
            a = (a & MASK ^ _folded(words[at] * K1) * K1 & MASK) * K1 & MASK
            b ^= a
            c = (c & MASK ^ _folded(words[at + 1] * K1) * K1 & MASK) * K1 & MASK
            d ^= c
    a = _joined(a & MASK, c & MASK)
    b = _joined(d, b)
    return a ^ b, _joined(b, a)


def _weak(words: list[int], a: int, b: int) -> Pair:
    """Two words of four and two seeds."""
    w, x, y, z = words
    a += w
    b = _rotated(b + a + z, 21)
    c = a
    a += x + y
    return a + z & MASK, b + _rotated(a, 44) + c & MASK


def _hash_many(words: list[int], x: int, y: int) -> Pair:
    z = 8 * len(words) * K1 & MASK
    v_low = _rotated(y ^ K1, 49) * K1 + words[0] & MASK
    v = v_low, _rotated(v_low, 42) * K1 + words[1] & MASK
    w = _rotated(y + z, 35) * K1 + x & MASK, _rotated(x + words[11], 53) * K1 & MASK
    # Twice eight words at a time.
    whole = len(words) // 16 * 16
    for at in range(0, whole, 8):
        block = words[at : at + 8]
        x = _rotated(x + y + v[0] + block[1], 37) * K1 & MASK
        y = _rotated(y + v[1] + block[6], 42) * K1
        x ^= w[1]
        y = y + v[0] + block[5] & MASK
        z = _rotated(z + w[0], 33) * K1 & MASK
        v = _weak(block[:4], v[1] * K1, x + w[0])
        w = _weak(block[4:], z + w[1], y + block[2])
        x, z = z, x
    x += _rotated(v[0] + z, 49) * K0
    z += _rotated(w[0], 37) * K0
    # The rest, from the end, in fours: the last of them may reach back into what was hashed.
    for done in range(4, len(words) - whole + 4, 4):
        at = len(words) - done
        y = _rotated(x + y, 42) * K0 + v[1]
        w_low = w[0] + words[at + 2] & MASK
        x = x * K0 + w_low
        z += w[1] + words[at]
        w = w_low, w[1] + v[0] & MASK
        v = _weak(words[at : at + 4], v[0] + z, v[1])
    x = _joined(x & MASK, v[0])
    y = _joined(y + z & MASK, w[0])
    low = _joined(x + v[1] & MASK, w[1]) + y & MASK
    return low, _joined(x + w[1] & MASK, y + v[1] & MASK)
