# SPDX-License-Identifier: GPL-3.0-or-later
"""Which table files lie in the folders of a path."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from kingcobra.engine.tablebases.names import SUFFIXES, key_of
from kingcobra.errors import reason_of

QUOTES = "\"'"


class FoundFile(NamedTuple):
    """A file whose name is that of a table; nobody has opened it yet."""

    path: Path
    key: int
    kind: int


def split_path(text: str) -> list[Path]:
    """The folders of a path: separated as the system separates them, blanks and quotes around each
    taken off, empty ones passed over."""
    words = (word.strip().strip(QUOTES).strip() for word in text.strip().split(os.pathsep))
    return [Path(word).expanduser() for word in words if word]


def find_files(folder: Path, problems: list[str]) -> Iterator[FoundFile]:
    """The tables in a folder by name, and a line for each thing that is in the way."""
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries)
    except (OSError, ValueError) as error:
        problems.append(f"cannot read tablebase folder {folder}: {reason_of(error)}")
        return
    for name in names:
        stem, dot, ending = name.rpartition(".")
        kind = SUFFIXES.get(dot + ending)
        if kind is None:
            continue
        key = key_of(stem)
        if key is None:
            problems.append(f"ignoring {name!r} in {folder}: not a table of 3 to 7 men")
        else:
            yield FoundFile(folder / name, key, kind)
