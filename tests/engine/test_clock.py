# SPDX-License-Identifier: GPL-3.0-or-later
"""Budgets: positive, within the clock, larger with more time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingcobra.engine.clock import NS_PER_MS, Budget, budget
from kingcobra.engine.limits import SearchLimits
from kingcobra.engine.reports import SearchListener
from kingcobra.engine.search_engine import SearchEngine

MOST_NS = 2**63 // 250  # the search multiplies by up to 220 percent
OVERHEAD_MS = 10


def of_clock(clock_ms, increment_ms=0, movestogo=0, overhead_ms=OVERHEAD_MS, ponder=False):
    limits = SearchLimits(clock_ms=clock_ms, increment_ms=increment_ms, movestogo=movestogo)
    return budget(limits, overhead_ms, ponder)


def test_no_clock_no_limit():
    assert budget(SearchLimits(depth=4), OVERHEAD_MS, False) == Budget()
    assert budget(SearchLimits(increment_ms=1000), OVERHEAD_MS, False) == Budget()
    assert budget(SearchLimits(infinite=True), OVERHEAD_MS, False) == Budget()


def test_movetime_is_taken_whole():
    assert budget(SearchLimits(movetime_ms=250), OVERHEAD_MS, False).hard_ns == 250 * NS_PER_MS


def test_the_smaller_of_movetime_and_clock():
    both = SearchLimits(movetime_ms=100_000, clock_ms=1000)
    assert budget(both, OVERHEAD_MS, False) == of_clock(1000)
    both = both._replace(movetime_ms=3)
    assert budget(both, OVERHEAD_MS, False).hard_ns == 3 * NS_PER_MS


@given(
    clock_ms=st.integers(-(10**18), 10**18),
    increment_ms=st.integers(-(10**18), 10**18),
    movestogo=st.integers(0, 10**18),
    overhead_ms=st.integers(0, 5000),
    ponder=st.booleans(),
)
def test_any_clock_gives_limits_within_it(clock_ms, increment_ms, movestogo, overhead_ms, ponder):
    plan = of_clock(clock_ms, increment_ms, movestogo, overhead_ms, ponder)
    assert 0 < plan.soft_ns <= plan.hard_ns < MOST_NS
    assert plan.hard_ns <= max(clock_ms - overhead_ms, 1) * NS_PER_MS


@given(movetime_ms=st.integers(1, 10**18))
def test_any_movetime_fits_the_record(movetime_ms):
    plan = budget(SearchLimits(movetime_ms=movetime_ms), OVERHEAD_MS, False)
    assert NS_PER_MS <= plan.hard_ns < MOST_NS


@pytest.mark.parametrize("clock_ms", [1_000, 60_000, 3_600_000])
def test_what_makes_a_budget_larger(clock_ms):
    plain = of_clock(clock_ms)
    assert of_clock(2 * clock_ms).soft_ns > plain.soft_ns
    assert of_clock(clock_ms, increment_ms=100).soft_ns > plain.soft_ns
    assert of_clock(clock_ms, movestogo=5).soft_ns > plain.soft_ns
    assert of_clock(clock_ms, movestogo=1).soft_ns > of_clock(clock_ms, movestogo=2).soft_ns
    assert of_clock(clock_ms, ponder=True).soft_ns > plain.soft_ns
    assert of_clock(clock_ms, overhead_ms=50).soft_ns < plain.soft_ns


@pytest.mark.parametrize("movestogo", [1, 2, 5, 40])
def test_a_control_of_moves_is_reached(movestogo):
    """Soft limits and overheads of all its moves fit into the clock."""
    clock_ms = 10_000
    for left in range(movestogo, 0, -1):
        clock_ms -= of_clock(clock_ms, movestogo=left).soft_ns / NS_PER_MS + OVERHEAD_MS
        assert clock_ms > 0


# --- nodes instead of time --------------------------------------------------------------------


def spent(engine, clock_ms, increment_ms=0):
    """The nodes of one move, searched as `go` does it."""
    return searched(engine, SearchLimits(clock_ms=clock_ms, increment_ms=increment_ms))


def searched(engine, limits):
    """The nodes of one search."""
    return engine.search(engine.board, limits, SearchListener()).run().nodes


def test_a_game_has_so_many_nodes(core):
    engine = SearchEngine(core)
    engine.set_nodestime(20)
    total = (1000 + 100) * 20
    moves = [spent(engine, 1000, 100) for _ in range(60)]
    assert total * 0.4 < sum(moves) <= total
    assert moves[0] > moves[-1]


def test_the_first_clock_of_a_game_decides(core):
    engine = SearchEngine(core)
    engine.set_nodestime(10)
    first = spent(engine, 2000)
    engine.clear_learnt()
    second = spent(engine, 900_000)
    assert second <= first * 2
    engine.new_game()
    assert spent(engine, 900_000) > 10 * first


def test_only_searches_on_the_clock_spend_nodes_of_the_game(core):
    engine = SearchEngine(core)
    engine.set_nodestime(10)
    first = spent(engine, 2000)

    def left():
        return engine.node_clock.budget(SearchLimits(clock_ms=2000)).most_nodes

    assert left() == 20_000 - first
    assert searched(engine, SearchLimits(nodes=15_000)) == 15_000
    assert left() == 20_000 - first


def test_a_fixed_time_is_nodes_too(core):
    engine = SearchEngine(core)
    engine.set_nodestime(50)
    plan = engine.node_clock.budget(SearchLimits(movetime_ms=30))
    assert (plan.hard_ns, plan.nodes_per_ms, plan.most_nodes) == (30 * NS_PER_MS, 50, 0)


def test_an_endless_search_has_no_nodes_to_spend(core):
    engine = SearchEngine(core)
    engine.set_nodestime(50)
    plan = engine.node_clock.budget(SearchLimits(infinite=True))
    assert (plan.soft_ns, plan.hard_ns, plan.most_nodes) == (0, 0, 0)
