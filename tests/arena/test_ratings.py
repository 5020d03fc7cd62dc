# SPDX-License-Identifier: GPL-3.0-or-later
"""Bradley–Terry ratings against closed forms and simulated tournaments."""

import math
import random
from statistics import fmean, stdev

import pytest

from kingcobra.arena.ratings import Known, RatingError, rated_group, ratings
from kingcobra.arena.statistics import elo, score_of_elo


def _by_name(rows):
    return {row.name: row for row in rows}


def test_two_players_have_the_closed_form():
    table = _by_name(ratings({("new", "old"): (20, 50, 30)}, anchor="old", anchor_elo=2000))
    expected = elo((20, 50, 30))
    assert table["old"].elo == 2000
    assert table["old"].error == 0
    assert table["new"].elo == pytest.approx(2000 + expected.value)
    assert table["new"].error == pytest.approx(expected.error, rel=0.02)
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


def _least_elo(games, chance=0.05):
    """With which so many games against a player of rating 0 are all won with this chance."""
    score = chance ** (1 / games)
    return 400 * math.log10(score / (1 - score))


def test_a_clean_sweep_is_a_bound_with_a_closed_form():
    table = _by_name(ratings({("a", "b"): (0, 0, 10)}, anchor="b", anchor_elo=1000))
    assert table["a"].known is Known.AT_LEAST
    assert table["a"].elo == pytest.approx(1000 + _least_elo(10), abs=0.01)
    assert table["a"].error == math.inf
    below = _by_name(ratings({("a", "b"): (0, 0, 10)}, anchor="a", anchor_elo=1000))["b"]
    assert below.known is Known.AT_MOST
    assert below.elo == pytest.approx(1000 - _least_elo(10), abs=0.01)


def test_the_bound_holds_in_simulation():
    """Of players exactly at the bound, one in twenty wins every game; fewer if games are drawn."""
    source = random.Random(3)
    games, matches = 8, 4_000
    score = score_of_elo(_by_name(ratings({("a", "b"): (0, 0, games)}, anchor="b"))["a"].elo)
    swept = (
        sum(all(source.random() < score for _ in range(games)) for _ in range(matches)) / matches
    )
    assert swept == pytest.approx(0.05, abs=0.01)


def test_who_won_or_lost_everything_does_not_move_the_others():
    alone = {("a", "b"): (20, 50, 30), ("b", "c"): (10, 10, 20)}
    expected = ratings(alone, anchor="a")
    with_sweeps = ratings(
        {**alone, ("z", "a"): (0, 0, 5), ("z", "b"): (0, 0, 5), ("c", "y"): (0, 0, 7)}, anchor="a"
    )
    assert [row.name for row in with_sweeps] == ["z", *(row.name for row in expected), "y"]
    for row in expected:
        among = _by_name(with_sweeps)[row.name]
        assert (among.elo, among.error) == pytest.approx((row.elo, row.error))
    assert _by_name(with_sweeps)["z"].known is Known.AT_LEAST
    assert _by_name(with_sweeps)["y"].known is Known.AT_MOST
    more = _by_name(with_sweeps)["z"].elo - max(row.elo for row in expected)
    assert more < _least_elo(10)


def test_who_met_nobody_with_a_rating_is_not_rated():
    meetings = {("a", "b"): (5, 0, 5), ("c", "d"): (5, 0, 5)}
    table = _by_name(ratings(meetings, anchor="a"))
    assert [table[name].known for name in "abcd"] == [
        *[Known.ESTIMATE] * 2,
        *[Known.NOTHING] * 2,
    ]
    assert math.isnan(table["c"].elo)


def test_points_may_flow_back_over_others():
    """a has lost nothing to b, but to c, which lost to b."""
    meetings = {("a", "b"): (0, 0, 10), ("a", "c"): (6, 0, 4), ("b", "c"): (3, 0, 7)}
    assert rated_group(meetings, "b") == {"a", "b", "c"}
    assert all(row.known is Known.ESTIMATE for row in ratings(meetings, anchor="b"))


def test_the_anchor_must_have_played():
    with pytest.raises(RatingError, match="'z'"):
        ratings({("a", "b"): (1, 1, 1)}, anchor="z")


def test_pairs_make_the_bars_of_two_players_those_of_a_match():
    """Every opening is won by White, but for a few."""
    singles, pairs = (45, 6, 49), (0, 4, 40, 6, 0)
    table = _by_name(ratings({("a", "b"): singles}, "b", pairs={("a", "b"): pairs}))
    assert table["a"].elo == pytest.approx(elo(singles).value)
    assert table["a"].error == pytest.approx(elo(pairs).error, rel=0.1)
    assert table["a"].error < _by_name(ratings({("a", "b"): singles}, "b"))["a"].error / 2
    half = {("a", "b"): [count // 2 for count in pairs]}
    assert table["a"].error < _by_name(ratings({("a", "b"): singles}, "b", pairs=half))["a"].error


@pytest.mark.parametrize(
    ("singles", "pairs"), [((0, 2, 0), None), ((1, 0, 1), {("a", "b"): (0, 0, 1, 0, 0)})]
)
def test_a_few_games_that_ended_alike_are_not_certain(singles, pairs):
    row = _by_name(ratings({("a", "b"): singles}, "b", pairs=pairs))["a"]
    assert row.elo == 0
    assert 200 < row.error < 600


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
