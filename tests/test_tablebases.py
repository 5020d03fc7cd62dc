# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra.Tablebases` as its users see it."""

import chess
import numpy as np
import pytest

import kingcobra
from kingcobra.tablebases import NO_RESULT
from tests.core.tables.reference import random_boards
from tests.paths import DATA

QUEEN = "8/8/8/8/8/4k3/8/K2Q4 w - - 0 1"
CASTLING = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"


@pytest.fixture
def tables(core, tables_core):
    assert core
    assert tables_core
    with kingcobra.Tablebases(DATA / "syzygy") as tables:
        yield tables


def test_probes_take_fens_and_boards(tables):
    assert tables.probe_wdl(QUEEN) == 2
    assert tables.probe_dtz(QUEEN) == 11
    board = kingcobra.Board(QUEEN)
    before = bytes(board.record)
    assert tables.probe_wdl(board) == 2
    assert tables.probe_dtz(board) == 11
    assert board.fen() == QUEEN
    assert (
        bytes(board.record)[: board.record.__class__.states.offset]
        == (before[: board.record.__class__.states.offset])
    )
    assert tables.largest == 4


def test_moves_are_ranked(tables):
    """The best move keeps the result; wins come by rising distance, and mates first."""
    ranked = tables.rank_moves(QUEEN)
    assert len(ranked) == chess.Board(QUEEN).legal_moves.count()
    assert (ranked[0].wdl, ranked[0].dtz) == (2, 11)
    keys = [(-one.wdl, one.dtz) for one in ranked]
    assert keys == sorted(keys)
    mate = tables.rank_moves("k7/8/1K6/8/8/8/8/6Q1 w - - 0 1")
    assert (mate[0].wdl, mate[0].dtz) == (2, 1)
    assert tables.rank_moves("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1") == []


def test_a_losing_side_plays_for_the_longest_distance(tables):
    ranked = tables.rank_moves("8/8/8/8/3Q4/5k2/8/K7 b - - 0 1")
    assert ranked[0].wdl == -2
    assert ranked[0].dtz == min(one.dtz for one in ranked)


def test_batches(tables):
    boards = list(random_boards("KQvK", 50, seed=9))
    fens = [board.fen() for board in boards]
    wdl = tables.probe_wdl_batch(fens)
    assert wdl.dtype == np.int16
    assert wdl.tolist() == [tables.probe_wdl(fen) for fen in fens]
    dtz = tables.probe_dtz_batch(kingcobra.Board(fen) for fen in fens)
    assert dtz.tolist() == [tables.probe_dtz(fen) for fen in fens]
    assert tables.probe_wdl_batch([CASTLING, QUEEN]).tolist() == [NO_RESULT, 2]
    assert tables.probe_wdl_batch([]).tolist() == []


def test_what_the_tables_do_not_know(tables):
    with pytest.raises(kingcobra.TablebaseError, match="castling rights"):
        tables.probe_wdl(CASTLING)
    with pytest.raises(kingcobra.TablebaseError, match="no WDL table for KRvKR"):
        tables.probe_wdl("k6r/8/8/8/8/8/8/K5R1 w - - 0 1")
    with pytest.raises(kingcobra.TablebaseError, match="no DTZ table for KQvKN"):
        tables.probe_dtz("k7/7n/8/8/8/8/8/K5Q1 w - - 0 1")
    with pytest.raises(kingcobra.TablebaseError, match="no WDL table for KQRRBBNNPPPPPPPPvK"):
        tables.probe_wdl("rnbqkbnr/pppppppp/8/8/8/8/8/4K3 w kq - 0 1".replace("kq", "-"))


def test_wrong_arguments(tables, tmp_path):
    with pytest.raises(kingcobra.FenError):
        tables.probe_wdl("nonsense")
    with pytest.raises(kingcobra.FenError, match="in check"):
        tables.probe_wdl_batch([QUEEN, "8/8/8/8/8/3k4/8/K2Q4 w - - 0 1"])
    with pytest.raises(TypeError):
        tables.probe_wdl(7)
    with pytest.raises(TypeError):
        kingcobra.Tablebases(7)
    with pytest.raises(kingcobra.TablebaseError, match="no tablebase files"):
        kingcobra.Tablebases(tmp_path)


def test_after_close(tables):
    tables.close()
    tables.close()
    with pytest.raises(ValueError, match="closed"):
        tables.probe_wdl(QUEEN)
