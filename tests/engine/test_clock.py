# SPDX-License-Identifier: GPL-3.0-or-later
"""Budgets: positive, within the clock, larger with more time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingcobra.engine.clock import NS_PER_MS, Budget, ClockTuning, Situation, budget
from kingcobra.engine.limits import SearchLimits
from kingcobra.engine.reports import SearchListener
from kingcobra.engine.search_engine import SearchEngine

MOST_NS = 2**63 // 250
OVERHEAD_MS = 10
USUAL = Situation(OVERHEAD_MS)


def of_clock(
    clock_ms, increment_ms=0, movestogo=0, overhead_ms=OVERHEAD_MS, ponder=False, game_ply=0
):
    limits = SearchLimits(clock_ms=clock_ms, increment_ms=increment_ms, movestogo=movestogo)
    return budget(limits, Situation(overhead_ms, ponder, game_ply))


def test_no_clock_no_limit():
    assert budget(SearchLimits(depth=4), USUAL) == Budget()
    assert budget(SearchLimits(increment_ms=1000), USUAL) == Budget()
    assert budget(SearchLimits(infinite=True), USUAL) == Budget()


def test_movetime_is_taken_whole():
    assert budget(SearchLimits(movetime_ms=250), USUAL).hard_ns == 250 * NS_PER_MS


def test_the_smaller_of_movetime_and_clock():
    both = SearchLimits(movetime_ms=100_000, clock_ms=1000)
    assert budget(both, USUAL) == of_clock(1000)
    both = both._replace(movetime_ms=3)
    assert budget(both, USUAL).hard_ns == 3 * NS_PER_MS


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
    plan = budget(SearchLimits(movetime_ms=movetime_ms), USUAL)
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


def test_a_move_gets_more_as_the_game_goes_on():
    shares = [of_clock(60_000, game_ply=ply).soft_ns for ply in (0, 20, 60, 120)]
    assert shares == sorted(shares)
    assert shares[-1] > 2 * shares[0]


def test_the_tunables_of_time_count():
    usual = of_clock(60_000, game_ply=30)
    for name in ("share", "growth"):
        tuning = ClockTuning()._replace(**{name: 2 * getattr(ClockTuning(), name)})
        situation = Situation(OVERHEAD_MS, False, 30, tuning)
        assert budget(SearchLimits(clock_ms=60_000), situation).soft_ns > usual.soft_ns
    situation = Situation(OVERHEAD_MS, False, 0, ClockTuning()._replace(most=15))
    assert budget(SearchLimits(clock_ms=60_000), situation).hard_ns < of_clock(60_000).hard_ns


# --- whole games, without a clock ---------------------------------------------------------------


class SimulatedGame:
    """One side's clock over a game. A move takes its soft limit times a factor of the kind that
    searches plan, never more than the hard limit, and what is lost on the way."""

    def __init__(self, clock_ms, increment_ms=0, moves=0, overhead_ms=OVERHEAD_MS, lost_ms=1):
        self.clock_ms = self.period_ms = clock_ms
        self.increment_ms, self.moves = increment_ms, moves
        self.overhead_ms, self.lost_ms = overhead_ms, lost_ms
        self.given_ms = clock_ms
        self.used_ms = 0.0

    def play(self, factors, ponder=False):
        """Plays a move for each factor; returns the least that was on the clock after one."""
        least = self.clock_ms
        for number, factor in enumerate(factors):
            to_go = self.moves - number % self.moves if self.moves else 0
            plan = of_clock(
                int(self.clock_ms), self.increment_ms, to_go, self.overhead_ms, ponder, 2 * number
            )
            spent = min(plan.soft_ns * factor, plan.hard_ns) / NS_PER_MS + self.lost_ms
            self.clock_ms -= spent
            self.used_ms += spent
            least = min(least, self.clock_ms)
            gained = self.increment_ms + (self.period_ms if to_go == 1 else 0)
            self.clock_ms += gained
            self.given_ms += gained
        return least


CONTROLS = [
    (60_000, 0, 0),
    (60_000, 600, 0),
    (8_000, 80, 0),
    (4_000, 40, 0),
    (1_000, 10, 0),
    (200, 2, 0),
    (3_600_000, 30_000, 0),
    (0, 1_000, 0),
    (60_000, 0, 40),
    (10_000, 100, 20),
    (5_000, 0, 1),
    (20_000, 0, 2),
]
STEADY_GAME = [0.7] * 80
NERVOUS_GAME = [0.5, 0.5, 1.5, 0.5, 0.7, 3.0, 0.5, 0.7] * 12
WORST_GAME = [20.0] * 30 + STEADY_GAME


@pytest.mark.parametrize("factors", [STEADY_GAME, NERVOUS_GAME, WORST_GAME])
@pytest.mark.parametrize(("clock_ms", "increment_ms", "moves"), CONTROLS)
@pytest.mark.parametrize("ponder", [False, True])
def test_no_game_is_lost_on_time(clock_ms, increment_ms, moves, factors, ponder):
    game = SimulatedGame(clock_ms or increment_ms, increment_ms, moves)
    assert game.play(factors, ponder) > 0


@pytest.mark.parametrize(("clock_ms", "increment_ms"), [(8_000, 80), (1_000, 10), (200, 2)])
def test_an_increment_is_always_left_for_stalls(clock_ms, increment_ms):
    game = SimulatedGame(clock_ms, increment_ms, overhead_ms=0)
    assert game.play(WORST_GAME) > increment_ms


def test_all_that_is_left_may_be_used_when_more_comes():
    assert of_clock(200, movestogo=1, overhead_ms=0).hard_ns == 160 * NS_PER_MS
    assert of_clock(200, overhead_ms=0, game_ply=80).hard_ns < 100 * NS_PER_MS


def test_a_tenth_of_a_second_for_the_whole_game():
    game = SimulatedGame(100, lost_ms=0.2)
    assert game.play([0.7] * 60) > 0


@pytest.mark.parametrize("overhead_ms", [0, 100, 1_000, 5_000])
def test_any_overhead_leaves_time_to_think(overhead_ms):
    """What is reserved in vain is not lost for good: even then some time is used."""
    game = SimulatedGame(60_000, 600, overhead_ms=overhead_ms)
    assert game.play(STEADY_GAME) > 0
    assert game.used_ms > 0.3 * game.given_ms


@pytest.mark.parametrize(("clock_ms", "increment_ms"), [(60_000, 600), (8_000, 80), (60_000, 0)])
def test_a_game_uses_its_time(clock_ms, increment_ms):
    """With the factors of ordinary games: most of it by move 80, and not most of it by move 25."""
    game = SimulatedGame(clock_ms, increment_ms)
    game.play(NERVOUS_GAME[:24])
    assert game.used_ms < 0.75 * game.given_ms
    game.play(NERVOUS_GAME[:56])
    assert game.used_ms > 0.85 * game.given_ms


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
        return engine.node_clock.budget(SearchLimits(clock_ms=2000), USUAL).most_nodes

    assert left() == 20_000 - first
    assert searched(engine, SearchLimits(nodes=15_000)) == 15_000
    assert left() == 20_000 - first


def test_a_fixed_time_is_nodes_too(core):
    engine = SearchEngine(core)
    engine.set_nodestime(50)
    plan = engine.node_clock.budget(SearchLimits(movetime_ms=30), USUAL)
    assert (plan.hard_ns, plan.nodes_per_ms, plan.most_nodes) == (30 * NS_PER_MS, 50, 0)


def test_an_endless_search_has_no_nodes_to_spend(core):
    engine = SearchEngine(core)
    engine.set_nodestime(50)
    plan = engine.node_clock.budget(SearchLimits(infinite=True), USUAL)
    assert (plan.soft_ns, plan.hard_ns, plan.most_nodes) == (0, 0, 0)
