# SPDX-License-Identifier: GPL-3.0-or-later
"""The shared hash table: buckets of six entries in one cache line each.

Threads read and write it without locks. An entry torn between two writers costs at worst a bad
guess: its move is tested for legality before it is played.
"""

from typing import NamedTuple

import numpy as np

from kingcobra.core.rules.basics import NO_MOVE
from kingcobra.core.search.flags import YES
from kingcobra.core.search.layout import (
    AGE_CYCLE,
    AGE_STEP,
    BUCKET_BYTES,
    ENTRIES,
    EXACT,
    LOWER,
    NO_BOUND,
    UPPER,
    Bucket,
)
from kingcobra.core.search.scores import NO_SCORE, from_table
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
KEY_BITS = 0xFFFF
# In plies: a result replaces one of the same position and search unless it is this much shallower;
# one of the principal variation counts as a little deeper than it is.
KEPT_DEPTH_LEAD = 4
PV_DEPTH_LEAD = 2
MORE_THAN_ANY_WORTH = np.int64(1 << 30)
# How many buckets, the first ones of the table, are looked at to estimate how full it is.
FULLNESS_SAMPLE = 200
PERMILLE = 1000
NOT_FOUND = -1

bucket_at = record_at(Bucket)


class Known(NamedTuple):
    """What the table knows about a position, scores as seen from its ply. Where it knows nothing,
    `found` is NOT_FOUND and scores are NO_SCORE. The move may be illegal."""

    found: int
    move: int
    score: int
    bound: int
    depth: int
    evaluation: int
    was_pv: int


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
    """The index of the key's entry in its bucket, or NOT_FOUND."""
    bucket = bucket_at(bucket_address(worker, key))
    wanted = np.int64(key) & KEY_BITS
    for index in range(ENTRIES):
        if bucket.entries[index].key == wanted and bucket.entries[index].depth != 0:
            return index
    return NOT_FOUND


@compiled
def nothing_known(was_pv):
    """What is known of a position that the table does not have."""
    return Known(
        np.int64(NOT_FOUND),
        np.int64(NO_MOVE),
        np.int64(NO_SCORE),
        np.int64(NO_BOUND),
        np.int64(UNSEARCHED_DEPTH),
        np.int64(NO_SCORE),
        was_pv,
    )


@compiled
def probe(worker, key, ply, fifty_plies, is_pv):
    """What the table knows about the position of a node. `was_pv` is also set for a node of the
    present principal variation."""
    found = find(worker, key)
    if found == NOT_FOUND:
        return nothing_known(is_pv)
    entry = bucket_at(bucket_address(worker, key)).entries[found]
    return Known(
        np.int64(found),
        np.int64(entry.move),
        np.int64(from_table(np.int64(entry.score), ply, np.int64(fifty_plies))),
        np.int64(entry.bound_and_age & BOUND_MASK),
        np.int64(entry.depth) - DEPTH_OFFSET,
        np.int64(entry.evaluation),
        YES if entry.bound_and_age & PV_BIT else is_pv,
    )


@compiled
def proves_side(known, beta):
    """Whether the score's bound says that the position is worth at least beta, or less."""
    return known.bound & (LOWER if known.score >= beta else UPPER) != 0


@compiled
def is_sharper(known, evaluation):
    """Whether the score's bound says that the position is worth more than its evaluation, or no
    more than the score."""
    return (
        known.score != NO_SCORE
        and known.bound & (LOWER if known.score > evaluation else UPPER) != 0
    )


@compiled
def relative_age(worker, entry):
    """How many searches ago the entry was written, times AGE_STEP."""
    return (AGE_CYCLE + worker.age - np.int64(entry.bound_and_age & AGE_MASK)) & AGE_MASK


@compiled
def worth(worker, entry):
    """The entry with the least worth is replaced: its depth in plies, less AGE_STEP plies for each
    search that has begun since."""
    return np.int64(entry.depth) - relative_age(worker, entry)


@compiled
def store(worker, key, move, score, evaluation, depth, bound, was_pv):
    """Remembers a result, in the entry of this key or in the least worthy of its bucket. A deeper
    result of the present search is not overwritten by a shallow one unless that is exact."""
    bucket = bucket_at(bucket_address(worker, key))
    wanted = np.int64(key) & KEY_BITS
    slot = 0
    least = MORE_THAN_ANY_WORTH
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
        or depth + DEPTH_OFFSET + PV_DEPTH_LEAD * was_pv > np.int64(entry.depth) - KEPT_DEPTH_LEAD
        or relative_age(worker, entry) != 0
    ):
        entry.key = wanted
        entry.score = score
        entry.evaluation = evaluation
        entry.depth = depth + DEPTH_OFFSET
        entry.bound_and_age = worker.age | was_pv * PV_BIT | bound


@compiled
def fullness_permille(worker):
    """How much of the table the present search has filled, in thousandths: an estimate from the
    first buckets, as good as any since keys are spread evenly."""
    filled = 0
    for number in range(FULLNESS_SAMPLE):
        bucket = bucket_at(worker.table + number * BUCKET_BYTES)
        for index in range(ENTRIES):
            entry = bucket.entries[index]
            if entry.depth != 0 and relative_age(worker, entry) == 0:
                filled += 1
    return filled * PERMILLE // (FULLNESS_SAMPLE * ENTRIES)
