# SPDX-License-Identifier: GPL-3.0-or-later
"""Inaccuracies, mistakes, blunders, and mates created and lost."""

import pytest

from kingcobra.analysis.accuracy import win_percent
from kingcobra.analysis.judgement import (
    MATE_CREATED,
    MATE_LOST,
    Judgement,
    Standing,
    judge,
)
from kingcobra.analysis.score import Score

INACCURACY, MISTAKE, BLUNDER = Judgement


def standing(text):
    """`0.36` or `#-3`, White's view."""
    if text.startswith("#"):
        score = Score.in_moves(int(text[1:]))
    else:
        score = Score.in_cp(round(float(text) * 100))
    return Standing(score, win_percent(score.bounded_cp()))


def judged(before, after, mover_is_white=True):
    return judge(standing(before), standing(after), mover_is_white)


def test_the_example_of_the_lichess_format():
    verdict = judged("0.36", "-0.36")
    assert (verdict.judgement, verdict.words) == (INACCURACY, "Inaccuracy")
    assert INACCURACY.nag == 6
    assert (MISTAKE.nag, BLUNDER.nag) == (2, 4)
    assert [judgement.glyph for judgement in Judgement] == ["?!", "?", "??"]


@pytest.mark.parametrize(
    ("loss", "judgement"),
    [
        (4.99, None),
        (5, INACCURACY),
        (9.99, INACCURACY),
        (10, MISTAKE),
        (14.99, MISTAKE),
        (15, BLUNDER),
        (60, BLUNDER),
        (-20, None),
    ],
)
@pytest.mark.parametrize("mover_is_white", [True, False])
def test_points_of_chances(loss, judgement, mover_is_white):
    sign = 1 if mover_is_white else -1
    before = Standing(Score.in_cp(0), 50 + sign * 30)
    after = Standing(Score.in_cp(0), 50 + sign * (30 - loss))
    verdict = judge(before, after, mover_is_white)
    assert (verdict.judgement if verdict else None) is judgement


@pytest.mark.parametrize(
    ("before", "judgement"),
    [
        ("-10.00", INACCURACY),
        ("-9.99", MISTAKE),
        ("-7.01", MISTAKE),
        ("-7.00", BLUNDER),
        ("0.00", BLUNDER),
        ("8.00", BLUNDER),
    ],
)
def test_a_mate_is_created(before, judgement):
    assert judged(before, "#-4") == (judgement, MATE_CREATED)
    mirrored = before.removeprefix("-") if before.startswith("-") else f"-{before}"
    assert judged(mirrored, "#4", mover_is_white=False) == (judgement, MATE_CREATED)


@pytest.mark.parametrize(
    ("after", "judgement"),
    [
        ("10.00", INACCURACY),
        ("9.99", MISTAKE),
        ("7.01", MISTAKE),
        ("7.00", BLUNDER),
        ("-3.00", BLUNDER),
        ("#-2", BLUNDER),
    ],
)
def test_a_mate_is_lost(after, judgement):
    assert judged("#3", after) == (judgement, MATE_LOST)


@pytest.mark.parametrize(
    ("before", "after"), [("#3", "#7"), ("#-3", "#-2"), ("#-3", "-2.00"), ("0.00", "#2")]
)
def test_other_changes_of_mates_are_not_judged(before, after):
    assert judged(before, after) is None


def test_checkmate_is_no_loss():
    before = standing("#1")
    assert judge(before, Standing(Score.checkmate(white_wins=True), 100), True) is None
    assert Score.checkmate(white_wins=False).bounded_cp() == -1000


@pytest.mark.parametrize(
    ("score", "tag", "words"),
    [
        (Score.in_cp(17), "0.17", "0.17"),
        (Score.in_cp(-36), "-0.36", "-0.36"),
        (Score.in_cp(0), "0.00", "0.00"),
        (Score.in_moves(-3), "#-3", "Mate in 3"),
        (Score.checkmate(white_wins=True), "#0", "Checkmate"),
    ],
)
def test_scores_as_text(score, tag, words):
    assert (score.tag_text(), score.words()) == (tag, words)
    assert Score.from_json(score.as_json()) == score
