# SPDX-License-Identifier: GPL-3.0-or-later
"""The worth of many parameters by the same games."""

import random

import pytest

from kingcobra.core.search.tunables import TUNABLES
from kingcobra.training.data.blocks import DataError
from kingcobra.training.selfplay.player import SelfPlayer, Teacher
from kingcobra.training.selfplay.screening import (
    ELO_PER_POINT,
    Factor,
    PlayedPair,
    Screening,
    ScreeningFile,
    effects,
    random_assignment,
    read_screening,
    steps_around,
)
from kingcobra.training.selfplay.settings import match_settings

SETTINGS = {"nodes": 60, "seed": 3}
FACTORS = [Factor("late_base", 1, 8), Factor("null_base", 2, 7), Factor("razor_base", 100, 300)]


def test_effects_are_told_apart():
    """Three parameters, of which one is worth a tenth of a point and another costs half as much."""
    chance = random.Random(1)
    pairs = []
    for number in range(4000):
        has_other = random_assignment(len(FACTORS), number)
        mean = 2 + 0.4 * (1 if has_other[0] else -1) - 0.2 * (1 if has_other[1] else -1)
        half_points = min(4, max(0, round(mean + chance.gauss(0, 0.8))))
        pairs.append(PlayedPair(number, has_other, half_points))
    found = effects(FACTORS, pairs)
    assert [effect.factor.name for effect in found] == ["late_base", "null_base", "razor_base"]
    assert found[0].elo == pytest.approx(0.1 * ELO_PER_POINT, rel=0.15)
    assert found[1].elo == pytest.approx(-0.05 * ELO_PER_POINT, rel=0.25)
    assert abs(found[2].elo) < 2 * found[2].error
    assert 0 < found[0].error < 10


def test_too_few_games_tell_nothing():
    alike = [PlayedPair(number, (True, True, True), 2) for number in range(9)]
    assert effects(FACTORS, alike[:3]) == []
    assert effects(FACTORS, alike) == []


def test_two_steps_up_and_down_stay_in_range():
    for tunable in TUNABLES:
        factor = steps_around(tunable)
        assert tunable.low <= factor.base < factor.other <= tunable.high


def screening(objects, path, pairs, threads=1):
    settings = match_settings(soft_nodes=60, seed=1, exact=True)
    players = [SelfPlayer(objects, settings, Teacher(), None, Teacher()) for _ in range(threads)]
    file = ScreeningFile(path, FACTORS, SETTINGS)
    Screening(players, FACTORS, file, seed=3, pairs=pairs).run(lambda: None)
    file.close()
    return file.pairs


def test_a_file_is_continued_as_if_it_had_not_ended(objects, tmp_path):
    whole = screening(objects, tmp_path / "whole", 6)
    screening(objects, tmp_path / "parts", 2)
    parts = screening(objects, tmp_path / "parts", 6)
    assert parts == whole
    assert read_screening(tmp_path / "parts") == (FACTORS, SETTINGS, whole)
    assert [pair.number for pair in whole] == list(range(6))
    assert len({pair.has_other for pair in whole}) > 1
    assert screening(objects, tmp_path / "parts", 4) == whole


def test_threads_play_the_same_pairs(objects, tmp_path):
    one = screening(objects, tmp_path / "one", 6)
    two = screening(objects, tmp_path / "two", 6, threads=2)
    assert sorted(two) == one


def test_a_cut_line_is_left_out_and_another_file_refused(tmp_path):
    path = tmp_path / "file"
    file = ScreeningFile(path, FACTORS, SETTINGS)
    file.add(PlayedPair(0, (True, False, True), 3))
    file.close()
    path.write_text(path.read_text() + '{"pair": 1, "fir')
    assert read_screening(path).pairs == [PlayedPair(0, (True, False, True), 3)]
    file = ScreeningFile(path, FACTORS, SETTINGS)
    file.add(PlayedPair(2, (False, False, True), 1))
    file.close()
    assert [pair.number for pair in read_screening(path).pairs] == [0, 2]
    with pytest.raises(DataError, match="holds other parameters"):
        ScreeningFile(path, FACTORS[:2], SETTINGS)
    with pytest.raises(DataError, match="played with nodes 60, not 70"):
        ScreeningFile(path, FACTORS, {"nodes": 70})
    path.write_text(path.read_text() + path.read_text().splitlines()[-1] + "\n")
    with pytest.raises(DataError, match="two runs at once"):
        read_screening(path)
    path.write_text("[Event]\n")
    with pytest.raises(DataError, match="not a file of kingcobra screen"):
        read_screening(path)
