# SPDX-License-Identifier: GPL-3.0-or-later
"""When a search ends before its hard limits: the factors, one by one, in plain Python."""

import pytest

from kingcobra.core.search import timing
from kingcobra.core.search.layout import SearchWorker
from kingcobra.core.search.steps import begin_clock, check_limits
from kingcobra.core.search.tunables import TUNABLES

BEST = 100
STEADY = 20
WHITE, BLACK = 0, 1
SOFT_NS = 1_000_000
NODES_PER_MS = 1000
NODES_OF_SOFT = 1000


@pytest.fixture
def worker():
    """A search for White with two moves, on a clock of nodes; the search before, for White too,
    found the same score."""
    record = SearchWorker()
    for tunable in TUNABLES:
        setattr(record.params, tunable.name, tunable.default)
    record.root_count = 2
    record.root[0].move, record.root[0].score = BEST, STEADY
    record.last_side, record.last_mean = WHITE + 1, STEADY
    record.last_settled = timing.SETTLED_PERMILLE
    record.limits.soft_ns = SOFT_NS
    record.limits.nodes_per_ms = NODES_PER_MS
    timing.begin_timing(record)
    return record


def iterate(worker, scores, changed=False):
    for score in scores:
        worker.root[0].score = score
        timing.halve_changes(worker)
        timing.note_iteration(worker, changed)


def test_a_steady_score_needs_least(worker):
    iterate(worker, [STEADY] * 6)
    assert timing.falling_permille(worker) == timing.LEAST_FALLING_PERMILLE


@pytest.mark.parametrize("last_mean", [STEADY, STEADY + 5, STEADY + 15, STEADY + 25, STEADY + 500])
def test_a_fallen_score_never_needs_less(worker, last_mean):
    iterate(worker, [STEADY] * 6)
    before = timing.falling_permille(worker)
    worker.last_mean = last_mean
    after = timing.falling_permille(worker)
    assert before <= after <= timing.MOST_FALLING_PERMILLE
    assert (after > before) == (last_mean > STEADY + 10)


def test_the_other_side_s_last_search_says_nothing(worker):
    worker.last_side, worker.last_mean = BLACK + 1, 900
    iterate(worker, [STEADY] * 6)
    assert timing.falling_permille(worker) == timing.PERMILLE


def test_a_score_that_falls_from_iteration_to_iteration(worker):
    worker.last_side = 0
    iterate(worker, [90, 60, 50, 50, 50, 45])
    fallen = worker.params.time_fallen_lately * (60 - 45)
    assert timing.falling_permille(worker) == timing.PERMILLE + fallen


def test_a_settled_move_needs_less(worker):
    iterate(worker, [STEADY], changed=True)
    unsettled = timing.stability_permille(worker)
    iterate(worker, [STEADY] * (timing.SETTLED_ITERATIONS + 1))
    assert timing.stability_permille(worker) < unsettled / 2


def test_a_search_after_one_that_saved_time_may_use_more(worker):
    iterate(worker, [STEADY] * 4)
    after_saving = timing.stability_permille(worker)
    worker.last_settled = timing.UNSETTLED_PERMILLE
    assert timing.stability_permille(worker) < after_saving


def test_changes_of_the_best_move_count_and_fade(worker):
    assert timing.change_permille(worker) == timing.PERMILLE
    timing.note_change(worker)
    fresh = timing.change_permille(worker)
    assert fresh == timing.PERMILLE + worker.params.time_unstable
    timing.halve_changes(worker)
    assert timing.PERMILLE < timing.change_permille(worker) < fresh


def test_a_dominant_move_needs_less(worker):
    worker.nodes = 1000
    worker.root[0].effort = 900
    assert timing.effort_permille(worker) == timing.PERMILLE
    worker.root[0].effort = 950
    assert timing.effort_permille(worker) == worker.params.time_dominant


def test_a_single_reply_is_played_almost_at_once(worker):
    worker.root_count = 1
    assert timing.planned_permille(worker) == timing.SINGLE_REPLY_PERMILLE


def test_no_plan_overflows(worker):
    """A soft limit of a year, the greatest factors."""
    worker.limits.soft_ns = 365 * 24 * 3600 * 10**9
    worker.last_mean = 32_000
    for _ in range(250):
        timing.note_change(worker)
    iterate(worker, [32_000, -32_000], changed=True)
    planned = worker.limits.soft_ns // timing.PERMILLE * timing.planned_permille(worker)
    assert 0 < planned < 2**63


def test_it_ends_when_the_plan_is_spent(worker):
    iterate(worker, [STEADY] * 4)
    worker.nodes = 1
    planned = timing.planned_permille(worker) * NODES_OF_SOFT // timing.PERMILLE
    worker.nodes = planned - 10
    assert not timing.is_time_to_stop(worker)
    worker.nodes = planned + 10
    assert timing.is_time_to_stop(worker)


def test_a_plan_that_grows_cancels_the_end_at_ponderhit(worker):
    iterate(worker, [STEADY] * 4)
    worker.pondering = 1
    worker.nodes = 1
    planned = timing.planned_permille(worker) * NODES_OF_SOFT // timing.PERMILLE
    worker.nodes = planned + 10
    assert not timing.is_time_to_stop(worker)
    assert worker.ends_at_ponderhit
    timing.note_change(worker)
    assert not timing.is_time_to_stop(worker)
    assert not worker.ends_at_ponderhit


@pytest.mark.parametrize(
    ("helpers", "nodes", "interval"),
    [(0, 5000, 1024), (1, 0, 1024), (1, 1 << 21, 1024), (1, 100_000, 64), (1, 500, 1)],
)
def test_threads_that_share_a_limit_of_nodes_look_often_enough(worker, helpers, nodes, interval):
    worker.next_worker, worker.limits.nodes = helpers, nodes
    begin_clock(worker)
    assert worker.clock_mask == interval - 1


def test_soft_nodes_are_taken_as_they_are(worker):
    """Whatever the search has found, and without a clock."""
    worker.limits.soft_ns = 0
    worker.limits.soft_nodes = NODES_OF_SOFT
    worker.nodes = NODES_OF_SOFT - 1
    assert not timing.is_time_to_stop(worker)
    worker.nodes = NODES_OF_SOFT
    assert timing.is_time_to_stop(worker)


def test_after_pondering_too_long_it_ends_with_ponderhit(worker):
    """Not with the iteration under way, which may take minutes."""
    iterate(worker, [STEADY] * 4)
    worker.pondering = 1
    worker.completed_depth = 4
    worker.nodes = 50 * NODES_OF_SOFT
    assert not timing.is_time_to_stop(worker)
    check_limits(worker)
    assert not worker.stopped
    worker.pondering = 0
    check_limits(worker)
    assert worker.stopped


def test_a_limit_of_nodes_waits_for_ponderhit(worker):
    worker.limits.nodes = NODES_OF_SOFT
    worker.limits.soft_ns = 0
    worker.pondering = 1
    worker.completed_depth = 4
    worker.nodes = 2 * NODES_OF_SOFT
    check_limits(worker)
    assert not worker.stopped
    worker.pondering = 0
    check_limits(worker)
    assert worker.stopped


def test_the_next_search_knows_this_one(worker):
    iterate(worker, [STEADY] * 12)
    worker.root[0].mean_score = 33
    worker.position.side = BLACK
    timing.remember_search(worker)
    assert (worker.last_side, worker.last_mean) == (BLACK + 1, 33)
    assert worker.last_settled == timing.SETTLED_PERMILLE
