# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra book` from its words to its files."""

import json
import subprocess
import sys

import pytest

from kingcobra.exit_codes import EXIT_FAILED, EXIT_OK
from kingcobra.tools.book import main
from tests.books.games import random_games
from tests.processes import children_of, is_running, wait_until

# Else the first board would report its compilation on stderr.
pytestmark = pytest.mark.usefixtures("board_object")


@pytest.fixture
def pgn(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(random_games(100, seed=2))
    return path


@pytest.fixture
def book(pgn, tmp_path):
    path = tmp_path / "made.bin"
    assert main(["make", str(pgn), "-o", str(path), "--min-game", "1"]) == EXIT_OK
    return path


def test_make_and_info_and_show(book, capsys):
    capsys.readouterr()
    assert main(["info", str(book), "--json"]) == EXIT_OK
    found = json.loads(capsys.readouterr().out)
    assert found["entries"] == book.stat().st_size // 16
    assert found["walk"]["is_complete"]
    assert 0 < found["walk"]["reached"] <= found["positions"]
    assert main(["show", str(book), "--json"]) == EXIT_OK
    moves = json.loads(capsys.readouterr().out)
    assert sum(move["share"] for move in moves) == pytest.approx(1)
    assert {move["uci"] for move in moves} <= {"a2a3", "a2a4"}
    assert main(["info", str(book)]) == EXIT_OK
    assert main(["show", str(book)]) == EXIT_OK
    assert str(found["entries"]) in capsys.readouterr().out


def test_merging_a_book_with_itself_changes_nothing(book, tmp_path):
    path = tmp_path / "merged.bin"
    assert main(["merge", str(book), str(book), "-o", str(path)]) == EXIT_OK
    assert path.read_bytes() == book.read_bytes()


def test_show_outside_the_book(book, capsys):
    assert main(["show", str(book), "8/8/8/4k3/8/4K3/8/8 w - - 0 1"]) == EXIT_OK
    assert "no moves" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["info", "missing.bin"], "missing.bin: not found; looked for"),
        (["make", "missing.pgn", "-o", "out.bin"], "missing.pgn: No such file or directory"),
        (["show", "{book}", "nonsense"], "FEN board has 1 ranks"),
        (["make", "{pgn}", "-o", "out.bin", "--min-game", "1000"], "no move meets"),
    ],
)
def test_bad_input_is_one_clear_line(book, pgn, capsys, tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    capsys.readouterr()
    assert main([word.format(book=book, pgn=pgn) for word in words]) == EXIT_FAILED
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 1
    assert message in errors[0]
    assert not (tmp_path / "out.bin").exists()


def test_grow_goes_on_where_it_stopped(tmp_path, capsys):
    path = tmp_path / "grown.bin"
    words = ["grow", "-o", str(path), "--nodes", "200", "--lines", "3", "--workers", "1"]
    assert main([*words, "--positions", "4"]) == EXIT_OK
    state = tmp_path / "grown.bin.growth"
    first = state.read_text().splitlines()
    assert main([*words, "--positions", "9"]) == EXIT_OK
    second = state.read_text().splitlines()
    assert second[: len(first)] == first
    assert len(second) == 10
    capsys.readouterr()
    assert main(["show", str(path), "--json"]) == EXIT_OK
    assert json.loads(capsys.readouterr().out)


def test_grow_begins_where_it_is_told(tmp_path, capsys):
    path = tmp_path / "ending.bin"
    fen = "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1"
    words = ["grow", "-o", str(path), "--positions", "2", "--nodes", "200", "--workers", "1"]
    assert main([*words, "--from", fen]) == EXIT_OK
    capsys.readouterr()
    assert main(["show", str(path), fen, "--json"]) == EXIT_OK
    assert json.loads(capsys.readouterr().out)
    assert main([*words, "--from", "nonsense"]) == EXIT_FAILED
    assert "--from 'nonsense'" in capsys.readouterr().err


def test_a_killed_growth_leaves_no_process_behind(tmp_path):
    words = ["grow", "-o", str(tmp_path / "killed.bin"), "--positions", "100000", "--workers", "1"]
    process = subprocess.Popen(
        [sys.executable, "-m", "kingcobra", "book", *words, "--nodes", "100"],
        stderr=subprocess.DEVNULL,
    )
    state = tmp_path / "killed.bin.growth"
    wait_until(lambda: state.exists() and len(state.read_text().splitlines()) > 2)
    children = children_of(process.pid)
    assert children
    process.kill()
    process.wait()
    wait_until(lambda: not any(is_running(pid) for pid in children))


def test_the_own_book_is_shown_where_none_is_named(capsys):
    assert main(["info"]) == EXIT_OK
    assert main(["show"]) == EXIT_OK
    assert "d2d4" in capsys.readouterr().out
