# SPDX-License-Identifier: GPL-3.0-or-later
"""What `eval` prints."""

import chess
import pytest

from kingcobra.board.position_handle import PositionHandle
from kingcobra.engine.classical_breakdown import GROUPS
from kingcobra.engine.evaluator import Evaluator
from kingcobra.networks.classical_scale import CLASSICAL_SCALE
from kingcobra.uci.evaluation_table import evaluation_text
from kingcobra.uci.info import format_score
from tests.core.classical.classical_evaluator import ClassicalEvaluator

QUEEN_UP = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"


def lines_of(core, board):
    return evaluation_text(Evaluator(core), board).splitlines()


def final_pawns(core, fen):
    return float(lines_of(core, PositionHandle(core, fen))[-1].split()[2])


def test_the_table_for_people(core):
    lines = lines_of(core, PositionHandle(core))
    assert lines[-1].startswith("Final evaluation: +0.")
    assert lines[-1].endswith("(White's view)")
    for name in (*GROUPS, "Total"):
        (row,) = [line for line in lines if line.startswith(f"{name} ")]
        assert len(row.split(" | ")) == 4
    assert final_pawns(core, QUEEN_UP) > 4


@pytest.mark.parametrize("fen", [chess.STARTING_FEN, QUEEN_UP, "8/5k2/3p4/3P4/8/4K3/8/8 b - - 0 1"])
def test_the_final_figure_is_on_the_scale_of_scores(core, fen):
    """What `go` would say of the same units, for the side to move."""
    board = PositionHandle(core, fen)
    said = format_score(ClassicalEvaluator(core).value(board), CLASSICAL_SCALE)
    mover_cp = int(said.removeprefix("cp "))
    white_cp = mover_cp if chess.Board(fen).turn else -mover_cp
    assert final_pawns(core, fen) == white_cp / 100


def test_the_total_makes_the_final_figure_when_all_pieces_are_there(core):
    lines = lines_of(core, PositionHandle(core))
    (total,) = [line for line in lines if line.startswith("Total ")]
    middlegame = float(total.split(" | ")[-1].split()[0])
    assert "Phase: 100 % middlegame, 0 % endgame" in lines
    assert float(lines[-1].split()[2]) == pytest.approx(middlegame, abs=0.011)


def test_the_nearer_the_fiftieth_move_the_smaller(core):
    late = QUEEN_UP.replace(" 0 1", " 80 60")
    assert 0 < final_pawns(core, late) < final_pawns(core, QUEEN_UP)


def test_a_check_is_mentioned(core):
    board = PositionHandle(core, "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")
    assert chess.Board(board.fen()).is_check()
    assert "in check" in lines_of(core, board)[-1]
