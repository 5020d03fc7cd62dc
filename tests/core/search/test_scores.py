# SPDX-License-Identifier: GPL-3.0-or-later
"""Scores and their bands, and their way into the hash table and back."""

import pytest

from kingcobra.core.search.scores import (
    EVALUATION_LIMIT,
    INFINITE,
    MATE,
    MATE_BAND,
    NO_SCORE,
    TABLE_BAND,
    TABLE_WIN,
    from_table,
    is_decided,
    is_loss,
    is_win,
    mated_in,
    mating_in,
    to_table,
)

# Decided scores of lines that go on for 60 plies from the root, and estimates.
SCORES = [0, 1, 500, EVALUATION_LIMIT, mating_in(60), TABLE_WIN - 60]


@pytest.mark.parametrize("ply", [0, 1, 7, 50])
@pytest.mark.parametrize("score", [*SCORES, *(-score for score in SCORES)])
def test_what_comes_back_from_the_table_is_what_was_stored(score, ply):
    stored = to_table(score, ply)
    assert -(2**15) <= stored < 2**15
    assert from_table(stored, ply, 0) == score


@pytest.mark.parametrize("ply", [0, 1, 7, 50])
def test_a_mate_counts_from_the_node(ply):
    """Reached two plies later, the same mate is two plies further from the root."""
    assert from_table(to_table(mating_in(ply + 5), ply), ply + 2, 0) == mating_in(ply + 7)
    assert from_table(to_table(mated_in(ply + 6), ply), ply + 2, 0) == mated_in(ply + 8)


def test_no_score_stays_none():
    assert from_table(NO_SCORE, 9, 99) == NO_SCORE


def test_a_mate_that_the_fifty_move_rule_overtakes_is_an_estimate():
    assert from_table(mating_in(9), 0, 91) == mating_in(9)
    assert from_table(mating_in(9), 0, 92) == EVALUATION_LIMIT
    assert from_table(mated_in(10), 0, 90) == mated_in(10)
    assert from_table(mated_in(10), 0, 91) == -EVALUATION_LIMIT


def test_a_table_win_that_the_fifty_move_rule_overtakes_is_an_estimate():
    assert from_table(TABLE_WIN - 9, 0, 91) == TABLE_WIN - 9
    assert from_table(TABLE_WIN - 9, 0, 92) == EVALUATION_LIMIT
    assert from_table(10 - TABLE_WIN, 0, 90) == 10 - TABLE_WIN
    assert from_table(10 - TABLE_WIN, 0, 91) == -EVALUATION_LIMIT


def test_bands_do_not_overlap():
    bands = [EVALUATION_LIMIT, TABLE_BAND, TABLE_WIN, MATE_BAND, MATE, INFINITE, NO_SCORE]
    assert sorted(set(bands)) == bands
    for score in (TABLE_BAND, TABLE_WIN, MATE_BAND, MATE):
        assert (is_win(score), is_loss(score), is_decided(score)) == (True, False, True)
        assert (is_win(-score), is_loss(-score), is_decided(-score)) == (False, True, True)
    for score in (0, EVALUATION_LIMIT, -EVALUATION_LIMIT):
        assert not (is_win(score))
        assert not (is_loss(score))
        assert not (is_decided(score))
