# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing a book's file."""

from collections.abc import Iterable
from pathlib import Path

from kingcobra.board.polyglot import BookEntry
from kingcobra.engine.opening_book import BookError


def write_book(path: Path, entries: Iterable[BookEntry]) -> int:
    """Writes a book under a temporary name, then renames it; returns the number of entries."""
    draft = path.with_name(f".{path.name}.new")
    count = 0
    try:
        with draft.open("wb") as file:
            for entry in entries:
                file.write(entry.packed())
                count += 1
        if count == 0:
            raise BookError(f"{path}: not written: no move meets the conditions")
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return count
