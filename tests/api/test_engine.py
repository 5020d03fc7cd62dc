# SPDX-License-Identifier: GPL-3.0-or-later
"""kingcobra.Engine: python-chess's values in and out, in the process."""

import chess
import chess.engine
import pytest
from chess.engine import Cp, Limit, Mate, PovScore

import kingcobra

BACK_RANK = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
FEW_NODES = Limit(nodes=500)


@pytest.fixture(scope="module")
def engine():
    with kingcobra.Engine(hash_mb=1) as engine:
        yield engine


@pytest.mark.parametrize("kind", [chess.Board, kingcobra.Board, str])
def test_analyse_takes_boards_of_every_kind(engine, kind):
    info = engine.analyse(kind(BACK_RANK), FEW_NODES)
    assert info["score"] == PovScore(Mate(1), chess.WHITE)
    assert info["pv"] == [chess.Move.from_uci("a1a8")]
    assert info["wdl"].white() == chess.engine.Wdl(1000, 0, 0)


def test_analyse_gives_a_list_only_for_multipv(engine):
    board = chess.Board()
    assert isinstance(engine.analyse(board, FEW_NODES), dict)
    (one,) = engine.analyse(board, FEW_NODES, multipv=1)
    assert one["multipv"] == 1
    lines = engine.analyse(board, Limit(depth=4), multipv=3)
    assert [line["multipv"] for line in lines] == [1, 2, 3]
    assert len({line["pv"][0] for line in lines}) == 3


def test_analysis_can_be_stopped_and_read(engine):
    with engine.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 3:
                break
    assert analysis.wait().move in chess.Board().legal_moves
    assert analysis.info["depth"] >= 3


def test_the_end_of_a_game_has_a_score_and_no_move(engine):
    mated = chess.Board("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")
    assert engine.analyse(mated, FEW_NODES)["score"] == PovScore(Mate(0), chess.BLACK)
    stalemate = chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert engine.analyse(stalemate, FEW_NODES)["score"] == PovScore(Cp(0), chess.BLACK)
    assert engine.play(mated, FEW_NODES).move is None
