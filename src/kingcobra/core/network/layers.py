# SPDX-License-Identifier: GPL-3.0-or-later
"""From two accumulators to one number: the transform and the three dense layers.

Numbers between layers are 0 to 127. They are stored in bytes where the CPU level multiplies bytes,
else in words; either way the layers read chunks of four bytes. At least half of the transformed
accumulators' chunks are zero; a first layer that is large, or computed in words, skips them.
"""

from math import gcd

import numpy as np

from kingcobra.core.network.architectures import Transform
from kingcobra.core.network.layout import CHUNK_BYTES, WORD_BYTES, Plan
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import load_i32, load_u16, lsb, store_u16, without_lsb
from kingcobra.kernel.instructions.simd import (
    BYTE,
    LONG,
    MASK_LANES,
    WORD,
    add,
    clamper,
    differing,
    dot_bytes,
    dot_words,
    lane,
    loader,
    multiply,
    narrower,
    right_shifter,
    splatter,
    spreader,
    store,
    total,
)

ACTIVATION_LIMIT = 127
PRODUCT_SHIFT = 7
WEIGHT_SHIFT = 6
# The square of a clipped value, in the units of activations.
SQUARE_SHIFT = 2 * WEIGHT_SHIFT + PRODUCT_SHIFT
# Beyond this a square is past the limit anyway, and within it no square overflows 32 bits.
SQUARE_INPUT_LIMIT = 32_767
# A forwarded output in units of the result: 600 points of 16 parts, for 127 parts of 64.
FORWARDED_NUMERATOR, FORWARDED_DENOMINATOR = 600 * 16, 127 * 64
TRANSFORM_LANES = 64
# With bytes, multiplying up to this many chunks is faster than finding those that are not zero.
MOST_CHUNKS_AT_ONCE = 256

activate = clamper(0, ACTIVATION_LIMIT)
limit_square_input = clamper(-SQUARE_INPUT_LIMIT, SQUARE_INPUT_LIMIT)
shift_product = right_shifter(PRODUCT_SHIFT)
shift_weight = right_shifter(WEIGHT_SHIFT)
shift_square = right_shifter(SQUARE_SHIFT)
narrow_to_words = narrower(WORD)


