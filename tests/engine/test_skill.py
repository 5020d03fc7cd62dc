# SPDX-License-Identifier: GPL-3.0-or-later
"""Weaker play: how it chooses, and that it is reproducible."""

from itertools import pairwise

import pytest

from kingcobra.core.search.layout import PICKED_LINES
from kingcobra.engine.search_engine import SearchEngine
from kingcobra.engine.settings import HIGHEST_ELO, LOWEST_ELO
from kingcobra.engine.skill import (
    DEFAULT_SEED,
    FULL_LEVEL,
    Skill,
    fraction,
    next_state,
    skill_of_elo,
)
from tests.core.search.searches import search

QUIET = "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 0 1"
SCORES = (50, 40, 0, -200)
MANY = 4000


def fractions(count, seed=DEFAULT_SEED):
    state = seed
    for _ in range(count):
        state = next_state(state)
        yield fraction(state)


def test_the_generator_is_even_and_does_not_repeat():
    numbers = list(fractions(MANY))
    assert len(set(numbers)) == MANY
    assert all(0 <= number < 1 for number in numbers)
    for tenth in range(10):
        share = sum(tenth / 10 <= number < (tenth + 1) / 10 for number in numbers) / MANY
        assert 0.08 < share < 0.12


def mean_loss(level):
    """By how much the chosen line is worse than the best, on average."""
    skill = Skill(level)
    chosen = [SCORES[skill.choice(SCORES, number)] for number in fractions(MANY)]
    return SCORES[0] - sum(chosen) / MANY


def test_a_higher_level_chooses_better():
    losses = [mean_loss(level) for level in (0, 5, 10, 15, 19)]
    assert losses == sorted(losses, reverse=True)
    assert losses[0] > 2 * losses[-1] > 0


def test_every_level_looks_deeper_than_the_one_below():
    depths = [Skill(level).depth for level in range(FULL_LEVEL)]
    assert depths[0] == 1
    assert all(low < high for low, high in pairwise(depths))


@pytest.mark.parametrize("number", [0.0, 0.5, 0.999999])
def test_a_single_line_is_chosen(number):
    assert Skill(0).choice([17], number) == 0


def test_a_mate_is_not_missed_by_chance():
    assert Skill(0).choice([31_999, 500, 0], 0.999999) == 0


def test_ratings_become_levels():
    levels = [skill_of_elo(elo).level for elo in range(LOWEST_ELO, HIGHEST_ELO + 1, 10)]
    assert levels == sorted(levels)
    assert 0 <= levels[0] < FULL_LEVEL / 4
    assert FULL_LEVEL - 1 < levels[-1] < FULL_LEVEL
    assert len(set(levels)) == len(levels)


def best_moves(engine, count):
    return [search(engine, QUIET, depth=6).best[0] for _ in range(count)]


def test_the_same_seed_makes_the_same_choices(core):
    engine = SearchEngine(core)
    engine.settings.skill_level = 0
    lists = []
    for seed in (1, 1, 2):
        engine.new_game()
        engine._threads.seed(seed)
        lists.append(best_moves(engine, 12))
    assert lists[0] == lists[1] != lists[2]
    assert len(set(lists[0])) > 1


def test_it_chooses_from_the_depth_of_its_level(core):
    engine = SearchEngine(core)
    engine.settings.skill_level = 3
    record = engine._threads.main.record
    search(engine, QUIET, depth=Skill(3).depth)
    wanted = [(line.move, line.score) for line in record.root[:PICKED_LINES]]
    engine.new_game()
    search(engine, QUIET, depth=Skill(3).depth + 3)
    assert record.picked_count == PICKED_LINES
    assert [(line.move, line.score) for line in record.picked[:PICKED_LINES]] == wanted
    assert [(line.move, line.score) for line in record.root[:PICKED_LINES]] != wanted


def test_a_search_that_ends_sooner_chooses_from_its_last_depth(core):
    engine = SearchEngine(core)
    engine.settings.skill_level = 3
    searched = search(engine, QUIET, depth=2)
    record = engine._threads.main.record
    assert record.picked_count == PICKED_LINES
    assert record.picked[0].score == searched.lines[-1].score


def test_full_strength_never_chooses(core):
    engine = SearchEngine(core)
    expected = search(engine, QUIET, depth=6)
    engine.new_game()
    engine.settings.skill_level = FULL_LEVEL
    assert search(engine, QUIET, depth=6) == expected
