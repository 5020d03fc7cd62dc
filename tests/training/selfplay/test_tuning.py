# SPDX-License-Identifier: GPL-3.0-or-later
"""Parameters that move by games inside compiled code."""

import pytest

from kingcobra.core.search.tunables import TUNABLES
from kingcobra.training.data.blocks import DataError
from kingcobra.training.selfplay.player import SelfPlayer, Teacher
from kingcobra.training.selfplay.screening import (
    Factor,
    PlayedPair,
    PlayedScreening,
    ScreeningFile,
    read_screening,
)
from kingcobra.training.selfplay.settings import match_settings
from kingcobra.training.selfplay.tuning import (
    NodeTuning,
    factors_around,
    path_of,
    schedule_settings,
    spsa_of,
    tuned_values,
)

# Even games of few nodes differ by these.
NAMES = ("reverse_margin", "futility_margin")
TUNED = [tunable for tunable in TUNABLES if tunable.name in NAMES]
SETTINGS = {"nodes": 60, "seed": 3, **schedule_settings(40, 0.05, 1.0)}


def results_of(wanted, pairs):
    """Pairs in which plus wins both games where it has that parameter up, and loses them
    otherwise."""
    spsa = spsa_of(factors_around(TUNED), SETTINGS)
    found = []
    for number in range(pairs):
        signs = spsa.signs(number + 1)
        has_other = tuple(sign > 0 for sign in signs.values())
        found.append(PlayedPair(number, has_other, 4 if signs[wanted] > 0 else 0))
    return PlayedScreening(factors_around(TUNED), dict(SETTINGS), found)


@pytest.mark.parametrize("wanted", NAMES)
def test_a_parameter_goes_where_games_are_won(wanted):
    values = {one.parameter.name: one for one in tuned_values(results_of(wanted, 40))}
    (other,) = set(NAMES) - {wanted}
    moved, noise = values[wanted], values[other]
    assert moved.last > moved.mean > moved.parameter.default + moved.parameter.step
    moved_steps = (moved.last - moved.parameter.default) / moved.parameter.step
    noise_steps = (noise.last - noise.parameter.default) / noise.parameter.step
    assert moved_steps > 2 * abs(noise_steps)


def test_the_mean_is_of_the_last_quarter():
    played = results_of(NAMES[0], 40)
    path = [values[NAMES[0]] for _, values in path_of(played)]
    (value,) = [one for one in tuned_values(played) if one.parameter.name == NAMES[0]]
    assert value.last == path[-1]
    assert value.mean == pytest.approx(sum(path[30:]) / 10)


def test_without_games_there_are_no_values():
    assert tuned_values(results_of(NAMES[0], 0)) == []


def test_defaults_are_those_of_the_file():
    """Also after the values found have become the defaults."""
    spsa = spsa_of([Factor("razor_base", 140, 200)], SETTINGS)
    (parameter,) = spsa.parameters
    assert (parameter.default, parameter.step) == (170, 30)
    with pytest.raises(DataError, match="tunes castling_bonus"):
        spsa_of([Factor("castling_bonus", 1, 3)], SETTINGS)


def tuning(objects, path, pairs, threads=1):
    settings = match_settings(soft_nodes=60, seed=3, exact=True)
    players = [SelfPlayer(objects, settings, Teacher(), None, Teacher()) for _ in range(threads)]
    file = ScreeningFile(path, factors_around(TUNED), SETTINGS)
    match = NodeTuning(players, file, pairs)
    match.run(lambda: None)
    file.close()
    return match


def test_a_file_is_continued_as_if_it_had_not_ended(objects, tmp_path):
    tuning(objects, tmp_path / "whole", 24)
    tuning(objects, tmp_path / "parts", 9)
    tuning(objects, tmp_path / "parts", 24)
    whole = read_screening(tmp_path / "whole")
    assert read_screening(tmp_path / "parts") == whole
    assert len(whole.pairs) == 24
    assert {pair.half_points for pair in whole.pairs} != {2}
    assert any(one.last != one.parameter.default for one in tuned_values(whole))


def test_threads_play_side_by_side(objects, tmp_path):
    tuning(objects, tmp_path / "file", 12, threads=2)
    numbers = [pair.number for pair in read_screening(tmp_path / "file").pairs]
    assert sorted(numbers) == list(range(12))


def test_sides_are_what_the_games_have_found_so_far(objects, tmp_path):
    match = tuning(objects, tmp_path / "file", 24)
    *_, (_, values) = path_of(read_screening(tmp_path / "file"))
    plus, minus = match.sides(30)
    for up, tunable in zip(match.has_other(30), TUNED, strict=True):
        value = values[tunable.name]
        assert (plus[tunable.name] > value) == up
        assert (minus[tunable.name] < value) == up
        assert abs(plus[tunable.name] - minus[tunable.name]) == pytest.approx(
            2 * tunable.step * (40 / 31) ** 0.101, abs=1.01
        )
