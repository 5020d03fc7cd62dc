# SPDX-License-Identifier: GPL-3.0-or-later
"""One book from several: whose moves count, and weights that must fit."""

from kingcobra.board.polyglot import MAX_WEIGHT, BookEntry
from kingcobra.books.merging import Priority, merged
from kingcobra.engine.opening_book import BookFile


def books(tmp_path, *contents):
    opened = []
    for number, entries in enumerate(contents):
        path = tmp_path / f"{number}.bin"
        path.write_bytes(b"".join(BookEntry(*fields).packed() for fields in entries))
        opened.append(BookFile(path))
    return opened


def test_the_first_book_decides_on_its_positions(tmp_path):
    both = books(tmp_path, [(1, 10, 5), (3, 30, 1)], [(1, 11, 9), (2, 20, 2)])
    assert list(merged(both, Priority.FIRST)) == [
        BookEntry(1, 10, 5),
        BookEntry(2, 20, 2),
        BookEntry(3, 30, 1),
    ]


def test_weights_add_up(tmp_path):
    both = books(tmp_path, [(1, 10, 5), (1, 11, 4)], [(1, 11, 9), (2, 20, 2)])
    assert list(merged(both, Priority.SUM)) == [
        BookEntry(1, 11, 13),
        BookEntry(1, 10, 5),
        BookEntry(2, 20, 2),
    ]


def test_weights_that_do_not_fit_shrink_together(tmp_path):
    both = books(tmp_path, [(1, 10, MAX_WEIGHT), (1, 11, 100)], [(1, 10, MAX_WEIGHT)])
    assert list(merged(both, Priority.SUM)) == [BookEntry(1, 10, MAX_WEIGHT), BookEntry(1, 11, 50)]


def test_headers_are_left_out(tmp_path):
    both = books(tmp_path, [(0, 0, 0), (1, 10, 5)], [(0, 0, 0)])
    assert list(merged(both, Priority.SUM)) == [BookEntry(1, 10, 5)]
