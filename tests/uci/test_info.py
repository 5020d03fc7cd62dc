# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports as text."""

import pytest

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.search.layout import (
    CURRENT_MOVE_REPORT,
    EXACT,
    LOWER,
    PV_REPORT,
    REFUTATION_REPORT,
    UPPER,
    Report,
)
from kingcobra.core.search.scores import EVALUATION_LIMIT, MATE
from kingcobra.networks.scale import Scale
from kingcobra.uci.info import format_report, format_score

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


def report_of(board, *moves, **fields):
    """A report with the line that these moves are."""
    report = Report(kind=PV_REPORT, depth=5, deepest=9, line=1, bound=EXACT)
    for field, value in fields.items():
        setattr(report, field, value)
    line = PositionHandle(board._core, board.fen(), board.chess960)
    for number, move in enumerate(moves):
        report.pv[number] = line.parse_move(move)
        line.play(move)
    report.pv_length = len(moves)
    return report


@pytest.mark.parametrize(
    ("bound", "text"), [(EXACT, ""), (LOWER, " lowerbound"), (UPPER, " upperbound")]
)
def test_a_line(core, bound, text):
    board = PositionHandle(core)
    report = report_of(
        board, "e2e4", "e7e5", score=-12, bound=bound, line=2, elapsed_ns=2_500_000_000
    )
    assert format_report(report, board.record, 5000, 31, PLAIN) == (
        f"info depth 5 seldepth 9 multipv 2 score cp -12{text} nodes 5000 nps 2000 hashfull 31"
        " tbhits 0 time 2500 pv e2e4 e7e5"
    )


def test_chances_come_behind_the_bound(core):
    board = PositionHandle(core)
    report = report_of(board, "e2e4", score=200, bound=LOWER)
    text = format_report(report, board.record, 1, 1, DOUBLE, shows_wdl=True)
    assert " score cp 100 lowerbound wdl 500 500 0 nodes " in text


def test_a_refutation(core):
    board = PositionHandle(core)
    report = report_of(board, "g2g4", "e7e5", kind=REFUTATION_REPORT)
    assert format_report(report, board.record, 1, 1, PLAIN) == "info refutation g2g4 e7e5"
    report.pv_length = 1
    assert format_report(report, board.record, 1, 1, PLAIN) == "info refutation g2g4"


def test_time_that_has_not_passed_divides_nothing(core):
    board = PositionHandle(core)
    text = format_report(report_of(board, "e2e4"), board.record, 7, 0, PLAIN)
    assert " time 0 " in text


def test_the_current_move(core):
    board = PositionHandle(core)
    report = report_of(board, "d2d4", kind=CURRENT_MOVE_REPORT, line=3)
    assert format_report(report, board.record, 1, 1, PLAIN) == (
        "info depth 5 currmove d2d4 currmovenumber 3"
    )


@pytest.mark.parametrize(("chess960", "castling"), [(False, "e1g1"), (True, "e1h1")])
def test_castling_in_a_line(core, chess960, castling):
    board = PositionHandle(core, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", chess960)
    text = format_report(report_of(board, castling, "e8e7"), board.record, 1, 1, PLAIN)
    assert text.endswith(f" pv {castling} e8e7")
