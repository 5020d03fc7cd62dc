# SPDX-License-Identifier: GPL-3.0-or-later
"""Games that end before mate."""

import os

import chess
import pytest

from kingcobra.arena.engines.answers import SearchInfo
from kingcobra.arena.games.adjudication import (
    Adjudicator,
    DrawRule,
    ResignRule,
    open_tables,
    require_tables,
)
from tests.paths import DATA

SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")


def run(adjudicator, thoughts, plies=40):
    """Plies until the verdict, and the verdict; `thoughts` are White's and Black's."""
    board = chess.Board()
    for ply in range(plies):
        board.push_uci(SHUFFLE[ply % 4])
        verdict = adjudicator.after_move(board, thoughts[ply % 2])
        if verdict is not None:
            return ply + 1, verdict
    return None


def test_the_loser_resigns_by_its_own_score():
    rule = ResignRule(moves=3, cp=600)
    plies, verdict = run(Adjudicator(rule, None, None), (SearchInfo(cp=100), SearchInfo(cp=-600)))
    assert (plies, verdict.winner) == (6, chess.WHITE)
    plies, verdict = run(Adjudicator(rule, None, None), (SearchInfo(mate=-4), SearchInfo(cp=0)))
    assert (plies, verdict.winner) == (5, chess.BLACK)
    assert run(Adjudicator(rule, None, None), (SearchInfo(cp=-599), SearchInfo(cp=900))) is None


def test_a_better_score_or_none_begins_the_count_anew():
    board = chess.Board()
    adjudicator = Adjudicator(ResignRule(moves=2, cp=600), None, None)
    board.push_uci("g1f3")
    for cp, ended in ((-700, False), (-500, False), (-700, False), (None, False), (-700, False)):
        assert (adjudicator.after_move(board, SearchInfo(cp=cp)) is not None) == ended
    assert adjudicator.after_move(board, SearchInfo(cp=-700)) is not None


def test_both_must_think_it_drawn():
    rule = DrawRule(from_move=1, moves=4, cp=10)
    plies, verdict = run(Adjudicator(None, rule, None), (SearchInfo(cp=-10), SearchInfo(cp=10)))
    assert (plies, verdict.winner) == (8, None)
    assert run(Adjudicator(None, rule, None), (SearchInfo(cp=0), SearchInfo(cp=11))) is None
    assert run(Adjudicator(None, rule, None), (SearchInfo(), SearchInfo(cp=0))) is None
    later = DrawRule(from_move=10, moves=4, cp=10)
    assert run(Adjudicator(None, later, None), (SearchInfo(cp=0), SearchInfo(cp=0)))[0] == 18


def test_tables_decide_after_a_capture(core):
    assert core
    adjudicator = Adjudicator(None, None, open_tables(str(DATA / "syzygy")))

    def verdict(fen):
        return adjudicator.after_move(chess.Board(fen), SearchInfo())

    assert verdict("8/8/8/4k3/8/8/8/KQ6 b - - 0 1").winner == chess.WHITE
    assert verdict("8/8/8/4k3/8/8/8/KQ6 w - - 0 1").winner == chess.WHITE
    assert verdict("8/8/8/4k3/8/8/q7/K1N5 w - - 0 1").winner is None
    assert verdict("8/8/8/4k3/8/8/8/KQ6 b - - 1 1") is None
    assert verdict(chess.STARTING_FEN) is None
    # No table, and castling rights.
    assert verdict("8/8/8/4k3/8/8/7r/KR6 w - - 0 1") is None
    assert verdict("4k3/8/8/8/8/8/8/4K2R w K - 0 1") is None
    # The only move is a capture en passant, and wins.
    assert verdict("8/8/8/8/1pP5/k7/2K5/8 b - c3 0 1").winner == chess.BLACK


def test_wins_that_the_fifty_move_rule_takes_away_are_draws():
    class Tables:
        largest = 5

        def probe_wdl(self, _fen):
            return 1

    verdict = Adjudicator(None, None, Tables()).after_move(
        chess.Board("8/8/8/4k3/8/8/8/KQ6 b - - 0 1"), SearchInfo()
    )
    assert (verdict.winner, verdict.reason) == (None, "adjudicated: tablebase draw")


def test_a_directory_without_tables_is_refused(tmp_path):
    (tmp_path / "KQvK.rtbz").touch()
    with pytest.raises(FileNotFoundError, match="Syzygy"):
        require_tables(str(tmp_path))
    with pytest.raises(FileNotFoundError, match="missing"):
        require_tables(str(tmp_path / "missing"))
    assert open_tables(None) is None
    require_tables(None)
    require_tables(os.pathsep.join((str(tmp_path), str(DATA / "syzygy"))))
