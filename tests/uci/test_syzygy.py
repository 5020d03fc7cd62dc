# SPDX-License-Identifier: GPL-3.0-or-later
"""SyzygyPath, SyzygyProbeDepth, Syzygy50MoveRule and SyzygyProbeLimit at the prompt."""

import chess
import chess.syzygy
import pytest

from tests.paths import DATA

FOLDER = DATA / "syzygy"
FOUND = "info string Found 10 WDL and 9 DTZ tablebase files (up to 4-man)."
QUEEN = "8/8/8/8/8/4k3/8/K2Q4 w - - 0 1"
QUEEN_LATE = "8/8/8/8/8/4k3/8/K2Q4 w - - 95 90"
# A pawn may be taken: four men are left, for which there are tables.
FIVE_MEN = "8/8/4k3/3p4/2P1P3/4K3/8/8 w - - 0 1"


def search(engine, fen, limits="depth 6"):
    """All lines of one search."""
    engine.send(f"position fen {fen}", f"go {limits}")
    return engine.wait_for("bestmove")


def word_after(lines, name):
    """What follows a word in the last line that has it."""
    words = [line for line in lines if f" {name} " in line][-1].split()
    return words[words.index(name) + 1]


def score(lines):
    return [line.partition(" score ")[2].split()[:2] for line in lines if " score " in line][-1]


def table_hits(lines):
    return int(word_after(lines, "tbhits"))


@pytest.fixture
def with_tables(engine):
    assert engine.ask(f"setoption name SyzygyPath value {FOLDER}") == [FOUND]
    return engine


def test_syzygypath(engine):
    before = search(engine, QUEEN)
    assert table_hits(before) == 0
    assert not any("Tablebases" in line for line in engine.ask(f"position fen {QUEEN}", "d"))
    engine.ask(f"setoption name SyzygyPath value {FOLDER}")
    after = search(engine, QUEEN)
    assert table_hits(after) > 0
    shown = engine.ask("d")
    assert "Tablebases WDL: 2" in shown
    assert "Tablebases DTZ: 11" in shown
    assert engine.ask("setoption name SyzygyPath value <empty>") == []
    assert table_hits(search(engine, QUEEN)) == 0


def test_syzygyprobelimit(with_tables):
    with_tables.ask("setoption name SyzygyProbeLimit value 2")
    assert table_hits(search(with_tables, QUEEN)) == 0
    with_tables.ask("setoption name SyzygyProbeLimit value 3")
    assert table_hits(search(with_tables, QUEEN)) > 0


def test_syzygyprobedepth(with_tables):
    """It counts where as many men are left as the limit allows."""
    with_tables.ask("setoption name SyzygyProbeLimit value 4")
    often = table_hits(search(with_tables, FIVE_MEN))
    with_tables.ask("setoption name SyzygyProbeDepth value 100", "setoption name Clear Hash")
    assert often > table_hits(search(with_tables, FIVE_MEN))


def test_syzygy50moverule(with_tables):
    """The win comes too late by the rule."""
    assert score(search(with_tables, QUEEN_LATE, "depth 1")) == ["cp", "0"]
    with_tables.ask("setoption name Syzygy50MoveRule value false")
    assert score(search(with_tables, QUEEN_LATE, "depth 1")) == ["cp", "20000"]


def test_scores_of_the_root_are_those_of_the_tables(with_tables):
    assert score(search(with_tables, QUEEN, "depth 1")) == ["cp", "20000"]
    lost = "8/8/8/8/3Q4/5k2/8/K7 b - - 0 1"
    assert score(search(with_tables, lost, "depth 1")) == ["cp", "-20000"]
    assert score(search(with_tables, "8/8/8/8/8/4k3/8/KN6 w - - 0 1", "depth 4")) == ["cp", "0"]


def test_a_win_inside_the_tree(with_tables):
    """Too many men at the root, a known win one capture away."""
    with chess.syzygy.open_tablebase(str(FOLDER)) as reference:
        board = chess.Board(FIVE_MEN)
        board.push_uci("c4d5")
        assert reference.probe_wdl(board) == -2
    kind, value = score(search(with_tables, FIVE_MEN, "depth 10"))
    assert kind == "mate" or 19_000 < int(value) <= 20_000


def test_mate_is_still_told(with_tables):
    lines = search(with_tables, "k7/8/1K6/8/8/8/8/6Q1 w - - 0 1", "depth 4")
    assert score(lines) == ["mate", "1"]
    assert lines[-1].startswith("bestmove g1g8")


def test_searchmoves_are_ranked_among_themselves(with_tables):
    lines = search(with_tables, QUEEN, "depth 4 searchmoves d1e2 d1d2")
    assert lines[-1].split()[1] in ("d1e2", "d1d2")
    assert score(lines) == ["cp", "0"]


def test_a_game_is_won_in_time(with_tables):
    """Against the longest resistance, with the fifty-move counter far advanced."""
    board = chess.Board("8/8/8/8/8/4k3/8/K2Q4 w - - 60 90")
    with chess.syzygy.open_tablebase(str(FOLDER)) as reference:
        while not board.is_game_over(claim_draw=True):
            if board.turn == chess.WHITE:
                move = search(with_tables, board.fen(), "nodes 2000")[-1].split()[1]
                board.push_uci(move)
                continue
            board.push(min(board.legal_moves, key=lambda move: _distance(reference, board, move)))
    assert board.is_checkmate()


def _distance(reference, board, move):
    """Of the defender after his move, least where he lasts longest."""
    board.push(move)
    distance = -reference.probe_dtz(board)
    board.pop()
    return distance


@pytest.mark.parametrize("value", ["/nowhere", "'/nowhere'", " /nowhere "])
def test_a_path_that_leads_nowhere(engine, value):
    assert engine.ask(f"setoption name SyzygyPath value {value}") == [
        "info string cannot read tablebase folder /nowhere: No such file or directory",
        "info string Found 0 WDL and 0 DTZ tablebase files (up to 0-man).",
    ]
    assert search(engine, QUEEN)[-1].startswith("bestmove")


def test_a_damaged_table_costs_one_line(engine, tmp_path):
    (tmp_path / "KQvK.rtbw").write_bytes(b"damaged")
    engine.ask(f"setoption name SyzygyPath value {tmp_path}")
    lines = search(engine, QUEEN) + search(engine, QUEEN)
    named = [line for line in lines if "KQvK.rtbw" in line]
    assert len(named) == 1
    assert named[0].startswith(f"info string ignoring tablebase file {tmp_path / 'KQvK.rtbw'}: ")
    assert table_hits(lines) == 0


def test_the_path_may_change_between_searches_and_while_one_runs(engine):
    engine.send(f"position fen {FIVE_MEN}", "go infinite")
    engine.send(f"setoption name SyzygyPath value {FOLDER}", "stop")
    engine.wait_for("bestmove")
    assert table_hits(search(engine, FIVE_MEN)) > 0


def test_chess960_positions_are_known_too(with_tables):
    with_tables.ask("setoption name UCI_Chess960 value true")
    assert score(search(with_tables, QUEEN, "depth 1")) == ["cp", "20000"]
