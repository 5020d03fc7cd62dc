# SPDX-License-Identifier: GPL-3.0-or-later
"""Clocks, and how games end."""

import chess
import pytest

from kingcobra.web.chess_clock import ChessClock
from kingcobra.web.played_game import PlayedGame, end_by_rule


def test_one_side_s_time_runs_at_a_time():
    clock = ChessClock(60, 2)
    clock.start(chess.WHITE, 1000)
    assert clock.left_ms(chess.WHITE, 6000) == 55_000
    assert clock.left_ms(chess.BLACK, 6000) == 60_000
    clock.press(6000)
    assert clock.left_ms(chess.WHITE, 9000) == 57_000
    assert clock.left_ms(chess.BLACK, 9000) == 57_000
    clock.stop(9000)
    assert clock.left_ms(chess.BLACK, 99_000) == 57_000
    clock.press(99_000)
    assert clock.running is None


def test_a_flag_falls():
    clock = ChessClock(1, 0)
    clock.start(chess.BLACK, 0)
    assert not clock.has_fallen(999)
    assert clock.has_fallen(1000)
    assert clock.left_ms(chess.BLACK, 5000) == 0


def test_no_time_against_a_bare_king_is_a_draw():
    clock = ChessClock(1, 0)
    clock.start(chess.WHITE, 0)
    game = PlayedGame(chess.BLACK, None, clock)
    bare = chess.Board("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1")
    assert game.time_forfeit(bare).result == "1/2-1/2"
    assert game.time_forfeit(chess.Board()).result == "0-1"


@pytest.mark.parametrize(
    ("fen", "result"),
    [
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "1-0"),
        ("7k/8/6Q1/8/8/8/8/K7 b - - 0 1", "1/2-1/2"),
        ("7k/8/8/8/8/8/8/KB6 w - - 0 1", "1/2-1/2"),
        ("7k/8/8/8/8/8/8/KR6 w - - 100 90", "1/2-1/2"),
    ],
)
def test_the_rules_end_games(fen, result):
    end = end_by_rule(chess.Board(fen))
    assert end is not None
    assert end.result == result


def test_the_third_repetition():
    board = chess.Board()
    for _ in range(2):
        assert end_by_rule(board) is None
        for move in ("g1f3", "g8f6", "f3g1", "f6g8"):
            board.push_uci(move)
    assert end_by_rule(board) is not None
