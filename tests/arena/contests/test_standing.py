# SPDX-License-Identifier: GPL-3.0-or-later
"""Counting games into pairs, meetings and faults."""

from itertools import product

import pytest

from kingcobra.arena.contests.standing import Anchor, Standing
from kingcobra.arena.engines.answers import Fault
from kingcobra.arena.games.game_record import BLACK_WINS, DRAW, WHITE_WINS, GameRecord
from kingcobra.statistics.sprt import Sprt, SprtVerdict

POINTS_OF_A = {WHITE_WINS: 2, DRAW: 1, BLACK_WINS: 0}


def game(number, white, black, result, fault=None, culprit=None):
    reason = f"White: {fault}: why {number}" if fault else "why"
    return GameRecord(
        number, number // 2, white, black, result, reason, fault, culprit, plies=10, seconds=1.0
    )


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize("results", list(product(POINTS_OF_A, repeat=2)))
def test_a_pair_counts_once_with_the_points_of_the_first(results, order):
    games = [game(0, "A", "B", results[0]), game(1, "B", "A", results[1])]
    standing = Standing(["A", "B"])
    standing.add(games[order[0]])
    assert sum(standing.pentanomial) == 0
    standing.add(games[order[1]])
    expected = POINTS_OF_A[results[0]] + 2 - POINTS_OF_A[results[1]]
    assert standing.pentanomial == [int(points == expected) for points in range(5)]
    losses, draws, wins = standing.meetings["A", "B"]
    assert (losses + draws + wins, draws + 2 * wins) == (2, expected)


def test_pairs_may_be_interleaved():
    standing = Standing(["A", "B"])
    for record in (
        game(0, "A", "B", WHITE_WINS),
        game(2, "A", "B", BLACK_WINS),
        game(3, "B", "A", WHITE_WINS),
        game(1, "B", "A", BLACK_WINS),
    ):
        standing.add(record)
    assert standing.pentanomial == [1, 0, 0, 0, 1]


def test_faults_are_told_engine_by_engine():
    standing = Standing(["A", "B"])
    for number in range(3):
        standing.add(game(number, "A", "B", BLACK_WINS, Fault.CRASH.value, "A"))
    standing.add(game(3, "A", "B", WHITE_WINS, Fault.TIME.value, "B"))
    standing.add(game(4, "A", "B", DRAW))
    assert standing.fault_lines() == [
        "A: crash × 3 (first: why 0)",
        "B: time loss × 1 (first: why 3)",
    ]
    assert standing.lines()[-2:] == standing.fault_lines()


def test_faults_apart_have_no_part_in_the_score():
    standing = Standing(["A", "B"], faults_apart=True)
    for record in (
        game(0, "A", "B", DRAW),
        game(1, "B", "A", WHITE_WINS, Fault.TIME.value, "A"),
        game(2, "A", "B", WHITE_WINS, Fault.CRASH.value, "B"),
        game(3, "B", "A", BLACK_WINS),
        game(4, "A", "B", WHITE_WINS),
        game(5, "B", "A", DRAW),
    ):
        standing.add(record)
    assert standing.meetings == {("A", "B"): [0, 2, 2]}
    assert standing.pentanomial == [0, 0, 0, 1, 0]
    assert standing.games == 6
    first, *_ = lines = standing.lines()
    assert "6 games (2 with faults apart), 2 won, 2 drawn, 0 lost (75.00 %" in first
    assert lines[-2:] == ["A: time loss × 1 (first: why 1)", "B: crash × 1 (first: why 2)"]


@pytest.mark.parametrize("names", [["A", "B"], ["A", "B", "C"]])
def test_nothing_but_faults_apart_is_no_score(names):
    standing = Standing(names, faults_apart=True)
    standing.add(game(0, "A", "B", BLACK_WINS, Fault.CRASH.value, "A"))
    standing.add(game(1, "B", "A", WHITE_WINS, Fault.CRASH.value, "A"))
    assert standing.lines() == [
        "2 games (2 with faults apart): nothing to score",
        "A: crash × 2 (first: why 0)",
    ]


def test_the_verdict_is_that_of_the_test():
    standing = Standing(["A", "B"], Sprt(0, 100))
    assert standing.verdict is SprtVerdict.CONTINUE
    for pair in range(60):
        standing.add(game(2 * pair, "A", "B", WHITE_WINS))
        standing.add(game(2 * pair + 1, "B", "A", DRAW))
    assert standing.verdict is SprtVerdict.ACCEPTED
    assert any("H1 accepted" in line for line in standing.lines())
    assert standing.llr == Sprt(0, 100).llr((0, 0, 0, 60, 0))


def test_a_table_says_who_has_only_a_bound():
    standing = Standing(["A", "B", "C", "D"])
    for number, (white, black, result) in enumerate(
        [("A", "B", DRAW), ("B", "A", WHITE_WINS), ("A", "C", WHITE_WINS), ("D", "C", WHITE_WINS)]
    ):
        standing.add(game(number, white, black, result))
    head, titles, *rows, lost, unknown = standing.lines()
    assert titles.split() == ["Elo", "+", "-", "games", "score", "draws"]
    assert len({len(line) for line in (titles, *rows)}) == 1
    assert head == "4 games; A anchored at 0"
    assert [row.split()[0] for row in rows] == ["B", "A", "C", "D"]
    elo, more, less = map(float, rows[0].split()[1:4])
    assert elo == 190.8  # three points of four
    assert more > less > 0
    assert rows[1].split()[1:5] == ["+0.0", "0.0", "0.0", "3"]
    assert rows[2].split()[1:4] == ["<", "+511.5", "2"]
    assert rows[3].split()[1:3] == ["?", "1"]
    assert lost.startswith("< lost every game")
    assert unknown.startswith("? no game against")


def test_an_anchor_that_shares_no_points_cannot_hold_the_table():
    standing = Standing(["A", "B", "C"], anchor=Anchor("C", 2000))
    standing.add(game(0, "A", "C", WHITE_WINS))
    assert standing.lines()[0] == "1 games; C anchored at 2000"
    standing.add(game(2, "A", "B", DRAW))
    assert standing.lines()[0] == (
        "2 games; A anchored at 0, since C shares no points with any other"
    )
    standing.add(game(1, "C", "A", DRAW))
    assert standing.lines()[0] == "3 games; C anchored at 2000"


def test_no_game_no_number():
    assert Standing(["A", "B"]).lines() == ["no game finished yet"]
    assert Standing(["A", "B", "C"]).lines() == ["no game finished yet"]