@compiled
def truncated_quotient(numerator, denominator):
    """The quotient rounded toward zero; the denominator is positive."""
    if numerator < 0:
        return -(-numerator // denominator)
    return numerator // denominator


def transformer(plan: Plan):
    """A compiled function `transform(sums, target)`: one accumulator becomes activations."""
    width = plan.architecture.width
    bits = BYTE if plan.in_bytes else WORD
    size = plan.activation_bytes
    narrow = narrower(bits)
    clipped = plan.architecture.transform is Transform.CLIPPED
    outputs = width if clipped else width // 2
    lanes = gcd(outputs, TRANSFORM_LANES)
    load_sums = loader(WORD, lanes)
    partner_at = outputs * WORD_BYTES

    @compiled
    def clip(sums, target):
        for at in range(0, outputs, lanes):
            store(target, at * size, narrow(activate(load_sums(sums, at * WORD_BYTES))))

    @compiled
    def multiply_pairs(sums, target):
        for at in range(0, outputs, lanes):
            one = activate(load_sums(sums, at * WORD_BYTES))
            other = activate(load_sums(sums, at * WORD_BYTES + partner_at))
            store(target, at * size, narrow(shift_product(multiply(one, other))))

    return clip if clipped else multiply_pairs


def first_layer(plan: Plan):
    """A compiled function `dense(inputs, active, biases, weights)`: all outputs as a vector;
    `active` is space for a list. There are four sums, so no addition waits for the one before."""
    outputs = plan.architecture.hidden[0]
    chunks = plan.first_chunks
    weight_bytes = outputs * CHUNK_BYTES
    zero = splatter(LONG, outputs, 0)
    load_outputs = loader(LONG, outputs)
    bits = BYTE if plan.in_bytes else WORD
    factors = outputs * plan.per_chunk
    spread = spreader(bits, factors)
    load_weights = loader(bits, factors)
    dot = dot_bytes if plan.in_bytes else dot_words
    list_active = active_lister(plan)

    @compiled
    def times_weights(sums, inputs, chunk, weights):
        return dot(sums, spread(inputs, chunk), load_weights(weights, chunk * weight_bytes))

    @compiled
    def of_all_chunks(inputs, _active, biases, weights):
        sum0 = load_outputs(biases, 0)
        sum1 = zero()
        sum2 = zero()
        sum3 = zero()
        for chunk in range(0, chunks, 4):
            sum0 = times_weights(sum0, inputs, chunk, weights)
            sum1 = times_weights(sum1, inputs, chunk + 1, weights)
            sum2 = times_weights(sum2, inputs, chunk + 2, weights)
            sum3 = times_weights(sum3, inputs, chunk + 3, weights)
        return add(add(sum0, sum1), add(sum2, sum3))

    @compiled
    def of_active_chunks(inputs, active, biases, weights):
        count = list_active(inputs, active)
        sum0 = load_outputs(biases, 0)
        sum1 = zero()
        sum2 = zero()
        sum3 = zero()
        index = 0
        while index + 3 < count:
            sum0 = times_weights(sum0, inputs, chunk_number(active, index), weights)
            sum1 = times_weights(sum1, inputs, chunk_number(active, index + 1), weights)
            sum2 = times_weights(sum2, inputs, chunk_number(active, index + 2), weights)
            sum3 = times_weights(sum3, inputs, chunk_number(active, index + 3), weights)
            index += 4
        while index < count:
            sum0 = times_weights(sum0, inputs, chunk_number(active, index), weights)
            index += 1
        return add(add(sum0, sum1), add(sum2, sum3))

    is_small = plan.in_bytes and chunks <= MOST_CHUNKS_AT_ONCE
    return of_all_chunks if is_small else of_active_chunks


@compiled
def chunk_number(active, index):
    """An entry of the list of active chunks."""
    return np.int64(load_u16(active, index))


def active_lister(plan: Plan):
    """A compiled function `list_active(inputs, active)` that writes the numbers of the chunks that
    are not zero, and returns how many there are."""
    chunks = plan.first_chunks
    lanes = gcd(chunks, MASK_LANES)
    load_chunks = loader(LONG, lanes)
    nothing = splatter(LONG, lanes, 0)

    @compiled
    def list_active(inputs, active):
        count = 0
        for base in range(0, chunks, lanes):
            mask = differing(load_chunks(inputs, base * CHUNK_BYTES), nothing())
            while mask:
                store_u16(active, count, np.uint64(base + lsb(mask)))
                mask = without_lsb(mask)
                count += 1
        return count

    return list_active


def later_layers(plan: Plan):
    """A compiled function `finish(sums, hidden, stack)`: from the first layer's outputs, a vector,
    to the network's; `hidden` is space for activations."""
    architecture = plan.architecture
    first_outputs, outputs = architecture.hidden
    squared, forwarded = architecture.squared, architecture.forwarded
    bits = BYTE if plan.in_bytes else WORD
    narrow = narrower(bits)
    clipped_at = first_outputs * plan.activation_bytes if squared else 0
    chunks = plan.second_chunks
    weight_bytes = outputs * CHUNK_BYTES
    factors = outputs * plan.per_chunk
    spread = spreader(bits, factors)
    load_weights = loader(bits, factors)
    dot = dot_bytes if plan.in_bytes else dot_words
    load_outputs = loader(LONG, outputs)
    load_last = loader(WORD, outputs)
    last_zero = splatter(LONG, outputs // 2, 0)
    biases_at = plan.stack_offsets.second_biases
    weights_at = plan.stack_offsets.second_weights
    last_bias_at = plan.stack_offsets.last_bias
    last_weights_at = plan.stack_offsets.last_weights

    @compiled
    def finish(sums, hidden, stack):
        if squared:
            limited = limit_square_input(sums)
            store(hidden, 0, narrow(activate(shift_square(multiply(limited, limited)))))
        store(hidden, clipped_at, narrow(activate(shift_weight(sums))))
        middle = load_outputs(stack, biases_at)
        for chunk in range(chunks):
            weights = load_weights(stack, weights_at + chunk * weight_bytes)
            middle = dot(middle, spread(hidden, chunk), weights)
        activated = narrow_to_words(activate(shift_weight(middle)))
        products = dot_words(last_zero(), activated, load_last(stack, last_weights_at))
        result = load_i32(stack + last_bias_at, 0) + total(products)
        if forwarded:
            skipping = lane(sums, first_outputs - 1) * FORWARDED_NUMERATOR
            result += truncated_quotient(skipping, FORWARDED_DENOMINATOR)
        return result

    return finish
