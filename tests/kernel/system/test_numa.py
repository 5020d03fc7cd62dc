# SPDX-License-Identifier: GPL-3.0-or-later
"""Policies for threads and CPUs: their text, the machine's nodes, and who goes where."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingcobra.kernel.system import numa

cpu_sets = st.frozensets(st.integers(0, 300), min_size=1)


@given(cpu_sets)
def test_a_list_of_cpus_says_the_same_both_ways(cpus):
    assert numa.parse_cpus(numa.format_cpus(cpus)) == cpus


def test_ranges_are_as_long_as_they_can_be():
    assert numa.format_cpus(frozenset({0, 1, 2, 5, 7, 8})) == "0-2,5,7-8"


@pytest.mark.parametrize(
    "text", ["", "a", "1-", "-1", "3-1", "1,1", "0-2,1", "1,", "1 2", "65536", "9" * 30, "1--2"]
)
def test_a_list_that_makes_no_sense_is_named(text):
    with pytest.raises(numa.NumaError):
        numa.parse_cpus(text)


def test_a_policy_of_cpus_that_are_not_there():
    with pytest.raises(numa.NumaError, match="has no CPU 65535"):
        numa.parse_policy("65535")
    with pytest.raises(numa.NumaError, match="in two nodes"):
        numa.parse_policy("0:0")


def machine(folder, *nodes):
    """A folder as the system has it, with that list of CPUs for each node."""
    for number, cpus in enumerate(nodes):
        node = folder / f"node{number}"
        node.mkdir()
        (node / "cpulist").write_text(f"{cpus}\n")
    (folder / "has_cpu").write_text("0-1\n")
    return folder


def test_nodes_come_in_the_order_of_their_numbers(tmp_path):
    lists = [f"{number}" for number in range(12)]
    folder = machine(tmp_path, *lists)
    assert numa.hardware_nodes(folder) == tuple(frozenset({number}) for number in range(12))


def test_a_node_of_memory_alone_is_none(tmp_path):
    assert numa.hardware_nodes(machine(tmp_path, "0-1", "")) == (frozenset({0, 1}),)


def test_without_nodes_all_cpus_are_one(tmp_path):
    assert numa.hardware_nodes(tmp_path) == (frozenset(range(os.cpu_count())),)


@pytest.fixture
def allowed(monkeypatch):
    """Makes the process one that may use these CPUs."""

    def allow(*cpus):
        monkeypatch.setattr(numa, "allowed_cpus", lambda: frozenset(cpus))

    return allow


def test_system_keeps_to_what_the_process_may_use(tmp_path, allowed):
    folder = machine(tmp_path, "0-3", "4-7", "8-9")
    allowed(2, 3, 4)
    there = numa.places(numa.Policy(numa.SYSTEM), 3, folder)
    assert sorted(map(sorted, there)) == [[2, 3], [2, 3], [4]]
    everywhere = numa.places(numa.Policy(numa.HARDWARE), 5, folder)
    assert set(everywhere) == set(numa.hardware_nodes(folder))


def test_auto_binds_what_one_node_cannot_hold(tmp_path, allowed):
    folder = machine(tmp_path, "0-3", "4-7")
    allowed(*range(8))
    automatic = numa.Policy(numa.AUTO)
    assert numa.places(automatic, 1, folder) == numa.places(automatic, 4, folder) == []
    assert len(numa.places(automatic, 5, folder)) == 5
    allowed(0, 1)
    assert numa.places(automatic, 5, folder) == []
    assert numa.places(numa.Policy(numa.NONE), 5, folder) == []


@given(st.lists(st.integers(1, 8), min_size=1, max_size=5), st.integers(1, 64))
def test_no_node_is_crowded_before_another_is_full(sizes, threads):
    first = [sum(sizes[:index]) for index in range(len(sizes))]
    nodes = tuple(
        frozenset(range(start, start + size)) for start, size in zip(first, sizes, strict=True)
    )
    chosen = numa.spread(nodes, threads)
    assert len(chosen) == threads
    rounds = -(-threads // sum(sizes))
    assert all(chosen.count(node) <= rounds * len(node) for node in nodes)


needs_binding = pytest.mark.skipif(not numa.can_bind(), reason="this system does not bind threads")


@needs_binding
def test_a_thread_is_bound_inside_the_block_alone():
    before = os.sched_getaffinity(0)
    bound = []
    with numa.Placement([frozenset({min(before)})], lambda *call: bound.append(call))(0):
        assert os.sched_getaffinity(0) == {min(before)}
    assert os.sched_getaffinity(0) == before
    assert bound == [(0, frozenset({min(before)}), None)]


@needs_binding
def test_cpus_that_do_not_exist_bind_nothing():
    before = os.sched_getaffinity(0)
    bound = []
    with numa.Placement([frozenset({numa.MAX_CPU})], lambda *call: bound.append(call))(0):
        assert os.sched_getaffinity(0) == before
    ((number, cpus, error),) = bound
    assert (number, cpus) == (0, {numa.MAX_CPU})
    assert isinstance(error, OSError)


@needs_binding
def test_an_error_in_the_block_frees_the_thread():
    before = os.sched_getaffinity(0)

    def fail():
        with numa.Placement([frozenset({min(before)})], lambda *_call: None)(0):
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert os.sched_getaffinity(0) == before
