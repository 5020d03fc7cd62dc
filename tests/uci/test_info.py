# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports as text."""

import pytest

from kingcobra.board.board import Board
from kingcobra.search.layout import (
    CURRENT_MOVE_REPORT,
    EXACT,
    LOWER,
    PV_REPORT,
    UPPER,
    Report,
)
from kingcobra.search.scores import EVALUATION_LIMIT, MATE
from kingcobra.uci.info import format_report, format_score


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
    assert format_score(score) == text


def report_of(board, *moves, **fields):
    """A report with the line that these moves are."""
    report = Report(kind=PV_REPORT, depth=5, deepest=9, line=1, bound=EXACT)
    for field, value in fields.items():
        setattr(report, field, value)
    line = Board(board._core, board.fen(), board.chess960)
    for number, move in enumerate(moves):
        report.pv[number] = line.parse_move(move)
        line.play(move)
    report.pv_length = len(moves)
    return report


@pytest.mark.parametrize(
    ("bound", "text"), [(EXACT, ""), (LOWER, " lowerbound"), (UPPER, " upperbound")]
)
def test_a_line(core, bound, text):
    board = Board(core)
    report = report_of(
        board, "e2e4", "e7e5", score=-12, bound=bound, line=2, elapsed_ns=2_500_000_000
    )
    assert format_report(report, board.record, 5000, 31) == (
        f"info depth 5 seldepth 9 multipv 2 score cp -12{text} nodes 5000 nps 2000 hashfull 31"
        " tbhits 0 time 2500 pv e2e4 e7e5"
    )


def test_time_that_has_not_passed_divides_nothing(core):
    board = Board(core)
    text = format_report(report_of(board, "e2e4"), board.record, 7, 0)
    assert " time 0 " in text


def test_the_current_move(core):
    board = Board(core)
    report = report_of(board, "d2d4", kind=CURRENT_MOVE_REPORT, line=3)
    assert format_report(report, board.record, 1, 1) == (
        "info depth 5 currmove d2d4 currmovenumber 3"
    )


@pytest.mark.parametrize(("chess960", "castling"), [(False, "e1g1"), (True, "e1h1")])
def test_castling_in_a_line(core, chess960, castling):
    board = Board(core, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", chess960)
    text = format_report(report_of(board, castling, "e8e7"), board.record, 1, 1)
    assert text.endswith(f" pv {castling} e8e7")
