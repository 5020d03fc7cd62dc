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
    assert score(search(with_tables, QUEEN_LATE, "depth 1")) == ["cp", "19989"]


def test_scores_of_the_root_are_those_of_the_tables(with_tables):
    """They count the plies of the move that is played."""
    with chess.syzygy.open_tablebase(str(FOLDER)) as reference:
        for fen, sign in ((QUEEN, 1), ("8/8/8/8/3Q4/5k2/8/K7 b - - 0 1", -1)):
            lines = search(with_tables, fen, "depth 1")
            board = chess.Board(fen)
            board.push_uci(lines[-1].split()[1])
            plies = abs(reference.probe_dtz(board)) + 1
            assert score(lines) == ["cp", str(sign * (20_000 - plies))]
    assert score(search(with_tables, "8/8/8/8/8/4k3/8/KN6 w - - 0 1", "depth 4")) == ["cp", "0"]


def test_lines_go_on_to_mate(with_tables):
    for fen in (QUEEN, "8/8/8/8/3Q4/5k2/8/K7 b - - 0 1", "8/8/8/8/8/k7/7P/K7 w - - 0 1"):
        lines = search(with_tables, fen, "depth 1")
        board = play(fen, lines[-2].partition(" pv ")[2].split())
        assert board.is_checkmate(), lines[-2]
        assert lines[-1].split()[1::2] == lines[-2].partition(" pv ")[2].split()[:2]


def play(fen, moves):
    """python-chess raises an exception at a move that is not legal."""
    board = chess.Board(fen)
    for move in moves:
        board.push_uci(move)
    return board


def test_several_lines_are_ranked_too(with_tables):
    """A line that keeps the win comes before all that do not, whatever the search thinks of them;
    and each has the score of the tables."""
    with_tables.ask("setoption name MultiPV value 4")
    lines = search(with_tables, QUEEN, "depth 3 searchmoves d1e2 d1g4 d1d2 d1e1")
    last = [line for line in lines if " depth 3 " in line][-4:]
    assert [word_after([line], "multipv") for line in last] == ["1", "2", "3", "4"]
    firsts = [line.partition(" pv ")[2].split()[0] for line in last]
    assert set(firsts[:2]) == {"d1g4", "d1e1"}
    for line in last[:2]:
        kind, value = score([line])
        assert int(value) > (0 if kind == "mate" else 19_900)
    assert [score([line]) for line in last[2:]] == [["cp", "0"]] * 2


@pytest.mark.parametrize("option", ["Skill Level value 0", "UCI_LimitStrength value true"])
def test_weaker_play_chooses_among_the_best_ranked_moves(with_tables, option):
    """Four of many winning moves are candidates, so none of the others is played."""
    with_tables.ask(f"setoption name {option}")
    with chess.syzygy.open_tablebase(str(FOLDER)) as reference:
        for _ in range(6):
            board = chess.Board(QUEEN)
            lines = search(with_tables, QUEEN, "depth 4")
            board.push_uci(lines[-1].split()[1])
            assert reference.probe_wdl(board) == -2


def test_castling_rights_keep_the_tables_out_of_the_root(with_tables):
    """The tables know neither the position nor its moves that keep the right; the rest is found by
    searching."""
    castling = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    lines = search(with_tables, castling, "depth 6")
    assert int(score(lines)[1]) < 19_000
    assert not any(
        "Tablebases" in line for line in with_tables.ask(f"position fen {castling}", "d")
    )
    without = castling.replace("K -", "- -")
    assert int(score(search(with_tables, without, "depth 1"))[1]) > 19_900


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
    assert int(score(search(with_tables, QUEEN, "depth 1"))[1]) > 19_900


@pytest.mark.slow
def test_distances_are_rounded(engine, data_folder):
    """The distance is forty-six plies, and as many are left: the win arrives in time only if it was
    not rounded. The line shows that it was."""
    engine.ask(f"setoption name SyzygyPath value {data_folder / 'syzygy'}")
    fen = "8/8/6k1/3B4/3K4/4N3/8/8 w - - 54 106"
    lines = search(engine, fen, "depth 1")
    board = play(fen, lines[-2].partition(" pv ")[2].split())
    assert board.is_checkmate() or score(lines) == ["cp", "0"]
    assert board.halfmove_clock <= 100
