# SPDX-License-Identifier: GPL-3.0-or-later
"""What `eval` prints."""

import chess

from kingcobra.board.board import Board
from kingcobra.nnue.breakdown import GROUPS
from kingcobra.uci.evaluation_table import evaluation_text


def test_the_table_for_people(core):
    lines = evaluation_text(Board(core)).splitlines()
    assert lines[-1].startswith("Final evaluation: +0.")
    assert lines[-1].endswith("(White's view)")
    for name in (*GROUPS, "Total"):
        (row,) = [line for line in lines if line.startswith(f"{name} ")]
        assert len(row.split(" | ")) == 4
    queen_up = Board(core, "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1")
    assert float(evaluation_text(queen_up).splitlines()[-1].split()[2]) > 4


def test_a_check_is_mentioned(core):
    board = Board(core, "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")
    assert chess.Board(board.fen()).is_check()
    assert "in check" in evaluation_text(board)
