# SPDX-License-Identifier: GPL-3.0-or-later
"""Bradley–Terry ratings against closed forms and simulated tournaments."""

import math
import random
from statistics import fmean, stdev

import pytest

from kingcobra.statistics.elo import elo, score_of_elo
from kingcobra.statistics.ratings import Known, RatingError, rated_group, ratings

Z_95 = 1.959964


def _by_name(rows):
    return {row.name: row for row in rows}


def _half(row):
    """Half the width of the interval."""
    return (row.high - row.low) / 2


def test_two_players_have_the_closed_form():
    table = _by_name(ratings({("new", "old"): (20, 50, 30)}, anchor="old", anchor_elo=2000))
    expected = elo((20, 50, 30))
    assert table["old"].elo == 2000
    assert table["old"].low == table["old"].high == 2000
    assert table["new"].elo == pytest.approx(2000 + expected.value)
    assert _half(table["new"]) == pytest.approx(expected.error, rel=0.02)
    assert table["new"].games == 100
    assert table["new"].score == pytest.approx(0.55)
    assert table["old"].score == pytest.approx(0.45)
    assert table["new"].draws == 50


@pytest.mark.parametrize(("losses", "wins"), [(1, 99), (99, 1), (7, 13), (5, 195), (30, 30)])
def test_the_interval_of_two_players_is_that_of_the_likelihood(losses, wins):
    """Without draws the points have the binomial's likelihood, which at either end is lower than
    at its top by half the square of 1.96, and by one game in all of them more."""
    games = losses + wins
    row = _by_name(ratings({("a", "b"): (losses, 0, wins)}, "b"))["a"]
    top = losses * math.log(losses / games) + wins * math.log(wins / games)
    for end in (row.low, row.high):
        score = score_of_elo(end)
        lost = top - losses * math.log(1 - score) - wins * math.log(score)
        assert lost == pytest.approx(Z_95**2 / 2 * (games + 1) / games, rel=1e-4)
    assert row.low < row.elo < row.high


def test_the_far_side_of_a_lopsided_score_reaches_further():
    winner = _by_name(ratings({("a", "b"): (2, 0, 98)}, "b"))["a"]
    assert winner.high - winner.elo > 1.4 * (winner.elo - winner.low)
    loser = _by_name(ratings({("a", "b"): (98, 0, 2)}, "b"))["a"]
    assert (loser.low, loser.high) == pytest.approx((-winner.high, -winner.low))
    even = _by_name(ratings({("a", "b"): (400, 200, 400)}, "b"))["a"]
    assert even.high == pytest.approx(-even.low)
    assert even.high == pytest.approx(elo((400, 200, 400)).error, rel=0.01)


def test_an_interval_does_not_depend_on_who_met_somebody_else():
    """In a gauntlet everybody is measured by the anchor alone."""
    alone = _by_name(ratings({("b", "a"): (95, 2, 3)}, "a"))["b"]
    among = _by_name(ratings({("b", "a"): (95, 2, 3), ("a", "c"): (30, 40, 30)}, "a"))["b"]
    assert (among.low, among.high) == pytest.approx((alone.low, alone.high))


def test_the_ends_are_those_of_a_search_over_all_other_ratings():
    """Three players: the likelihood of every rating of the third is tried out on a grid."""
    meetings = {("a", "b"): (2, 0, 18), ("b", "c"): (6, 0, 14), ("a", "c"): (1, 0, 19)}
    table = _by_name(ratings(meetings, anchor="c"))

    def log_likelihood(a, b):
        elos = {"a": a, "b": b, "c": 0.0}
        return sum(
            wins * math.log(score_of_elo(elos[first] - elos[second]))
            + losses * math.log(score_of_elo(elos[second] - elos[first]))
            for (first, second), (losses, _, wins) in meetings.items()
        )

    top = log_likelihood(table["a"].elo, table["b"].elo)
    around_b = [table["b"].elo + offset for offset in range(-400, 401)]
    drops = [
        top - max(log_likelihood(end, b) for b in around_b)
        for end in (table["a"].low, table["a"].high)
    ]
    assert drops[0] == pytest.approx(drops[1], abs=0.01)
    assert drops[0] == pytest.approx(Z_95**2 / 2, rel=0.2)


