# SPDX-License-Identifier: GPL-3.0-or-later
"""Opening books."""

import chess
import pytest

from kingcobra.arena.openings import BookError, Opening, ordered, read_book

FEN = "r1bq1rk1/ppp2ppp/5n2/2bp4/2NPP3/2P5/PP3PPP/RNBQK2R w KQ - 3 9"


def test_epd_lines_with_and_without_counters(tmp_path):
    book = tmp_path / "book.epd"
    without = " ".join(FEN.split()[:4])
    book.write_text(f'{FEN}\n\n# remark\n{without} id "x";\n{without} ; c0 "y"\n')
    assert [opening.fen for opening in read_book(book, False)] == [
        FEN,
        f"{without} 0 1",
        f"{without} 0 1",
    ]


@pytest.mark.parametrize("line", ["rubbish", "8/8/8/8/8/8/8/8 w - -", "k6K/8/8/8/8/8/8 w - -"])
def test_a_bad_line_is_named(tmp_path, line):
    book = tmp_path / "book.epd"
    book.write_text(f"{FEN}\n{line}\n")
    with pytest.raises(BookError, match="line 2"):
        read_book(book, False)


def test_an_empty_book_is_refused(tmp_path):
    book = tmp_path / "book.epd"
    book.write_text("\n")
    with pytest.raises(BookError, match="no opening"):
        read_book(book, False)


def test_pgn_moves_are_kept_as_moves(tmp_path):
    book = tmp_path / "book.pgn"
    book.write_text(f'[Result "*"]\n\n1. e4 c5 *\n\n[FEN "{FEN}"]\n[SetUp "1"]\n\n9. O-O *\n')
    first, second = read_book(book, False)
    assert first == Opening(chess.STARTING_FEN, ("e2e4", "c7c5"))
    assert second == Opening(FEN, ("e1g1",))
    assert first.board(False).fen().startswith("rnbqkbnr/pp1ppppp/8/2p5/4P3/")
    assert len(first.board(False).move_stack) == 2


def test_an_illegal_move_in_a_pgn_book_is_refused(tmp_path):
    book = tmp_path / "book.pgn"
    book.write_text('[Result "*"]\n\n1. e5 *\n')
    with pytest.raises(BookError, match="game 1"):
        read_book(book, False)


@pytest.mark.parametrize("name", ["book.epd", "book.pgn"])
def test_what_is_no_text_is_refused_by_name(tmp_path, name):
    book = tmp_path / name
    book.write_bytes(bytes(range(256)))
    with pytest.raises(ValueError, match=f"{name}: this is no text"):
        read_book(book, False)


def test_the_mark_of_an_editor_is_no_part_of_the_book(tmp_path):
    book = tmp_path / "book.epd"
    book.write_text(f"{FEN}\n", encoding="utf-8-sig")
    assert read_book(book, False) == [Opening(FEN)]


def test_order():
    openings = [Opening(str(number)) for number in range(50)]
    shuffled = ordered(openings, seed=7)
    assert sorted(shuffled, key=str) == sorted(openings, key=str)
    assert shuffled != openings
    assert shuffled == ordered(openings, seed=7)
    assert shuffled != ordered(openings, seed=8)
    assert ordered(openings, seed=None) == openings
    assert ordered(openings, seed=None, start=52)[0] == openings[2]
