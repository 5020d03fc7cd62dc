# SPDX-License-Identifier: GPL-3.0-or-later
"""Weaker play once chose among moves that an earlier search had left behind: in a position with
fewer moves than lines to choose from, it answered an illegal one."""

import chess

# Two legal moves; a level picks from the four best lines.
TWO_MOVES = "7k/8/8/8/8/8/8/K2q4 w - - 0 1"


def test_a_level_answers_a_legal_move(engine):
    engine.send("setoption name Skill Level value 10")
    for _ in range(5):
        engine.send("position startpos", "go depth 8")
        engine.wait_for("bestmove")
        engine.send(f"position fen {TWO_MOVES}", "go depth 4")
        move = engine.wait_for("bestmove")[-1].split()[1]
        assert chess.Move.from_uci(move) in chess.Board(TWO_MOVES).legal_moves
