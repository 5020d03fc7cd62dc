# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading test positions."""

import chess
import pytest

from kingcobra.arena.contests.problems import EpdError, parse_problem, read_problems
from tests.paths import DATA

POSITION = "1kr5/3n4/q3p2p/p2n2p1/PppB1P2/5BP1/1P2Q2P/3R2K1 w - -"


def move(uci):
    return chess.Move.from_uci(uci)


def test_best_moves_and_name():
    problem = parse_problem(f'{POSITION} bm f5 Be5+; id "a; name";', "x")
    assert problem.name == "a; name"
    assert problem.best == {move("f4f5"), move("d4e5")}
    assert problem.fen == f"{POSITION} 0 1"
    assert problem.is_solved(move("f4f5"), None)
    assert not problem.is_solved(move("f3g4"), None)


def test_moves_to_avoid():
    problem = parse_problem(f"{POSITION} am f5;", "x")
    assert problem.name == "x"
    assert not problem.is_solved(move("f4f5"), None)
    assert problem.is_solved(move("f3g4"), None)


def test_points():
    text = f'{POSITION} bm f5; c0 "f5=10, Be5+=2, Bf2=3"; c7 "f5 Be5+";'
    problem = parse_problem(text, "x")
    assert problem.points == {move("f4f5"): 10, move("d4e5"): 2, move("d4f2"): 3}
    assert problem.max_points == 10
    assert parse_problem(f'{POSITION} bm f5; c0 "a remark";', "x").points == {}


@pytest.mark.parametrize(
    ("wanted", "announced", "solved"),
    [(3, 3, True), (3, 2, True), (3, 4, False), (3, -3, False), (3, None, False), (-2, -2, True)],
)
def test_mates_are_announced(wanted, announced, solved):
    problem = parse_problem(f"{POSITION} bm #{wanted};", "x")
    assert problem.mate == wanted
    assert problem.is_solved(move("f4f5"), announced) == solved


def test_direct_mates_are_mates_too():
    assert parse_problem(f"{POSITION} dm 3;", "x").mate == 3
    named = parse_problem(f"{POSITION} bm f5; dm 3;", "x")
    assert named.mate is None
    assert named.best == {move("f4f5")}


def test_points_alone_are_solved_by_the_most():
    problem = parse_problem(f'{POSITION} c0 "f5=10, Be5+=2";', "x")
    assert problem.is_solved(move("f4f5"), None)
    assert not problem.is_solved(move("d4e5"), None)
    assert not problem.is_solved(move("f3g4"), None)


def test_counters_of_a_fen_are_kept():
    assert parse_problem(f"{POSITION} 7 31 bm f5;", "x").fen == f"{POSITION} 7 31"


@pytest.mark.parametrize(
    "line",
    [
        f"{POSITION} bm Qa8;",
        f"{POSITION} id 3;",
        "rubbish",
        POSITION,
        f'{POSITION} bm "',
        f"{POSITION} dm x;",
        f"{POSITION} dm 0;",
        f"{POSITION} bm --;",
        f"{POSITION} bm f5 Qa8;",
        "4k3/8/8/8/8/8/8/4K2R w - - 0 x bm O-O;",
    ],
)
def test_bad_lines_are_named_and_skipped(tmp_path, line):
    path = tmp_path / "suite.epd"
    path.write_text(f"# remark\n\n{POSITION} bm f5;\n{line}\n{POSITION} am f5;\n")
    problems, (message,) = read_problems(path)
    assert [problem.name for problem in problems] == ["suite.3", "suite.5"]
    assert message.startswith(f"{path}, line 4: ")
    path.write_text(line)
    with pytest.raises(EpdError, match="line 1"):
        read_problems(path)


START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"


@pytest.mark.parametrize(
    ("text", "best"),
    [
        ("r3k3/8/8/8/5p2/8/8/4KR2 w q - - bm Rxf4;", {"f1f4"}),
        (f"{START} bm e4, d4;", {"e2e4", "d2d4"}),
        (f"{START} bm e4,d4", {"e2e4", "d2d4"}),
        (f'{START} bm "Nf3";', {"g1f3"}),
        (f"{START} bm e2e4;", {"e2e4"}),
        (f"{START} bm e4; result 1-0; pv e5; c3 some words; id unquoted.1;", {"e2e4"}),
        (f"{START} hmvc 3; fmvn 9; bm e4;", {"e2e4"}),
    ],
)
def test_lines_of_real_files_are_read(text, best):
    problem = parse_problem(text, "x")
    assert {move.uci() for move in problem.best} == best
    assert problem.name == ("unquoted.1" if "unquoted" in text else "x")
    assert problem.fen.endswith(" 3 9" if "hmvc" in text else " 0 1")


def test_an_empty_file_is_refused(tmp_path):
    path = tmp_path / "suite.epd"
    path.write_text("")
    with pytest.raises(EpdError, match="no position"):
        read_problems(path)


@pytest.mark.parametrize(
    ("file", "count"),
    [
        ("suites/win_at_chess.epd", 60),
        ("suites/bratko_kopec.epd", 24),
        ("suites/ecm.epd", 59),
        ("suites/sts.epd", 60),
        ("suites/null_move_zugzwang.epd", 5),
        ("mates.epd", 308),
    ],
)
def test_published_suites_are_read_whole(file, count):
    problems, unreadable = read_problems(DATA / file)
    assert unreadable == []
    assert len(problems) == count
    if file == "suites/sts.epd":
        require_points(problems)
    if file == "mates.epd":
        assert all(problem.mate for problem in problems)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "count"),
    [
        ("epd/win_at_chess.epd", 300),
        ("epd/ecm.epd", 879),
        ("epd/sts.epd", 1500),
        ("mate/mates2000.epd", 2000),
    ],
)
def test_full_suites_are_read_whole(data_folder, file, count):
    problems, unreadable = read_problems(data_folder / file)
    assert unreadable == []
    assert len(problems) == count
    if file == "epd/sts.epd":
        require_points(problems)


def require_points(problems):
    """Every best move of the Strategic Test Suite is worth ten points."""
    assert {problem.max_points for problem in problems} == {10}
    assert all(problem.points[best] == 10 for problem in problems for best in problem.best)


@pytest.mark.parametrize(
    ("operations", "solution"),
    [
        ("bm e4 d4;", "d4 or e4"),
        ("am f3;", "another than f3"),
        ('c0 "e4=10, a3=2";', "e4"),
        ("bm #5;", "a mate in 5"),
    ],
)
def test_the_solution_in_words(operations, solution):
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
    assert parse_problem(f"{start} {operations}", "x").solution() == solution
