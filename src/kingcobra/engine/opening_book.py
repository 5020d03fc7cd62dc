# SPDX-License-Identifier: GPL-3.0-or-later
"""Polyglot books: a file's entries, and the choice of a move among them."""

import mmap
import stat
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from kingcobra.board.polyglot import ENTRY_FORMAT, BookEntry, move_of_code, polyglot_key
from kingcobra.board.position_handle import PositionHandle
from kingcobra.errors import reason_of
from kingcobra.file_places import places_of

ENTRY_BYTES = ENTRY_FORMAT.size
# Polyglot's newer versions begin a book with entries of this key, which describe the book.
HEADER_KEY = 0
# Of a large book only so many neighbours are compared when it is opened.
CHECKED_ENTRIES = 65_536
THREEFOLD_EARLIER_OCCURRENCES = 2


class BookError(Exception):
    """A book that cannot be used; the message names the file and says why."""


class BookMove(NamedTuple):
    """A legal move that a book has for a position."""

    move: int
    weight: int
    learn: int


class BookFile:
    """The entries of a book, sorted by key, read from the file as they are needed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            if not stat.S_ISREG(path.stat().st_mode):
                raise BookError(f"{path}: not a regular file")
            with path.open("rb") as file:
                size = file.seek(0, 2)
                if size == 0:
                    raise BookError(f"{path}: the book is empty")
                if size % ENTRY_BYTES:
                    raise BookError(
                        f"{path}: {size} bytes, expected a multiple of {ENTRY_BYTES}:"
                        " not a Polyglot book, or cut short"
                    )
                self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise BookError(f"{path}: {reason_of(error)}") from error
        self._count = size // ENTRY_BYTES
        self._require_order()

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> BookEntry:
        if not 0 <= index < self._count:
            raise IndexError(f"entry {index} of {self._count}")
        return BookEntry(*ENTRY_FORMAT.unpack_from(self._bytes, index * ENTRY_BYTES))

    def __iter__(self) -> Iterator[BookEntry]:
        return (self[index] for index in range(self._count))

    def close(self) -> None:
        """Lets go of the file; the book must not be used afterwards."""
        self._bytes.close()

    def entries_of(self, key: int) -> list[BookEntry]:
        """All entries of a key, in the file's order."""
        low, high = 0, self._count
        while low < high:
            middle = (low + high) // 2
            if self[middle].key < key:
                low = middle + 1
            else:
                high = middle
        found = []
        while low < self._count and self[low].key == key:
            found.append(self[low])
            low += 1
        return found

    def _require_order(self) -> None:
        """A book out of order would seem to lack most of its positions."""
        step = max(1, self._count // CHECKED_ENTRIES)
        before = HEADER_KEY
        for index in range(0, self._count, step):
            key = self[index].key
            if key < before:
                self.close()
                raise BookError(
                    f"{self.path}: entry {index} is out of order: not a Polyglot book, or one"
                    " that `kingcobra book merge` must sort first"
                )
            before = key


def open_book(name: str) -> BookFile:
    """The book of that name, wherever it is found. BookError names the places looked at."""
    if "\0" in name:
        raise BookError(f"{name!r} is no file name")
    try:
        places = places_of(name)
    except RuntimeError as error:
        raise BookError(f"{name}: {error}") from error
    for place in places:
        if place.exists():
            return BookFile(place)
    looked = ", ".join(str(place.absolute()) for place in places)
    raise BookError(f"{name}: not found; looked for {looked}")


def book_moves(book: BookFile, position: PositionHandle) -> list[BookMove]:
    """What the book has for a position, legal moves only, heaviest first."""
    legal = position.moves()
    key = polyglot_key(position)
    if key == HEADER_KEY:
        return []
    found: dict[int, BookMove] = {}
    for entry in book.entries_of(key):
        move = move_of_code(entry.move_code, legal)
        if move is not None and move not in found:
            found[move] = BookMove(move, entry.weight, entry.learn)
    return sorted(found.values(), key=lambda choice: -choice.weight)


def choose_book_move(
    book: BookFile,
    position: PositionHandle,
    takes_best: bool,
    fraction: float,
    among: Collection[int] = (),
) -> int | None:
    """The heaviest move, or one drawn in proportion to the weights; `fraction`, from 0 up to 1,
    decides which. Only moves `among` those given count, if any are. A move of weight 0 is never
    played, nor one that repeats the position a third time. None where that leaves nothing."""
    playable = [
        choice
        for choice in book_moves(book, position)
        if choice.weight > 0
        and (not among or choice.move in among)
        and position.occurrences_before(choice.move) < THREEFOLD_EARLIER_OCCURRENCES
    ]
    if not playable:
        return None
    if takes_best:
        return playable[0].move
    remaining = fraction * sum(choice.weight for choice in playable)
    for choice in playable:
        remaining -= choice.weight
        if remaining < 0:
            return choice.move
    return playable[-1].move
