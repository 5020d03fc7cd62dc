# SPDX-License-Identifier: GPL-3.0-or-later
"""Which root moves the tables allow, and what they say that these are worth."""

import pytest

from kingcobra.core.search.scores import DRAW, MATE, MAX_PLY, TABLE_BAND, TABLE_WIN
from kingcobra.engine.root_ranking import (
    FREE_PLIES,
    SURE,
    UNSURE,
    GameState,
    RankedRootMove,
    RootRanking,
    rank_of_distance,
    rank_of_result,
    score_of_rank,
)

FRESH = GameState()
REPEATED = GameState(has_repeated=True)
NO_RULE = GameState(is_fifty_rule=False)


def late(fifty_plies):
    return GameState(fifty_plies=fifty_plies)


def test_wins_with_time_to_spare_are_equal():
    assert rank_of_distance(1, FRESH) == rank_of_distance(FREE_PLIES, FRESH) == SURE
    assert rank_of_distance(FREE_PLIES - 50, late(50)) == SURE


def test_the_shorter_of_late_wins_is_better():
    """Tables round: a win that just arrives may just not."""
    ranks = [rank_of_distance(distance, late(60)) for distance in (20, 21, 38, 39, 40)]
    assert ranks == sorted(set(ranks), reverse=True)
    assert ranks[3] > UNSURE > ranks[4]


def test_after_a_repetition_the_shortest_win_is_played():
    assert rank_of_distance(3, REPEATED) > rank_of_distance(5, REPEATED) > UNSURE


def test_a_win_on_the_very_last_ply_is_sure():
    """A capture, a pawn move or a mate in one is never rounded, and comes before the draw."""
    assert rank_of_distance(1, late(99)) > UNSURE
    assert rank_of_distance(2, late(98)) < UNSURE


@pytest.mark.parametrize("game", [FRESH, late(40), late(90), REPEATED, NO_RULE])
def test_the_order_of_ranks(game):
    """Wins, the shorter before the longer; draws; losses, the longer before the shorter."""
    distances = [1, 3, 60, 99, 101, 140, 0, -140, -101, -99, -60, -3, -1]
    ranks = [rank_of_distance(distance, game) for distance in distances]
    assert ranks == sorted(ranks, reverse=True)
    assert ranks[6] == 0
    assert ranks[5] > 0 > ranks[7]


def test_without_the_fifty_move_rule_only_the_shortest_win_counts():
    assert rank_of_distance(3, NO_RULE) > rank_of_distance(5, NO_RULE)
    assert score_of_rank(rank_of_distance(140, NO_RULE), 140) == TABLE_WIN - 140


@pytest.mark.parametrize(
    ("wdl", "with_rule", "without"),
    [
        (2, TABLE_WIN, TABLE_WIN),
        (1, DRAW, TABLE_WIN),
        (0, DRAW, DRAW),
        (-1, DRAW, -TABLE_WIN),
        (-2, -TABLE_WIN, -TABLE_WIN),
    ],
)
def test_scores_of_results(wdl, with_rule, without):
    assert score_of_rank(rank_of_result(wdl, True), 0) == with_rule
    assert score_of_rank(rank_of_result(wdl, False), 0) == without


def test_results_are_ordered():
    ranks = [rank_of_result(wdl, True) for wdl in (2, 1, 0, -1, -2)]
    assert ranks == sorted(ranks, reverse=True)
    assert len(set(ranks)) == len(ranks)


def test_scores_count_the_plies():
    assert score_of_rank(rank_of_distance(11, FRESH), 11) == TABLE_WIN - 11
    assert score_of_rank(rank_of_distance(-10, FRESH), -10) == 10 - TABLE_WIN


def test_a_loss_that_arrives_in_time_is_a_loss():
    """Also where the loser hopes for the fifty-move rule, because he may gain time."""
    assert score_of_rank(rank_of_distance(-40, late(30)), -40) == 40 - TABLE_WIN
    assert score_of_rank(rank_of_distance(-80, late(30)), -80) == DRAW


def test_a_win_that_comes_too_late_is_a_draw():
    assert score_of_rank(rank_of_distance(40, late(60)), 40) == TABLE_WIN - 40
    assert score_of_rank(rank_of_distance(41, late(60)), 41) == DRAW
    assert score_of_rank(rank_of_distance(101, FRESH), 101) == DRAW


@pytest.mark.parametrize("distance", [300, 1000])
def test_scores_stay_in_their_band(distance):
    rank = rank_of_distance(distance, NO_RULE)
    assert score_of_rank(rank, distance) == TABLE_WIN - (MAX_PLY - 1)
    assert score_of_rank(-rank, -distance) >= -TABLE_WIN
    assert score_of_rank(rank, distance) >= TABLE_BAND


WIN_3, WIN_5 = RankedRootMove(1, SURE, TABLE_WIN - 3), RankedRootMove(2, SURE, TABLE_WIN - 5)
DRAWN, LOST = RankedRootMove(3, 0, DRAW), RankedRootMove(4, -SURE, 7 - TABLE_WIN)


def test_a_ranking_puts_the_best_first():
    ranking = RootRanking([LOST, WIN_5, DRAWN, WIN_3], by_distance=True)
    assert ranking.moves == [WIN_5, WIN_3, DRAWN, LOST]
    assert ranking.best == [WIN_5, WIN_3]


@pytest.mark.parametrize(
    ("moves", "by_distance", "settled"),
    [
        ([WIN_3, DRAWN], True, True),
        ([WIN_3, DRAWN], False, False),
        ([DRAWN, LOST], False, True),
        ([LOST], False, True),
    ],
)
def test_only_a_win_without_distances_needs_more_probes(moves, by_distance, settled):
    assert RootRanking(moves, by_distance).is_settled == settled


def test_shown_scores():
    """A mate that the search has found is better than what the tables say; an estimate is not."""
    by_distance = RootRanking([WIN_3, DRAWN], by_distance=True)
    assert by_distance.shown_score(WIN_3.move, 350) == WIN_3.score
    assert by_distance.shown_score(WIN_3.move, TABLE_WIN - 9) == WIN_3.score
    assert by_distance.shown_score(WIN_3.move, MATE - 3) == MATE - 3
    assert by_distance.shown_score(DRAWN.move, 350) == DRAW
    by_result = RootRanking([RankedRootMove(1, SURE, TABLE_WIN), DRAWN], by_distance=False)
    assert by_result.shown_score(1, TABLE_WIN - 9) == TABLE_WIN - 9
    assert by_result.shown_score(1, 350) == TABLE_WIN
