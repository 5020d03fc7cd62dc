# SPDX-License-Identifier: GPL-3.0-or-later
"""One book from several."""

import heapq
import itertools
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from operator import attrgetter

from kingcobra.board.polyglot import MAX_WEIGHT, BookEntry
from kingcobra.engine.opening_book import HEADER_KEY, BookFile


class Priority(Enum):
    """Whose moves count for a position that several books have."""

    FIRST = "first"
    SUM = "sum"


def merged(books: Sequence[BookFile], priority: Priority) -> Iterator[BookEntry]:
    """The entries of all books by rising key, within a key by falling weight. A position that
    several have comes from the first of them, or has all their moves with weights added up."""
    numbered = [_numbered(book, number) for number, book in enumerate(books)]
    together = heapq.merge(*numbered, key=lambda pair: (pair[0].key, pair[1]))
    for key, group in itertools.groupby(together, key=lambda pair: pair[0].key):
        if key == HEADER_KEY:
            continue
        pairs = list(group)
        first = pairs[0][1]
        if priority is Priority.FIRST:
            pairs = [pair for pair in pairs if pair[1] == first]
        yield from in_book_order(_added(entry for entry, _ in pairs))


def _numbered(book: BookFile, number: int) -> Iterator[tuple[BookEntry, int]]:
    return ((entry, number) for entry in book)


def _added(entries: Iterable[BookEntry]) -> list[BookEntry]:
    by_move: dict[int, BookEntry] = {}
    for entry in entries:
        before = by_move.get(entry.move_code)
        weight = entry.weight + (before.weight if before else 0)
        by_move[entry.move_code] = entry._replace(weight=weight)
    return list(by_move.values())


def in_book_order(entries: Sequence[BookEntry]) -> list[BookEntry]:
    """The entries of one position, heaviest first, all weights made smaller in proportion where
    one does not fit its sixteen bits."""
    heaviest = max((entry.weight for entry in entries), default=0)
    if heaviest > MAX_WEIGHT:
        entries = [
            entry._replace(weight=entry.weight * MAX_WEIGHT // heaviest) for entry in entries
        ]
    return sorted(entries, key=attrgetter("weight"), reverse=True)
