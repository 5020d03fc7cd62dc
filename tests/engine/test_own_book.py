# SPDX-License-Identifier: GPL-3.0-or-later
"""When the engine plays from its book, and when it thinks."""

import pytest

from kingcobra.board.polyglot import BookEntry, move_code, polyglot_key
from kingcobra.board.position_handle import PositionHandle
from kingcobra.engine.limits import SearchLimits
from kingcobra.engine.opening_book import BookError
from kingcobra.engine.own_book import BookChoice, OwnBook

LIMITS = SearchLimits(movetime_ms=1000)


@pytest.fixture
def board(core):
    return PositionHandle(core)


@pytest.fixture
def file(tmp_path, core):
    """e4 e5, with d4 as a rarer first move."""
    start, after = PositionHandle(core), PositionHandle(core)
    after.play("e2e4")
    entries = [
        BookEntry(polyglot_key(board), move_code(board.parse_move(text)), weight)
        for board, text, weight in ((start, "e2e4", 9), (start, "d2d4", 1), (after, "e7e5", 5))
    ]
    path = tmp_path / "own.bin"
    path.write_bytes(b"".join(item.packed() for item in sorted(entries, key=lambda one: one.key)))
    return path


@pytest.fixture
def book(file):
    book = OwnBook()
    book.open(str(file))
    book.use(True)
    book.takes_best = True
    return book


def test_a_move_and_the_expected_reply(book, board):
    after = board.copy()
    after.play("e2e4")
    expected = BookChoice(board.parse_move("e2e4"), after.parse_move("e7e5"))
    assert book.choice(board, LIMITS, False) == expected


def test_the_last_move_of_the_book_has_no_reply(book, board):
    board.play("e2e4")
    assert book.choice(board, LIMITS, False) == BookChoice(board.parse_move("e7e5"), None)


@pytest.mark.parametrize(
    "limits",
    [SearchLimits(infinite=True), SearchLimits(ponder=True), SearchLimits(mate=3)],
)
def test_searches_that_are_no_moves_of_a_game(book, board, limits):
    assert book.choice(board, limits, False) is None


def test_analysis_and_a_book_that_is_off(book, board):
    assert book.choice(board, LIMITS, True) is None
    book.use(False)
    assert book.choice(board, LIMITS, False) is None


def test_only_searchmoves_are_played(book, board):
    only = SearchLimits(root_moves=(board.parse_move("d2d4"), board.parse_move("a2a3")))
    choice = book.choice(board, only, False)
    assert choice is not None
    assert choice.move == board.parse_move("d2d4")
    assert book.choice(board, SearchLimits(root_moves=(board.parse_move("a2a3"),)), False) is None


def test_the_depth_counts_moves_of_the_game(book, core):
    late = PositionHandle(core, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 3")
    book.depth = 2
    assert book.choice(late, LIMITS, False) is None
    book.depth = 3
    assert book.choice(late, LIMITS, False) is not None


def test_chance_plays_rarer_moves_too(book, board):
    book.takes_best = False
    found = {book.choice(board, LIMITS, False) for _ in range(200)}
    assert {choice.move for choice in found if choice} == {
        board.parse_move("e2e4"),
        board.parse_move("d2d4"),
    }


def test_a_file_that_cannot_be_opened_leaves_the_old_one(book, board, tmp_path):
    before = book.choice(board, LIMITS, False)
    with pytest.raises(BookError, match="not found"):
        book.open(str(tmp_path / "missing.bin"))
    assert book.choice(board, LIMITS, False) == before


def test_the_default_book_is_there(board):
    book = OwnBook()
    book.use(True)
    choice = book.choice(board, LIMITS, False)
    assert choice is not None
    assert board.is_legal(choice.move)
