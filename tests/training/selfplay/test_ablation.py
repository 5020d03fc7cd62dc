# SPDX-License-Identifier: GPL-3.0-or-later
"""The worth of techniques, by games without them."""

import math

import pytest

from kingcobra.core.search.techniques import TECHNIQUES
from kingcobra.core.search.tunables import DEFAULTS
from kingcobra.training.selfplay.ablation import Ablation, Worth, factors_of, worths
from kingcobra.training.selfplay.player import SelfPlayer, Teacher
from kingcobra.training.selfplay.screening import PlayedPair, ScreeningFile, read_screening
from kingcobra.training.selfplay.settings import match_settings

THREE = TECHNIQUES[:3]
SETTINGS = {"nodes": 60}


def pair(number, technique, half_points):
    has_other = tuple(index == technique for index in range(len(THREE)))
    return PlayedPair(number, has_other, half_points)


def test_what_is_lost_without_a_technique_is_its_worth():
    pairs = [pair(number, 0, 1 + number % 2) for number in range(40)]
    pairs += [pair(number, 1, 1 + number % 3) for number in range(40, 70)]
    first, second = worths(factors_of(THREE), pairs)
    assert first.name == THREE[0].name
    assert first.elo > first.error > 0
    assert first.is_resolved
    assert first.pairs == (0, 20, 20, 0, 0)
    assert second.elo == pytest.approx(0)
    assert not second.is_resolved


def test_games_that_are_all_lost_resolve_nothing():
    (worth,) = worths(factors_of(THREE), [pair(number, 2, 0) for number in range(3)])
    assert worth == Worth(THREE[2].name, math.inf, math.inf, (3, 0, 0, 0, 0))
    assert not worth.is_resolved


def ablation(objects, file, pairs):
    settings = match_settings(soft_nodes=60, seed=1, exact=True)
    player = SelfPlayer(objects, settings, Teacher(), None, Teacher())
    return Ablation([player], THREE, file, pairs)


def play(objects, path, pairs):
    file = ScreeningFile(path, factors_of(THREE), SETTINGS)
    ablation(objects, file, pairs).run(lambda: None)
    file.close()


def test_techniques_take_turns_also_in_a_file_that_is_continued(objects, tmp_path):
    path = tmp_path / "file"
    play(objects, path, 2)
    play(objects, path, 7)
    played = read_screening(path).pairs
    assert [one.number for one in played] == list(range(7))
    assert [one.has_other.index(True) for one in played] == [0, 1, 2, 0, 1, 2, 0]
    assert {sum(one.has_other) for one in played} == {1}


def test_one_side_is_without_it_and_the_other_is_whole(objects, tmp_path):
    file = ScreeningFile(tmp_path / "file", factors_of(THREE), SETTINGS)
    match = ablation(objects, file, 1)
    for number, technique in enumerate(THREE):
        without, whole = match.sides(number)
        assert whole == DEFAULTS
        changed = {name: value for name, value in without.items() if value != DEFAULTS[name]}
        assert changed == technique.off
    file.close()
