# SPDX-License-Identifier: GPL-3.0-or-later
"""The hash table in plain Python: what is found, and what gives way to what."""

import ctypes
from types import SimpleNamespace

import numpy as np
import pytest

from kingcobra.core.search import hash_table
from kingcobra.core.search.layout import AGE_CYCLE, AGE_STEP, ENTRIES, EXACT, LOWER, UPPER, Bucket
from kingcobra.kernel.system.memory import Memory

BUCKETS = 256
MOVE, SCORE, EVALUATION = 0x1234, -321, 77


@pytest.fixture
def worker():
    """What the table needs of a worker: an empty table of 256 buckets."""
    memory = Memory.anonymous(BUCKETS * ctypes.sizeof(Bucket))
    return SimpleNamespace(
        table=memory.address, buckets=np.uint64(BUCKETS), age=AGE_STEP, memory=memory
    )


def key_of(bucket, low):
    """A key of that bucket with these lowest 16 bits."""
    return np.uint64(bucket << 56 | low)


def entry_of(worker, key):
    index = hash_table.find(worker, key)
    assert index >= 0
    return hash_table.bucket_at(hash_table.bucket_address(worker, key)).entries[index]


def store(worker, key, depth, bound=LOWER, move=MOVE, is_pv=0):
    hash_table.store(worker, key, move, SCORE, EVALUATION, depth, bound, is_pv)


def test_a_bucket_is_a_cache_line():
    assert ctypes.sizeof(Bucket) == 64


def test_nothing_is_found_in_an_empty_table(worker):
    assert hash_table.find(worker, key_of(3, 0)) == -1
    assert hash_table.fullness_permille(worker) == 0


@pytest.mark.parametrize("bound", [UPPER, LOWER, EXACT])
@pytest.mark.parametrize("depth", [hash_table.UNSEARCHED_DEPTH, 0, 1, 245])
@pytest.mark.parametrize("is_pv", [0, 1])
def test_what_is_stored_is_found(worker, bound, depth, is_pv):
    for bucket in (0, 100, BUCKETS - 1):
        key = key_of(bucket, 0)
        store(worker, key, depth, bound, is_pv=is_pv)
        entry = entry_of(worker, key)
        assert (entry.move, entry.score, entry.evaluation) == (MOVE, SCORE, EVALUATION)
        assert int(entry.depth) - hash_table.DEPTH_OFFSET == depth
        assert entry.bound_and_age & hash_table.BOUND_MASK == bound
        assert bool(entry.bound_and_age & hash_table.PV_BIT) == bool(is_pv)
        assert hash_table.find(worker, key_of(bucket, 1)) == -1


def test_a_bucket_holds_six_and_then_the_shallowest_goes(worker):
    for number in range(ENTRIES):
        store(worker, key_of(9, number), 5 + number % 3 + number)
    assert all(hash_table.find(worker, key_of(9, number)) >= 0 for number in range(ENTRIES))
    store(worker, key_of(9, 99), 1)
    assert hash_table.find(worker, key_of(9, 0)) == -1
    assert all(hash_table.find(worker, key_of(9, low)) >= 0 for low in (*range(1, ENTRIES), 99))


def test_old_entries_go_before_shallow_ones(worker):
    store(worker, key_of(9, 0), 12)
    worker.age = 3 * AGE_STEP
    for number in range(1, ENTRIES):
        store(worker, key_of(9, number), 4)
    store(worker, key_of(9, 99), 4)
    assert hash_table.find(worker, key_of(9, 0)) == -1
    assert hash_table.find(worker, key_of(9, 1)) >= 0


def test_age_goes_round(worker):
    worker.age = AGE_CYCLE - AGE_STEP
    store(worker, key_of(9, 0), 12)
    worker.age = 0
    assert hash_table.relative_age(worker, entry_of(worker, key_of(9, 0))) == AGE_STEP


def test_a_deep_result_stays_unless_the_new_one_is_exact(worker):
    key = key_of(7, 7)
    store(worker, key, 20)
    store(worker, key, 3)
    assert entry_of(worker, key).depth == 20 + hash_table.DEPTH_OFFSET
    store(worker, key, 3, EXACT)
    assert entry_of(worker, key).depth == 3 + hash_table.DEPTH_OFFSET


def test_a_result_of_an_earlier_search_gives_way(worker):
    key = key_of(7, 7)
    store(worker, key, 20)
    worker.age += AGE_STEP
    store(worker, key, 3)
    assert entry_of(worker, key).depth == 3 + hash_table.DEPTH_OFFSET


def test_the_move_outlives_a_result_without_one(worker):
    key = key_of(7, 7)
    store(worker, key, 4)
    store(worker, key, 6, UPPER, move=0)
    entry = entry_of(worker, key)
    assert (entry.move, entry.depth - hash_table.DEPTH_OFFSET) == (MOVE, 6)
    # But not into another position's entry.
    for number in range(ENTRIES):
        store(worker, key_of(8, number), 5)
    store(worker, key_of(8, 99), 6, UPPER, move=0)
    assert entry_of(worker, key_of(8, 99)).move == 0


def test_fullness_counts_the_present_search(worker):
    for bucket in range(BUCKETS):
        for number in range(ENTRIES // 2):
            store(worker, key_of(bucket, number), 5)
    assert hash_table.fullness_permille(worker) == 500
    worker.age += AGE_STEP
    assert hash_table.fullness_permille(worker) == 0
