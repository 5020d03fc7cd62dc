# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that appear as a whole. Every package may import this module: it costs nothing at
start-up."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def draft_of(path: Path) -> Iterator[Path]:
    """A path to write to, in the same folder. The draft takes the place of the file when the block
    ends; if it ends by an error the draft is removed, and the file is what it was. A reader sees
    the whole file or what was there before. May raise OSError."""
    draft = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}")
    try:
        yield draft
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def write_atomically(path: Path, data: bytes) -> None:
    """Writes the data by way of a draft; folders are made. May raise OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with draft_of(path) as draft:
        draft.write_bytes(data)
