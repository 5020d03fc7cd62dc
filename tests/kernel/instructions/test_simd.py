# SPDX-License-Identifier: GPL-3.0-or-later
"""Vectors: every operation compiled for every level, as its twin, and as arithmetic on NumPy's
64-bit integers."""

import os
import subprocess
import sys

import numpy as np
import pytest

from kingcobra.kernel.build import Builder
from kingcobra.kernel.host import CACHE_VARIABLE
from kingcobra.kernel.instructions.simd import MOST_IN_DOT
from kingcobra.kernel.levels import LEVEL_VARIABLE
from kingcobra.kernel.objects import ObjectSpec
from tests.kernel.probe_simd import DOT_LANES, HIGH, LANES, LOW, SHIFT

SPEC = ObjectSpec(
    "probe-simd", ("tests.kernel.probe_simd",), ("kingcobra.kernel.instructions.simd",)
)
BLOCK_BYTES = 256
MASK = (1 << 64) - 1

WORDS, LONGS, BYTES = np.int16, np.int32, np.int8


def words(block):
    return block[: LANES * 2].view(WORDS).astype(np.int64)


def longs(block, lanes=DOT_LANES):
    return block[: lanes * 4].view(LONGS).astype(np.int64)


def octets(block, lanes, kind=BYTES):
    return block[: lanes * 4].view(kind).astype(np.int64)


def dot(out, left, right, group):
    return out + (left * right).reshape(-1, group).sum(axis=1)


def mask_of(different):
    return sum(1 << int(lane) for lane in np.flatnonzero(different))


# What each operation leaves in the third block, as integers and the type that holds them.
STORED = {
    "add_words": (WORDS, lambda a, b, _c: words(a) + words(b)),
    "subtract_words": (WORDS, lambda a, b, _c: words(a) - words(b)),
    "multiply_words": (WORDS, lambda a, b, _c: words(a) * words(b)),
    "clamp_words": (WORDS, lambda a, _b, _c: np.clip(words(a), LOW, HIGH)),
    "clamp_longs": (LONGS, lambda a, _b, _c: np.clip(longs(a), LOW, HIGH)),
    "shift_words": (WORDS, lambda a, _b, _c: words(a) // 2**SHIFT),
    "shift_longs": (LONGS, lambda a, _b, _c: longs(a) // 2**SHIFT),
    "narrow_words": (BYTES, lambda a, _b, _c: words(a)),
    "narrow_longs": (BYTES, lambda a, _b, _c: longs(a)),
    "copy_unaligned": (BYTES, lambda a, _b, _c: a[3 : 3 + LANES].astype(np.int64)),
    "spread_chunk": (WORDS, lambda a, _b, _c: np.tile(words(a)[10:12], LANES // 2)),
    "add_constant": (WORDS, lambda a, _b, _c: words(a) + 7),
    "dot_of_words": (LONGS, lambda a, b, c: dot(longs(c), words(a), words(b), 2)),
    "dot_of_bytes": (
        LONGS,
        lambda a, b, c: dot(
            longs(c), octets(a, DOT_LANES, np.uint8), octets(b, DOT_LANES), group=4
        ),
    ),
    "dot_of_few_bytes": (
        LONGS,
        lambda a, b, c: dot(longs(c, 8), octets(a, 8, np.uint8), octets(b, 8), group=4),
    ),
}
DOTS_OF_BYTES = ("dot_of_bytes", "dot_of_few_bytes")
RETURNED = {
    "total_of_longs": lambda a, _b: int(longs(a).sum().astype(np.int32)),
    "third_lane": lambda a, _b: int(longs(a)[3]),
    "differing_bytes": lambda a, b: mask_of(a[:LANES] != b[:LANES]),
    "differing_longs": lambda a, b: mask_of(longs(a) != longs(b)),
}


@pytest.fixture(scope="session")
def vectors(probe_cache, probe_level):
    """The probe for a level."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(CACHE_VARIABLE, str(probe_cache))
        patch.setenv(LEVEL_VARIABLE, probe_level.name)
        return Builder(SPEC, report=lambda _text: None).obtain()


def random_blocks(seed):
    """Three aligned blocks; the first two agree in many places."""
    rng = np.random.default_rng(seed)
    room = rng.integers(0, 256, 4 * BLOCK_BYTES, np.uint8)
    start = -room.ctypes.data % BLOCK_BYTES
    blocks = [room[start + n * BLOCK_BYTES :][:BLOCK_BYTES] for n in range(3)]
    same = rng.random(BLOCK_BYTES // 4) < 0.5
    blocks[1].view(np.int32)[same] = blocks[0].view(np.int32)[same]
    return blocks


def run_all(operations):
    """Every operation of an object on the same blocks gives what arithmetic says."""
    for seed in range(20):
        for name, (kind, arithmetic) in STORED.items():
            if name not in operations.names:
                continue
            left, right, out = random_blocks(seed)
            if name in DOTS_OF_BYTES:
                left &= MOST_IN_DOT
            expected = arithmetic(left, right, out).astype(kind)
            getattr(operations, name)(*(block.ctypes.data for block in (left, right, out)))
            found = out[: expected.nbytes].view(kind)
            assert np.array_equal(found, expected), name
        for name, arithmetic in RETURNED.items():
            left, right, out = random_blocks(seed)
            expected = arithmetic(left, right)
            found = getattr(operations, name)(*(b.ctypes.data for b in (left, right, out)))
            assert found & MASK == expected & MASK, name


def test_compiled_operations(vectors, probe_level):
    assert ("dot_of_bytes" in vectors.names) == probe_level.multiplies_bytes
    run_all(vectors)


def test_dots_of_the_greatest_bytes(vectors, probe_level):
    """Two products at once would be one too many for 16 bits if bytes were any greater."""
    if not probe_level.multiplies_bytes:
        pytest.skip("a level that multiplies words")
    for factor in (-128, 127):
        left, right, out = random_blocks(seed=1)
        left[:], right[:] = MOST_IN_DOT, np.int8(factor).view(np.uint8)
        expected = longs(out) + 4 * MOST_IN_DOT * factor
        vectors.dot_of_bytes(*(block.ctypes.data for block in (left, right, out)))
        assert longs(out).tolist() == expected.tolist()


def test_twins():
    environment = dict(os.environ, NUMBA_DISABLE_JIT="1")
    program = (
        "from tests.kernel.instructions import test_simd; test_simd.run_all(test_simd.twins())"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr


def twins():
    """The probe without Numba; only for a process that is so."""
    return Builder(SPEC, report=lambda _text: None).obtain()
