# SPDX-License-Identifier: GPL-3.0-or-later
"""Book files, whole and damaged, and the choice among their moves."""

import random
from collections import Counter

import chess
import pytest

from kingcobra.board.polyglot import BookEntry, move_code, polyglot_key
from kingcobra.board.position_handle import PositionHandle
from kingcobra.engine.opening_book import BookError, BookFile, book_moves, choose_book_move


def entry(board, text, weight, learn=0):
    return BookEntry(polyglot_key(board), move_code(board.parse_move(text)), weight, learn)


def written(path, entries):
    path.write_bytes(b"".join(item.packed() for item in entries))
    return BookFile(path)


@pytest.fixture
def board(core):
    return PositionHandle(core)


@pytest.fixture
def book(tmp_path, board):
    start = [entry(board, text, weight) for text, weight in (("e2e4", 30), ("d2d4", 10))]
    start.append(entry(board, "a2a4", 0))
    others = [BookEntry(key, 0, 1) for key in (1, 2**64 - 1)]
    return written(tmp_path / "small.bin", sorted(start + others, key=lambda item: item.key))


def texts(book, board):
    return [board.legal_moves()[board.moves().index(item.move)] for item in book_moves(book, board)]


def test_moves_come_heaviest_first(book, board):
    assert texts(book, board) == ["e2e4", "d2d4", "a2a4"]


def test_a_position_outside_the_book_has_no_moves(book, board):
    board.play("h2h4")
    assert book_moves(book, board) == []
    assert choose_book_move(book, board, True, 0.0) is None


def test_the_best_move_is_the_heaviest(book, board):
    assert {choose_book_move(book, board, True, part / 10) for part in range(10)} == {
        board.parse_move("e2e4")
    }


def test_weights_decide_how_often_a_move_is_drawn(book, board):
    drawn = Counter(choose_book_move(book, board, False, part / 400) for part in range(400))
    assert drawn == {board.parse_move("e2e4"): 300, board.parse_move("d2d4"): 100}


def test_a_move_of_weight_zero_is_never_played(tmp_path, board):
    book = written(tmp_path / "zero.bin", [entry(board, "e2e4", 0)])
    assert choose_book_move(book, board, False, 0.5) is None


def test_illegal_moves_of_a_colliding_key_are_skipped(tmp_path, board):
    key = polyglot_key(board)
    illegal = BookEntry(key, chess.E5 | chess.E2 << 6, 100)
    book = written(tmp_path / "collision.bin", [illegal, entry(board, "e2e4", 1)])
    assert choose_book_move(book, board, True, 0.0) == board.parse_move("e2e4")


def test_no_move_that_repeats_a_position_for_the_third_time(tmp_path, core):
    board = PositionHandle(core)
    shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"]
    for text in [*shuffle, *shuffle[:3]]:
        board.play(text)
    book = written(tmp_path / "repeats.bin", [entry(board, "f6g8", 100), entry(board, "b8c6", 1)])
    assert choose_book_move(book, board, True, 0.0) == board.parse_move("b8c6")


def test_the_empty_key_is_a_header(tmp_path, board):
    header = BookEntry(0, 0, 0)
    book = written(tmp_path / "header.bin", [header, entry(board, "e2e4", 3)])
    assert texts(book, board) == ["e2e4"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"12345", "5 bytes, expected a multiple of 16"),
        (BookEntry(9, 0, 1).packed() + BookEntry(3, 0, 1).packed(), "out of order"),
    ],
)
def test_files_that_are_no_books(tmp_path, content, reason):
    path = tmp_path / "bad.bin"
    path.write_bytes(content)
    with pytest.raises(BookError, match=reason):
        BookFile(path)


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    for path in (tmp_path / "missing.bin", tmp_path):
        with pytest.raises(BookError, match=str(path)):
            BookFile(path)


def test_damaged_books_give_legal_moves_or_a_clear_error(tmp_path, board):
    """Five hundred books with flipped bits, or cut short."""
    rng = random.Random(7)
    moves = board.moves()
    whole = b"".join(
        BookEntry(polyglot_key(board), move_code(move), rng.randrange(1, 9)).packed()
        for move in moves
    )
    path = tmp_path / "damaged.bin"
    used = 0
    for _ in range(500):
        damaged = bytearray(whole)
        for _ in range(rng.randrange(1, 20)):
            damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        path.write_bytes(damaged[: rng.choice((len(damaged), rng.randrange(len(damaged))))])
        try:
            book = BookFile(path)
        except BookError:
            continue
        used += 1
        assert choose_book_move(book, board, False, rng.random()) in (*moves, None)
        book.close()
    assert used > 0
