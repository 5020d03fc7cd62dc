# SPDX-License-Identifier: GPL-3.0-or-later
"""The verdict of endgame tables, in words."""

import chess
import pytest

from kingcobra.tablebases import Tablebases
from kingcobra.web.table_verdict import (
    CURSED_WIN,
    DRAW,
    WIN,
    may_be_known,
    table_verdict,
    verdict_text,
)
from tests.paths import DATA


@pytest.mark.parametrize(
    ("result", "winner", "plies", "clock", "text"),
    [
        (DRAW, chess.WHITE, 0, 0, "A draw with best play"),
        (WIN, chess.WHITE, None, 0, "White wins"),
        (WIN, chess.WHITE, 1, 0, "White wins (1 move to the next capture, pawn move or mate)"),
        (WIN, chess.BLACK, 2, 0, "Black wins (1 move to the next capture, pawn move or mate)"),
        (WIN, chess.BLACK, 13, 87, "Black wins (7 moves to the next capture, pawn move or mate)"),
        (
            WIN,
            chess.WHITE,
            13,
            88,
            "White would win (7 moves to the next capture, pawn move or mate), but fifty moves"
            " without one are over before that: a draw",
        ),
        (
            CURSED_WIN,
            chess.BLACK,
            120,
            0,
            "A draw by the fifty-move rule; without it Black would win (60 moves to the next"
            " capture, pawn move or mate)",
        ),
    ],
)
def test_words(result, winner, plies, clock, text):
    assert verdict_text(result, winner, plies, clock) == text


@pytest.mark.parametrize(
    ("fen", "text"),
    [
        ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "White wins (1 move "),
        ("7k/8/5K2/6Q1/8/8/8/8 b - - 0 1", "White wins (1 move "),
        ("K7/8/5k2/6q1/8/8/8/8 b - - 0 1", "Black wins ("),
        ("8/8/8/4k3/8/8/8/K2N4 w - - 0 1", "A draw with best play"),
        ("8/8/8/8/8/4k3/8/K2Q4 w - - 99 80", "White would win ("),
        ("7k/8/5KQ1/8/8/8/8/8 b - - 0 1", ""),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", ""),
        (chess.STARTING_FEN, ""),
    ],
)
def test_positions(core, fen, text):
    assert core
    with Tablebases(DATA / "syzygy") as tables:
        found = table_verdict(tables, chess.Board(fen))
    assert found.startswith(text)
    assert bool(found) == bool(text)


def test_what_tables_cannot_have():
    assert may_be_known(chess.Board("8/8/8/8/8/4k3/8/K2Q4 w - - 0 1"), 3)
    assert not may_be_known(chess.Board("8/8/8/8/8/4k3/8/K2Q3R w - - 0 1"), 3)
    assert not may_be_known(chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), 3)
