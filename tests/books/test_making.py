# SPDX-License-Identifier: GPL-3.0-or-later
"""Books from games: entry for entry Polyglot's, in bounded memory, faulty games included."""

import shutil
import subprocess
from pathlib import Path

import chess
import chess.polyglot
import pytest

from kingcobra.board.polyglot import BookEntry
from kingcobra.books.games import PlayedMove, read_games
from kingcobra.books.making import COUNT_LIMIT, BookRules, book_from_moves
from tests.books.games import random_games

POLYGLOT = shutil.which("polyglot") or shutil.which("polyglot", path="/usr/games")
CASES = {
    "defaults": ([], BookRules(), 1024),
    "all": (["-min-game", "1"], BookRules(min_games=1), 1024),
    "short": (["-min-game", "1", "-max-ply", "7"], BookRules(min_games=1), 7),
    "good": (["-min-game", "2", "-min-score", "50"], BookRules(2, 0.5), 1024),
    "white": (["-only-white", "-min-game", "1"], BookRules(1, for_black=False), 1024),
    "black": (["-only-black", "-min-game", "1"], BookRules(1, for_white=False), 1024),
    "uniform": (["-uniform"], BookRules(uniform=True), 1024),
}


@pytest.fixture(scope="module")
def pgn(tmp_path_factory):
    path = tmp_path_factory.mktemp("games") / "games.pgn"
    path.write_text(random_games(300, seed=1))
    return path


def made(path: Path, rules: BookRules, max_ply: int = 1024, **options) -> bytes:
    moves = read_games(path, max_ply, lambda _tally: None, lambda _fault: None)
    return b"".join(entry.packed() for entry in book_from_moves(moves, rules, **options))


@pytest.mark.skipif(POLYGLOT is None, reason="polyglot is not installed")
@pytest.mark.parametrize("case", CASES)
def test_entries_are_polyglots(pgn, tmp_path, case):
    words, rules, max_ply = CASES[case]
    expected = tmp_path / "polyglot.bin"
    subprocess.run(
        [POLYGLOT, "make-book", "-pgn", pgn, "-bin", expected, *words],
        check=True,
        capture_output=True,
    )
    assert made(pgn, rules, max_ply) == expected.read_bytes()


def test_little_memory_makes_the_same_book(pgn):
    assert made(pgn, BookRules(), run_events=100) == made(pgn, BookRules())


def test_python_chess_reads_it(pgn, tmp_path):
    path = tmp_path / "made.bin"
    path.write_bytes(made(pgn, BookRules(min_games=1)))
    with chess.polyglot.open_reader(path) as reader:
        entries = list(reader.find_all(chess.Board()))
    assert entries
    assert [entry.weight for entry in entries] == sorted(
        (entry.weight for entry in entries), reverse=True
    )


def test_points_are_the_movers():
    moves = [PlayedMove(1, 10, 2, True), PlayedMove(1, 10, 1, True), PlayedMove(1, 11, 0, True)]
    assert list(book_from_moves(moves, BookRules(min_games=1))) == [BookEntry(1, 10, 3)]


def test_counts_of_a_position_are_halved_at_the_limit():
    often = [PlayedMove(1, 10, 2, True)] * COUNT_LIMIT
    moves = [PlayedMove(1, 11, 2, True)] * 9 + often
    assert list(book_from_moves(moves, BookRules())) == [
        BookEntry(1, 10, COUNT_LIMIT),
        BookEntry(1, 11, 9),
    ]


def test_a_game_from_a_position_and_a_faulty_one(tmp_path):
    path = tmp_path / "odd.pgn"
    path.write_text(
        '[FEN "7k/P7/8/8/8/8/8/K7 w - - 0 1"]\n[SetUp "1"]\n[Result "1-0"]\n\n1. a8=Q+ 1-0\n\n'
        '[Result "1-0"]\n\n1. e4 (1. d4) 1... Ke4 2. d4 1-0\n'
    )
    faults: list[str] = []
    moves = list(read_games(path, 10, lambda _tally: None, faults.append))
    boards = [chess.Board("7k/P7/8/8/8/8/8/K7 w - - 0 1"), chess.Board()]
    assert [move.key for move in moves] == [chess.polyglot.zobrist_hash(board) for board in boards]
    assert moves[0].move_code >> 12 == chess.QUEEN - chess.PAWN
    assert len(faults) == 1
    assert "game 2" in faults[0]
