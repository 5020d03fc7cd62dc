# SPDX-License-Identifier: GPL-3.0-or-later
"""Bradley–Terry ratings against closed forms and simulated tournaments."""

import math
import random
from statistics import fmean, stdev

import pytest

from kingcobra.arena.ratings import RatingError, ratings
from kingcobra.arena.statistics import elo, score_of_elo


def _by_name(rows):
    return {row.name: row for row in rows}


def test_two_players_have_the_closed_form():
    table = _by_name(ratings({("new", "old"): (20, 50, 30)}, anchor="old", anchor_elo=2000))
    expected = elo((20, 50, 30))
    assert table["old"].elo == 2000
    assert table["old"].error == 0
    assert table["new"].elo == pytest.approx(2000 + expected.value)
    assert table["new"].error == pytest.approx(expected.error, rel=0.01)
    assert table["new"].games == 100
    assert table["new"].score == pytest.approx(0.55)
    assert table["old"].score == pytest.approx(0.45)
    assert table["new"].draws == 50


def test_a_chain_adds_up():
    meetings = {("a", "b"): (25, 0, 75), ("b", "c"): (10, 0, 90)}
    table = _by_name(ratings(meetings, anchor="c"))
    assert table["b"].elo == pytest.approx(400 * math.log10(9))
    assert table["a"].elo == pytest.approx(400 * math.log10(9) + 400 * math.log10(3))
    assert table["a"].error > table["b"].error


def test_expected_and_real_points_agree_for_everyone():
    meetings = {
        ("a", "b"): (3, 10, 27),
        ("c", "a"): (22, 9, 9),
        ("b", "c"): (11, 12, 17),
        ("d", "c"): (30, 5, 5),
    }
    table = _by_name(ratings(meetings, anchor="a"))
    for name in "abcd":
        expected = sum(
            sum(counts)
            * score_of_elo(table[name].elo - table[second if name == first else first].elo)
            for (first, second), counts in meetings.items()
            if name in (first, second)
        )
        assert expected == pytest.approx(table[name].score * table[name].games)


def test_strongest_first():
    meetings = {("a", "b"): (6, 0, 4), ("b", "c"): (3, 0, 7), ("a", "c"): (2, 0, 8)}
    assert [row.name for row in ratings(meetings, anchor="c")] == ["b", "a", "c"]


@pytest.mark.parametrize(
    "meetings",
    [
        {("a", "b"): (0, 0, 10)},
        {("a", "b"): (5, 0, 5), ("c", "d"): (5, 0, 5)},
        {("a", "b"): (0, 0, 10), ("b", "c"): (5, 0, 5)},
    ],
)
def test_infinite_ratings_are_refused(meetings):
    with pytest.raises(RatingError, match="everything"):
        ratings(meetings, anchor="a")


def test_virtual_draws_make_a_clean_sweep_finite():
    table = _by_name(ratings({("a", "b"): (0, 0, 10)}, anchor="b", virtual_draws=1))
    assert table["a"].elo == pytest.approx(elo((0, 1, 10)).value)
    assert table["a"].games == 10


def test_the_anchor_must_have_played():
    with pytest.raises(RatingError, match="'z'"):
        ratings({("a", "b"): (1, 1, 1)}, anchor="z")


def test_error_bars_hold_in_simulation():
    source = random.Random(5)
    truth = {"a": 0.0, "b": 60.0, "c": -90.0}
    draws = 0.4
    values, errors = [], []
    for _ in range(300):
        meetings = {}
        for first, second in (("a", "b"), ("b", "c"), ("a", "c")):
            score = score_of_elo(truth[first] - truth[second])
            chances = (1 - score - draws / 2, draws, score - draws / 2)
            drawn = source.choices(range(3), weights=chances, k=200)
            meetings[first, second] = tuple(drawn.count(result) for result in range(3))
        row = _by_name(ratings(meetings, anchor="a"))["b"]
        values.append(row.elo)
        errors.append(row.error)
    assert fmean(values) == pytest.approx(truth["b"], abs=4)
    assert 1.96 * stdev(values) == pytest.approx(fmean(errors), rel=0.12)
