# SPDX-License-Identifier: GPL-3.0-or-later
"""Entry points for every operation on vectors: two blocks of memory in, one out. Without Numba they
are the twins."""

from kingcobra.kernel.compiled import entry
from kingcobra.kernel.instructions import simd
from kingcobra.kernel.levels import target_level

LANES = 64
LOW, HIGH, SHIFT = -100, 1000, 5
DOT_LANES = 32

load_bytes = simd.loader(simd.BYTE, LANES)
load_words = simd.loader(simd.WORD, LANES)
load_longs = simd.loader(simd.LONG, DOT_LANES)
load_few = simd.loader(simd.LONG, 8)
load_unaligned = simd.loader(simd.BYTE, LANES, aligned=False)
load_factors = simd.loader(simd.BYTE, DOT_LANES * simd.BYTES_IN_LONG)
load_few_factors = simd.loader(simd.BYTE, 8 * simd.BYTES_IN_LONG)
spread_words = simd.spreader(simd.WORD, LANES)
sevens = simd.splatter(simd.WORD, LANES, 7)
clamp = simd.clamper(LOW, HIGH)
shift = simd.right_shifter(SHIFT)
to_bytes = simd.narrower(simd.BYTE)


@entry
def add_words(left, right, out):
    simd.store(out, 0, simd.add(load_words(left, 0), load_words(right, 0)))
    return 0


@entry
def subtract_words(left, right, out):
    simd.store(out, 0, simd.subtract(load_words(left, 0), load_words(right, 0)))
    return 0


@entry
def multiply_words(left, right, out):
    simd.store(out, 0, simd.multiply(load_words(left, 0), load_words(right, 0)))
    return 0


@entry
def clamp_words(left, _right, out):
    simd.store(out, 0, clamp(load_words(left, 0)))
    return 0


@entry
def clamp_longs(left, _right, out):
    simd.store(out, 0, clamp(load_longs(left, 0)))
    return 0


@entry
def shift_words(left, _right, out):
    simd.store(out, 0, shift(load_words(left, 0)))
    return 0


@entry
def shift_longs(left, _right, out):
    simd.store(out, 0, shift(load_longs(left, 0)))
    return 0


@entry
def narrow_words(left, _right, out):
    simd.store(out, 0, to_bytes(load_words(left, 0)))
    return 0


@entry
def narrow_longs(left, _right, out):
    simd.store(out, 0, to_bytes(load_longs(left, 0)))
    return 0


@entry
def copy_unaligned(left, _right, out):
    simd.store(out, 0, load_unaligned(left, 3))
    return 0


@entry
def spread_chunk(left, _right, out):
    simd.store(out, 0, spread_words(left, 5))
    return 0


@entry
def add_constant(left, _right, out):
    simd.store(out, 0, simd.add(load_words(left, 0), sevens()))
    return 0


@entry
def dot_of_words(left, right, out):
    simd.store(
        out, 0, simd.dot_words(load_longs(out, 0), load_words(left, 0), load_words(right, 0))
    )
    return 0


@entry
def total_of_longs(left, _right, _out):
    return simd.total(load_longs(left, 0))


@entry
def third_lane(left, _right, _out):
    return simd.lane(load_longs(left, 0), 3)


@entry
def differing_bytes(left, right, _out):
    return simd.differing(load_bytes(left, 0), load_bytes(right, 0))


@entry
def differing_longs(left, right, _out):
    return simd.differing(load_longs(left, 0), load_longs(right, 0))


if target_level().multiplies_bytes:

    @entry
    def dot_of_bytes(left, right, out):
        total = simd.dot_bytes(load_longs(out, 0), load_factors(left, 0), load_factors(right, 0))
        simd.store(out, 0, total)
        return 0

    @entry
    def dot_of_few_bytes(left, right, out):
        left_factors, right_factors = load_few_factors(left, 0), load_few_factors(right, 0)
        simd.store(out, 0, simd.dot_bytes(load_few(out, 0), left_factors, right_factors))
        return 0
