# SPDX-License-Identifier: GPL-3.0-or-later
"""OwnBook, Book File, Best Book Move and Book Depth at the prompt."""

import chess
import pytest

from kingcobra.board.polyglot import BookEntry
from kingcobra.engine.limits import SearchLimits
from kingcobra.engine.search_engine import SearchEngine
from kingcobra.uci.commands.work import _book_choice
from kingcobra.uci.session import Session
from kingcobra.uci.streams import Output

START_KEY = 0x463B96181691FC9C
# Enough for two moves of similar weight to be played both.
GAMES = 40


@pytest.fixture
def book(tmp_path):
    """a4, and nothing else, from the start position."""
    path = tmp_path / "with blanks and ü.bin"
    path.write_bytes(BookEntry(START_KEY, chess.A4 | chess.A2 << 6, 1).packed())
    return path


@pytest.fixture
def two_moves(tmp_path):
    """a4 with a weight of 2, and b4 with 1."""
    path = tmp_path / "two.bin"
    moves = ((chess.A4 | chess.A2 << 6, 2), (chess.B4 | chess.B2 << 6, 1))
    path.write_bytes(b"".join(BookEntry(START_KEY, *move).packed() for move in moves))
    return path


def test_a_book_move_is_played_at_once_and_said(engine, book):
    engine.send("setoption name OwnBook value true")
    engine.send(f"setoption name Book File value {book}")
    engine.send("go depth 30")
    lines = engine.wait_for("bestmove")
    assert lines[-2:] == ["info string book move a2a4", "bestmove a2a4"]


def test_without_the_option_the_engine_thinks(engine, book):
    engine.send(f"setoption name Book File value {book}")
    engine.send("go depth 3")
    assert not any("book move" in line for line in engine.wait_for("bestmove"))


def test_outside_the_book_the_engine_thinks(engine, book):
    engine.send("setoption name OwnBook value true")
    engine.send(f"setoption name Book File value {book}")
    engine.send("position startpos moves e2e4")
    engine.send("go depth 3")
    assert not any("book move" in line for line in engine.wait_for("bestmove"))


def test_a_bad_book_is_one_line_and_the_game_goes_on(engine, tmp_path):
    bad = tmp_path / "bad.bin"
    bad.write_bytes(b"no book")
    engine.send("setoption name OwnBook value true")
    for name, reason in ((bad, "7 bytes, expected a multiple of 16"), ("missing.bin", "not found")):
        engine.send(f"setoption name Book File value {name}")
        lines = engine.ask()
        assert len([line for line in lines if "error" in line and reason in line]) == 1
    engine.send("position startpos moves a2a4 a7a5 a1a3")
    engine.send("go depth 3")
    assert engine.wait_for("bestmove")


def test_best_book_move_plays_the_heaviest_only(engine, two_moves):
    engine.send("setoption name OwnBook value true")
    engine.send(f"setoption name Book File value {two_moves}")
    for is_best, expected in (("false", {"a2a4", "b2b4"}), ("true", {"a2a4"})):
        engine.send(f"setoption name Best Book Move value {is_best}")
        played = set()
        for _ in range(GAMES):
            engine.send("go depth 1")
            played.add(engine.wait_for("bestmove")[-1].split()[1])
        assert played == expected


def test_book_depth_is_the_last_move_from_the_book(engine, book):
    engine.send("setoption name OwnBook value true")
    engine.send(f"setoption name Book File value {book}")
    # The second move of a game that is back at the start position.
    engine.send(f"position fen {chess.STARTING_FEN.removesuffix('0 1')}0 2")
    for depth, is_book in ((1, False), (2, True)):
        engine.send(f"setoption name Book Depth value {depth}")
        engine.send("go depth 1")
        assert any("book move" in line for line in engine.wait_for("bestmove")) == is_book


def test_a_fault_of_the_book_costs_no_move(core, monkeypatch):
    """Whatever is wrong with the book, a GUI gets its `bestmove`."""
    lines: list[str] = []
    session = Session(Output(), lambda: None)
    monkeypatch.setattr(session, "info", lambda text: lines.append(text))
    session.use_engine(SearchEngine(core, session.engine_printer))

    def fail(*_arguments):
        raise RuntimeError("no book today")

    monkeypatch.setattr(session.engine.book, "choice", fail)
    assert _book_choice(session, session.engine.board, SearchLimits(depth=1)) is None
    assert lines == ["error: internal, in the book: RuntimeError: no book today"]
