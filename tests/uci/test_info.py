# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports as text."""

import pytest

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.search.layout import EXACT, LOWER, UPPER
from kingcobra.core.search.scores import EVALUATION_LIMIT, MATE
from kingcobra.engine.reports import CurrentMove, LineReport
from kingcobra.networks.scale import Scale
from kingcobra.uci.info import (
    format_current_move,
    format_line_report,
    format_refutation,
    format_score,
)

# A hundred units are a hundred centipawns.
PLAIN = Scale(even=(100.0,), spread=(50.0,))
# Twice as many units.
DOUBLE = Scale(even=(200.0,), spread=(50.0,))


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (0, "cp 0"),
        (-37, "cp -37"),
        (EVALUATION_LIMIT, f"cp {EVALUATION_LIMIT}"),
        (-EVALUATION_LIMIT, f"cp -{EVALUATION_LIMIT}"),
        # Plies to the mate: 2n - 1 for the winner, 2n for the loser.
        (MATE - 1, "mate 1"),
        (MATE - 3, "mate 2"),
        (MATE - 7, "mate 4"),
        (-MATE, "mate 0"),
        (-MATE + 2, "mate -1"),
        (-MATE + 4, "mate -2"),
        (-MATE + 8, "mate -4"),
    ],
)
def test_scores(score, text):
    assert format_score(score, PLAIN) == text


def test_the_scale_makes_centipawns_and_leaves_mates_alone():
    assert format_score(-300, DOUBLE) == "cp -150"
    assert format_score(MATE - 3, DOUBLE) == "mate 2"


def moves_of(board, *texts):
    """Moves that follow one another from the board's position."""
    after = board.copy()
    moves = []
    for text in texts:
        moves.append(after.parse_move(text))
        after.play_move(moves[-1])
    return moves


def line_of(board, *texts, **fields):
    """A report of the line that these moves are."""
    report = LineReport(
        number=1,
        depth=5,
        deepest_ply=9,
        score=0,
        bound=EXACT,
        moves=moves_of(board, *texts),
        nodes=1,
        elapsed_ns=0,
        hashfull_permille=1,
    )
    return report._replace(**fields)


@pytest.mark.parametrize(
    ("bound", "text"), [(EXACT, ""), (LOWER, " lowerbound"), (UPPER, " upperbound")]
)
def test_a_line(core, bound, text):
    board = PositionHandle(core)
    report = line_of(
        board,
        "e2e4",
        "e7e5",
        score=-12,
        bound=bound,
        number=2,
        nodes=5000,
        hashfull_permille=31,
        elapsed_ns=2_500_000_000,
    )
    assert format_line_report(report, board.record, PLAIN) == (
        f"info depth 5 seldepth 9 multipv 2 score cp -12{text} nodes 5000 nps 2000 hashfull 31"
        " tbhits 0 time 2500 pv e2e4 e7e5"
    )


def test_chances_come_behind_the_bound(core):
    board = PositionHandle(core)
    report = line_of(board, "e2e4", score=200, bound=LOWER)
    text = format_line_report(report, board.record, DOUBLE, shows_wdl=True)
    assert " score cp 100 lowerbound wdl 500 500 0 nodes " in text


def test_a_refutation(core):
    board = PositionHandle(core)
    moves = moves_of(board, "g2g4", "e7e5")
    assert format_refutation(moves, board.record) == "info refutation g2g4 e7e5"
    assert format_refutation(moves[:1], board.record) == "info refutation g2g4"


def test_time_that_has_not_passed_divides_nothing(core):
    board = PositionHandle(core)
    assert " time 0 " in format_line_report(line_of(board, "e2e4"), board.record, PLAIN)


def test_the_current_move(core):
    board = PositionHandle(core)
    current = CurrentMove(depth=5, move=board.parse_move("d2d4"), number=3)
    assert format_current_move(current, board.record) == (
        "info depth 5 currmove d2d4 currmovenumber 3"
    )


@pytest.mark.parametrize(("chess960", "castling"), [(False, "e1g1"), (True, "e1h1")])
def test_castling_in_a_line(core, chess960, castling):
    board = PositionHandle(core, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", chess960)
    text = format_line_report(line_of(board, castling, "e8e7"), board.record, PLAIN)
    assert text.endswith(f" pv {castling} e8e7")
