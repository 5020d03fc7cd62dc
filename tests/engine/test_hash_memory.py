# SPDX-License-Identifier: GPL-3.0-or-later
"""The memory of the hash table: how large it is, when it is cleared, and by whom."""

import threading

import pytest

from kingcobra.engine.search_engine import DEFAULT_HASH_MB
from kingcobra.kernel.system.memory import Memory, OutOfMemory
from tests.core.search.searches import search
from tests.engine.engine_options import KIWIPETE, set_option


def test_clear_hash(engine):
    first = search(engine, KIWIPETE, depth=8).nodes
    assert search(engine, KIWIPETE, depth=8).nodes != first
    set_option(engine, "Clear Hash")
    assert search(engine, KIWIPETE, depth=8).nodes == first


def test_what_is_fresh_is_not_cleared(engine, monkeypatch):
    """Loading a network and a new game would touch every page of a large table."""
    cleared = []
    monkeypatch.setattr(engine.table, "clear", lambda: cleared.append(engine.table))
    engine.prepare()
    engine.new_game()
    assert not cleared
    search(engine, KIWIPETE, depth=2)
    engine.new_game()
    assert len(cleared) == 1
    engine.new_game()
    assert len(cleared) == 1


def test_lent_threads_leave_what_was_learnt_alone(engine):
    first = search(engine, KIWIPETE, depth=8).nodes
    restore = engine.lend()
    assert search(engine, KIWIPETE, depth=8).nodes == first
    engine.clear_learnt()
    assert search(engine, KIWIPETE, depth=8).nodes == first
    restore()
    assert search(engine, KIWIPETE, depth=8).nodes != first
    engine.clear_hash()
    assert search(engine, KIWIPETE, depth=8).nodes == first


def test_a_larger_table_may_need_the_room_of_the_old_one(engine, monkeypatch):
    allocate, refusals = Memory.anonymous, []

    def refuse_once(size):
        if not refusals:
            refusals.append(size)
            raise OutOfMemory("full")
        return allocate(size)

    discarded = []
    monkeypatch.setattr(Memory, "anonymous", refuse_once)
    monkeypatch.setattr(Memory, "discard", lambda memory: discarded.append(memory.size) or True)
    set_option(engine, "Hash", "64")
    assert discarded == [DEFAULT_HASH_MB << 20]
    assert engine.table.size == 64 << 20
    assert search(engine, KIWIPETE, nodes=1000).nodes == 1000


def test_a_table_that_cannot_be_had_leaves_the_old_one(engine, monkeypatch):
    def refuse(_size):
        raise OutOfMemory("full")

    first = search(engine, KIWIPETE, depth=8).nodes
    with monkeypatch.context() as patch:
        patch.setattr(Memory, "anonymous", refuse)
        patch.setattr("kingcobra.engine.search_engine.available_bytes", lambda: 1 << 20)
        with pytest.raises(OutOfMemory, match="cannot allocate 64 MiB for Hash: full"):
            set_option(engine, "Hash", "64")
    assert engine.table.size == DEFAULT_HASH_MB << 20
    assert search(engine, KIWIPETE, depth=8).nodes < first  # it still knows the position


@pytest.mark.parametrize("startable", [0, 1, 3])
def test_threads_clear_a_large_table_together(engine, monkeypatch, startable):
    """As many as can be started."""
    set_option(engine, "Threads", "4")
    table, cleared, start = engine.table, [], threading.Thread.start

    def start_some(thread):
        if len(started) == startable:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    started = []
    monkeypatch.setattr("kingcobra.engine.search_threads.SHARED_BYTES", 1 << 20)
    monkeypatch.setattr(table, "clear", lambda *part: cleared.append(part))
    monkeypatch.setattr(threading.Thread, "start", start_some)
    engine._threads.forget(table)
    assert sorted(cleared) == [(number, 4) for number in range(4)]
    assert len(started) == startable


def test_hash(engine):
    set_option(engine, "Hash", "1")
    search(engine, KIWIPETE, nodes=200_000)
    small = engine.hashfull_permille()
    set_option(engine, "Hash", "64")
    search(engine, KIWIPETE, nodes=200_000)
    assert engine.hashfull_permille() < small
