# SPDX-License-Identifier: GPL-3.0-or-later
"""The shared hash table: buckets of six entries in one cache line each.

Threads read and write it without locks. An entry torn between two writers costs at worst a bad
guess: its move is tested before it is played, and scores are never taken for proof of legality.
"""

import numpy as np

from kingcobra.core.rules.basics import NO_MOVE
from kingcobra.core.search.layout import AGE_CYCLE, AGE_STEP, BUCKET_BYTES, ENTRIES, EXACT, Bucket
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import multiply_high, prefetch
from kingcobra.kernel.records import record_at

BOUND_MASK = 3
PV_BIT = 4
AGE_MASK = AGE_CYCLE - AGE_STEP
# Depths below zero are stored too; a stored zero means an entry that was never written.
DEPTH_OFFSET = 7
QUIESCENCE_DEPTH = 0
UNSEARCHED_DEPTH = -2
# An entry one search old is given up for one this much shallower.
AGE_WEIGHT = 1
KEY_BITS = 0xFFFF
# In 1024ths of the table: how many buckets tell how full it is.
FULLNESS_SAMPLE = 200

bucket_at = record_at(Bucket)


@compiled
def bucket_address(worker, key):
    """Where the bucket of a key lies."""
    return worker.table + np.int64(multiply_high(key, worker.buckets)) * BUCKET_BYTES


@compiled
def prefetch_bucket(worker, key):
    """Starts fetching the bucket of a key that will be asked for soon."""
    prefetch(bucket_address(worker, key))


@compiled
def find(worker, key):
    """The index of the key's entry in its bucket, or -1."""
    bucket = bucket_at(bucket_address(worker, key))
    wanted = np.int64(key) & KEY_BITS
    for index in range(ENTRIES):
        if bucket.entries[index].key == wanted and bucket.entries[index].depth != 0:
            return index
    return -1


@compiled
def relative_age(worker, entry):
    """How many searches ago the entry was written, in steps of AGE_STEP."""
    return (AGE_CYCLE + worker.age - np.int64(entry.bound_and_age & AGE_MASK)) & AGE_MASK


@compiled
def worth(worker, entry):
    """What is replaced first: shallow entries, and those of long ago."""
    return np.int64(entry.depth) - relative_age(worker, entry) * AGE_WEIGHT


@compiled
def store(worker, key, move, score, evaluation, depth, bound, is_pv):
    """Remembers a result, in the entry of this key or in the least worthy of its bucket. A deeper
    result of the present search is not overwritten by a shallow one unless that is exact."""
    bucket = bucket_at(bucket_address(worker, key))
    wanted = np.int64(key) & KEY_BITS
    slot = 0
    least = np.int64(1 << 30)
    for index in range(ENTRIES):
        entry = bucket.entries[index]
        if entry.key == wanted or entry.depth == 0:
            slot = index
            break
        value = worth(worker, entry)
        if value < least:
            least = value
            slot = index
    entry = bucket.entries[slot]
    same = entry.key == wanted and entry.depth != 0
    if move != NO_MOVE or not same:
        entry.move = move
    if (
        bound == EXACT
        or not same
        or depth + DEPTH_OFFSET + 2 * is_pv > np.int64(entry.depth) - 4
        or relative_age(worker, entry) != 0
    ):
        entry.key = wanted
        entry.score = score
        entry.evaluation = evaluation
        entry.depth = depth + DEPTH_OFFSET
        entry.bound_and_age = worker.age | is_pv * PV_BIT | bound


@compiled
def fullness_permille(worker):
    """How much of the table the present search has filled, in thousandths."""
    filled = 0
    for number in range(FULLNESS_SAMPLE):
        bucket = bucket_at(worker.table + number * BUCKET_BYTES)
        for index in range(ENTRIES):
            entry = bucket.entries[index]
            if entry.depth != 0 and relative_age(worker, entry) == 0:
                filled += 1
    return filled * 1000 // (FULLNESS_SAMPLE * ENTRIES)
