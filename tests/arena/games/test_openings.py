# SPDX-License-Identifier: GPL-3.0-or-later
"""Opening books."""

import chess
import chess.pgn
import pytest

from kingcobra.arena.games.openings import Opening, OpeningsError, read_book

FEN = "r1bq1rk1/ppp2ppp/5n2/2bp4/2NPP3/2P5/PP3PPP/RNBQK2R w KQ - 3 9"
MANY = 1000


def read(path, chess960=False):
    return read_book(path, chess960, MANY).openings


def test_epd_lines_with_and_without_counters(tmp_path):
    book = tmp_path / "book.epd"
    without = " ".join(FEN.split()[:4])
    book.write_text(f'{FEN}\n\n# remark\n{without} id "x";\n{without} ; c0 "y"\n')
    assert [opening.fen for opening in read(book)] == [FEN, f"{without} 0 1", f"{without} 0 1"]


@pytest.mark.parametrize("line", ["rubbish", "8/8/8/8/8/8/8/8 w - -", "k6K/8/8/8/8/8/8 w - -"])
def test_a_bad_line_is_named(tmp_path, line):
    book = tmp_path / "book.epd"
    book.write_text(f"{FEN}\n{line}\n")
    with pytest.raises(OpeningsError, match="line 2"):
        read(book)


@pytest.mark.parametrize("name", ["book.epd", "book.pgn"])
def test_an_empty_book_is_refused(tmp_path, name):
    book = tmp_path / name
    book.write_text("\n")
    with pytest.raises(OpeningsError, match="no opening"):
        read(book)


def test_pgn_moves_are_kept_as_moves(tmp_path):
    book = tmp_path / "book.pgn"
    book.write_text(f'[Result "*"]\n\n1. e4 c5 *\n\n[FEN "{FEN}"]\n[SetUp "1"]\n\n9. O-O *\n')
    first, second = read(book)
    assert first == Opening(chess.STARTING_FEN, ("e2e4", "c7c5"))
    assert second == Opening(FEN, ("e1g1",))
    assert first.board(False).fen().startswith("rnbqkbnr/pp1ppppp/8/2p5/4P3/")
    assert len(first.board(False).move_stack) == 2


def test_games_are_told_apart_as_python_chess_does(tmp_path):
    """Comments that look like tags, missing and needless empty lines, and a game of tags alone."""
    book = tmp_path / "book.pgn"
    book.write_text(
        '\n[Event "a"]\n[White "w"]\n\n1. e4 { [%eval 0.3]\n[%clk 1] } e5\n2. Nf3 *\n'
        '[Event "b"]\n[White "w"]\n\n*\n\n\n[Event "c"]\n1. d4 d5 2. c4 1-0\n\n'
    )
    expected = []
    with book.open() as file:
        while (game := chess.pgn.read_game(file)) is not None:
            expected.append(tuple(move.uci() for move in game.mainline_moves()))
    assert [opening.moves for opening in read(book)] == expected
    assert expected[0] == ("e2e4", "e7e5", "g1f3")


def test_an_illegal_move_in_a_pgn_book_is_refused(tmp_path):
    book = tmp_path / "book.pgn"
    book.write_text('[Result "*"]\n\n1. e4 *\n\n[Result "*"]\n\n1. e5 *\n')
    with pytest.raises(OpeningsError, match="game 2"):
        read(book)


@pytest.mark.parametrize("name", ["book.epd", "book.pgn"])
def test_what_is_no_text_is_refused_by_name(tmp_path, name):
    book = tmp_path / name
    book.write_bytes(bytes(range(256)))
    with pytest.raises(ValueError, match=f"{name}: not UTF-8 text"):
        read(book)


def test_the_mark_of_an_editor_is_no_part_of_the_book(tmp_path):
    book = tmp_path / "book.epd"
    book.write_text(f"{FEN}\n", encoding="utf-8-sig")
    assert read(book) == (Opening(FEN),)


@pytest.fixture
def numbered(tmp_path):
    """A book of fifty openings, which differ in their move numbers."""
    book = tmp_path / "book.epd"
    fields = FEN.rpartition(" ")[0]
    book.write_text("".join(f"{fields} {number}\n" for number in range(1, 51)))

    def read_numbers(*order):
        openings = read_book(book, False, *order).openings
        return [int(opening.fen.split()[-1]) for opening in openings]

    return read_numbers


def test_order(numbered):
    shuffled = numbered(MANY, 7)
    assert sorted(shuffled) == list(range(1, 51))
    assert shuffled != sorted(shuffled)
    assert shuffled == numbered(MANY, 7)
    assert shuffled != numbered(MANY, 8)
    assert numbered(MANY) == list(range(1, 51))
    assert numbered(MANY, None, 52) == [*range(3, 51), 1, 2]


def test_only_what_is_played_is_looked_into(numbered, tmp_path):
    assert numbered(3, 7) == numbered(MANY, 7)[:3]
    assert numbered(2, None, 49) == [50, 1]
    with (tmp_path / "book.epd").open("a") as file:
        file.write("rubbish\n")
    book = read_book(tmp_path / "book.epd", False, 50)
    assert (len(book.openings), book.size) == (50, 51)
    with pytest.raises(OpeningsError, match="line 51"):
        read_book(tmp_path / "book.epd", False, 51)


def test_a_match_is_not_resumed_with_another_part_of_the_book(tmp_path):
    book = tmp_path / "book.epd"
    book.write_text(f"{FEN}\n" * 3)
    settings = [read_book(book, False, 1, 1, start).settings() for start in (0, 2, 3)]
    assert settings[0] != settings[1]
    assert settings[0] == settings[2]


def test_text_without_a_game_is_no_opening(tmp_path):
    book = tmp_path / "book.pgn"
    book.write_text("not a position\n")
    with pytest.raises(OpeningsError, match="game 1: no game in it"):
        read_book(book, False, MANY)


def test_a_position_of_chess960_asks_for_the_option(tmp_path):
    book = tmp_path / "book.epd"
    book.write_text("rnkqnbbr/pppppppp/8/8/8/8/PPPPPPPP/RNKQNBBR w KQkq - 0 1\n")
    with pytest.raises(OpeningsError, match="--chess960"):
        read_book(book, False, MANY)
    assert read_book(book, True, MANY).size == 1
