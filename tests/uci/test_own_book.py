# SPDX-License-Identifier: GPL-3.0-or-later
"""OwnBook, Book File, Best Book Move and Book Depth at the prompt."""

import chess
import pytest

from kingcobra.board.polyglot import BookEntry


@pytest.fixture
def book(tmp_path):
    """a4, and nothing else, from the start position."""
    path = tmp_path / "with blanks and ü.bin"
    key = 0x463B96181691FC9C
    path.write_bytes(BookEntry(key, chess.A4 | chess.A2 << 6, 1).packed())
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