def test_a_chain_adds_up():
    meetings = {("a", "b"): (25, 0, 75), ("b", "c"): (10, 0, 90)}
    table = _by_name(ratings(meetings, anchor="c"))
    assert table["b"].elo == pytest.approx(400 * math.log10(9))
    assert table["a"].elo == pytest.approx(400 * math.log10(9) + 400 * math.log10(3))
    assert _half(table["a"]) > _half(table["b"])


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
    assert (table["a"].low, table["a"].high) == (table["a"].elo, math.inf)
    below = _by_name(ratings({("a", "b"): (0, 0, 10)}, anchor="a", anchor_elo=1000))["b"]
    assert below.known is Known.AT_MOST
    assert below.elo == pytest.approx(1000 - _least_elo(10), abs=0.01)
    assert (below.low, below.high) == (-math.inf, below.elo)


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
        assert (among.elo, among.low, among.high) == pytest.approx((row.elo, row.low, row.high))
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
    assert _half(table["a"]) == pytest.approx(elo(pairs).error, rel=0.1)
    assert _half(table["a"]) < _half(_by_name(ratings({("a", "b"): singles}, "b"))["a"]) / 2
    half = {("a", "b"): [count // 2 for count in pairs]}
    assert _half(table["a"]) < _half(_by_name(ratings({("a", "b"): singles}, "b", pairs=half))["a"])


@pytest.mark.parametrize(
    ("singles", "pairs"), [((0, 2, 0), None), ((1, 0, 1), {("a", "b"): (0, 0, 1, 0, 0)})]
)
def test_a_few_games_that_ended_alike_are_not_certain(singles, pairs):
    row = _by_name(ratings({("a", "b"): singles}, "b", pairs=pairs))["a"]
    assert row.elo == 0
    assert 200 < _half(row) < 600


def test_error_bars_hold_in_simulation():
    source = random.Random(5)
    truth = {"a": 0.0, "b": 60.0, "c": -90.0}
    draws = 0.4
    values, errors = [], []
    for _ in range(200):
        meetings = {}
        for first, second in (("a", "b"), ("b", "c"), ("a", "c")):
            score = score_of_elo(truth[first] - truth[second])
            chances = (1 - score - draws / 2, draws, score - draws / 2)
            drawn = source.choices(range(3), weights=chances, k=200)
            meetings[first, second] = tuple(drawn.count(result) for result in range(3))
        row = _by_name(ratings(meetings, anchor="a"))["b"]
        values.append(row.elo)
        errors.append(_half(row))
    assert fmean(values) == pytest.approx(truth["b"], abs=4)
    assert 1.96 * stdev(values) == pytest.approx(fmean(errors), rel=0.12)


@pytest.mark.parametrize(("games", "score"), [(40, 0.5), (100, 0.9), (100, 0.95), (200, 0.97)])
def test_misses_of_two_players_are_rare_on_both_sides(games, score):
    """Summed over all results of so many games, none drawn; who won them all has a bound."""
    truth = 400 * math.log10(score / (1 - score))
    chances, above, below = 0.0, 0.0, 0.0
    for wins in range(1, games):
        chance = math.comb(games, wins) * score**wins * (1 - score) ** (games - wins)
        if chance < 1e-6:
            continue
        row = _by_name(ratings({("a", "b"): (games - wins, 0, wins)}, "b"))["a"]
        chances += chance
        above += chance * (truth > row.high)
        below += chance * (truth < row.low)
    assert 0.01 < above / chances < 0.035
    assert 0.01 < below / chances < 0.035


def test_misses_of_lopsided_pairs_are_rare_on_both_sides():
    """A gauntlet against a weak and a strong player, in pairs of games that are no coin tosses."""
    source = random.Random(11)
    strong, weak = (0.0, 0.02, 0.08, 0.25, 0.65), (0.62, 0.2, 0.15, 0.03, 0.0)
    singles_of_pair = ((2, 0, 0), (1, 1, 0), (1, 0, 1), (0, 1, 1), (0, 0, 2))
    tables, above, below = 300, 0, 0
    for _ in range(tables):
        meetings, pairs = {}, {}
        for name, chances in (("strong", strong), ("weak", weak)):
            drawn = source.choices(range(5), weights=chances, k=50)
            singles = [singles_of_pair[pair] for pair in drawn]
            meetings[name, "us"] = tuple(sum(column) for column in zip(*singles, strict=True))
            pairs[name, "us"] = [drawn.count(points) for points in range(5)]
        table = _by_name(ratings(meetings, "us", pairs=pairs))
        for name, chances in (("strong", strong), ("weak", weak)):
            score = sum(points * chance for points, chance in enumerate(chances)) / 4
            truth = 400 * math.log10(score / (1 - score))
            above += truth > table[name].high
            below += truth < table[name].low
    assert 0.012 < above / (2 * tables) < 0.045
    assert 0.012 < below / (2 * tables) < 0.045


def test_any_table_has_an_answer():
    """Of results as odd as chance makes them: a few games, sweeps, thousands, islands."""
    source = random.Random(7)
    estimates = 0
    for _ in range(80):
        most = source.choice((3, 20, 10_000))
        meetings = {}
        for first, second in ("ab", "bc", "ca", "cd", "de", "ea"):
            kind = source.random()
            losses, draws, wins = (source.randint(0, most) for _ in range(3))
            if kind < 0.3:
                meetings[first, second] = (0, source.choice((0, 1)), wins + 1)
            elif kind < 0.8:
                meetings[first, second] = (losses, draws, wins + 1)
        anchors = sorted({name for pair in meetings for name in pair})
        for row in ratings(meetings, source.choice(anchors)) if meetings else ():
            if row.known is Known.ESTIMATE:
                estimates += 1
                assert -math.inf < row.low <= row.elo <= row.high < math.inf
    assert estimates > 100


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "meetings",
    [
        {
            ("b", "a"): (10**6, 0, 0),
            ("c", "a"): (1, 0, 0),
            ("d", "b"): (1, 0, 0),
            ("d", "c"): (0, 0, 10),
            ("e", "a"): (0, 0, 1),
            ("e", "d"): (1, 1, 0),
        },
        {
            ("c", "a"): (1, 0, 1),
            ("c", "b"): (10**4, 1, 10**4),
            ("d", "c"): (0, 1, 1),
            ("d", "b"): (0, 0, 1),
            ("f", "a"): (1, 0, 1),
            ("f", "d"): (0, 0, 10**4),
        },
    ],
)
def test_far_from_the_answer_no_step_goes_astray(meetings):
    """One-sided results of thousands beside single games: plain Newton steps run away here."""
    table = _by_name(ratings(meetings, "a"))
    for name, row in table.items():
        points = expected = 0.0
        for (first, second), (losses, draws, wins) in meetings.items():
            if name not in (first, second) or not {first, second} <= rated_group(meetings, "a"):
                continue
            other = table[second if name == first else first]
            points += (wins if name == first else losses) + draws / 2
            expected += (losses + draws + wins) * score_of_elo(row.elo - other.elo)
        if row.known is Known.ESTIMATE:
            assert expected == pytest.approx(points, abs=1e-6)
            assert row.low <= row.elo <= row.high


def test_a_meeting_without_a_game_is_none():
    played = {("a", "b"): (3, 4, 5), ("b", "c"): (5, 4, 3)}
    assert ratings({**played, ("a", "c"): (0, 0, 0), ("a", "d"): (0, 0, 0)}, "a") == ratings(
        played, "a"
    )
