# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing a book's file."""

from collections.abc import Iterable
from pathlib import Path

from kingcobra.board.polyglot import BookEntry
from kingcobra.engine.opening_book import BookError
from kingcobra.file_writing import draft_of


def write_book(path: Path, entries: Iterable[BookEntry]) -> int:
    """Writes a book as a whole or not at all; returns the number of entries."""
    count = 0
    with draft_of(path) as draft:
        with draft.open("wb") as file:
            for entry in entries:
                file.write(entry.packed())
                count += 1
        if count == 0:
            raise BookError(f"{path}: not written: no move meets the conditions")
    return count
