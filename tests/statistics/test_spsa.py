# SPDX-License-Identifier: GPL-3.0-or-later
"""SPSA on a model of games whose best parameters are known."""

import math
import random
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingcobra.core.search.tunables import TUNABLES, Tunable
from kingcobra.statistics.spsa import GainSchedule, Spsa

TABLE = (
    Tunable("margin", 100, 0, 400, 10, ""),
    Tunable("divisor", 4, 2, 12, 1, ""),
    Tunable("limit", 2000, 500, 8000, 200, ""),
    Tunable("at_its_end", 60, 0, 80, 5, ""),
)
BEST = {"margin": 160, "divisor": 7, "limit": 1200, "at_its_end": 200}
ELO_PER_SQUARED_STEP = 2.0
ELO_SCALE = 400
DRAW_RATIO = 0.4
ITERATIONS = 6000


def strength(values: Mapping[str, float]) -> float:
    """Elo of the model's engine: less by the squared distance from the best values, in steps."""
    return -ELO_PER_SQUARED_STEP * sum(
        ((values[tunable.name] - BEST[tunable.name]) / tunable.step) ** 2 for tunable in TABLE
    )


def surplus_of_a_pair(elo: float, chance: random.Random) -> int:
    """Games that a player this much stronger wins, less those it loses, out of two."""
    score = 1 / (1 + math.pow(10, -elo / ELO_SCALE))
    draws = DRAW_RATIO * min(score, 1 - score) * 2
    wins = score - draws / 2
    drawn = [chance.random() for _ in range(2)]
    return sum((throw < wins) - (throw >= wins + draws) for throw in drawn)


def tuned(seed: int, iterations: int = ITERATIONS, rate: float = 0.01) -> Spsa:
    spsa = Spsa(TABLE, GainSchedule(iterations, rate), seed)
    chance = random.Random(seed)
    for iteration in range(1, iterations + 1):
        probe = spsa.probe(iteration)
        elo = strength(probe.plus) - strength(probe.minus)
        spsa.learn(iteration, surplus_of_a_pair(elo, chance))
    return spsa


def distance_in_steps(values: Mapping[str, float]) -> dict[str, float]:
    """Of each parameter from the best value within its range."""
    return {
        tunable.name: abs(values[tunable.name] - min(BEST[tunable.name], tunable.high))
        / tunable.step
        for tunable in TABLE
    }


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_finds_the_best_values_of_a_model(seed):
    start = {tunable.name: float(tunable.default) for tunable in TABLE}
    end = tuned(seed).values
    before, after = distance_in_steps(start), distance_in_steps(end)
    assert min(before.values()) >= 3
    assert max(after.values()) < 2
    assert strength(end) > strength(start) + 100


def test_a_seed_repeats_the_whole_path():
    assert tuned(5, iterations=200).values == tuned(5, iterations=200).values
    assert tuned(5, iterations=200).values != tuned(6, iterations=200).values


def test_a_run_goes_on_from_its_results_alone():
    results = [1, 0, -2, 2, 1]
    whole = Spsa(TABLE, GainSchedule(10, 0.1), 1)
    for iteration, result in enumerate(results, start=1):
        whole.probe(iteration)
        whole.learn(iteration, result)
    again = Spsa(TABLE, GainSchedule(10, 0.1), 1)
    for iteration, result in enumerate(results, start=1):
        again.learn(iteration, result)
    assert again.values == whole.values
    assert again.probe(6) == whole.probe(6)


def test_the_last_perturbation_and_the_last_shift_are_what_was_asked_for():
    schedule = GainSchedule(5000, rate=0.002, step_scale=0.5)
    assert schedule.width(8, 5000) == pytest.approx(4)
    assert schedule.shift(8, 5000) == pytest.approx(0.002 * 4)
    widths = [schedule.width(8, iteration) for iteration in (1, 10, 1000, 5000)]
    shifts = [schedule.shift(8, iteration) for iteration in (200, 1000, 3000, 5000)]
    assert widths == sorted(widths, reverse=True)
    assert shifts == sorted(shifts, reverse=True)


def test_opponents_differ_in_opposite_directions_around_the_value():
    spsa = Spsa(TABLE, GainSchedule(100, 0.002), 1)
    probes = [spsa.probe(iteration) for iteration in range(50, 101)]
    ups = sum(probe.plus["margin"] > probe.minus["margin"] for probe in probes)
    assert 10 < ups < 41
    for probe in probes:
        assert probe.plus["margin"] != probe.minus["margin"]
        middle = (probe.plus["margin"] + probe.minus["margin"]) / 2
        assert abs(middle - 100) <= 1


def test_rounding_by_chance_loses_nothing_on_average():
    """A perturbation of 0.3 shows in about 0.6 of all iterations as a difference of one."""
    table = (Tunable("small", 5, 0, 10, 1, ""),)
    spsa = Spsa(table, GainSchedule(2000, 0.002, step_scale=0.3), 1)
    differences = [
        abs(probe.plus["small"] - probe.minus["small"])
        for probe in (spsa.probe(iteration) for iteration in range(1001, 2001))
    ]
    assert sum(differences) / len(differences) == pytest.approx(0.63, abs=0.05)


@given(st.integers(1, 500), st.lists(st.integers(-2, 2), max_size=20), st.floats(0.001, 5))
def test_values_never_leave_their_ranges(seed, results, rate):
    spsa = Spsa(TUNABLES, GainSchedule(20, rate), seed)
    for iteration, result in enumerate(results, start=1):
        probe = spsa.probe(iteration)
        spsa.learn(iteration, result)
        for tunable in TUNABLES:
            for values in (probe.plus, probe.minus, spsa.values, spsa.rounded()):
                assert tunable.low <= values[tunable.name] <= tunable.high


@pytest.mark.parametrize(("iterations", "rate"), [(0, 0.002), (10, 0.0), (10, math.nan)])
def test_schedules_that_go_nowhere_are_refused(iterations, rate):
    with pytest.raises(ValueError, match="got"):
        GainSchedule(iterations, rate)
