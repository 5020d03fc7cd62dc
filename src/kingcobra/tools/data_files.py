# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of labelled positions as `kingcobra data` reads and writes them."""

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kingcobra.file_writing import draft_of
from kingcobra.tools.messages import print_message

if TYPE_CHECKING:
    from kingcobra.training.data.blocks import Block

REPORT_S = 5.0
NAMED_FAULTS = 10

# One line on stderr.
say = partial(print_message, "data")


@contextlib.contextmanager
def located(path: Path, number: int) -> Iterator[None]:
    """What is wrong with a block says in which file it is."""
    from kingcobra.training.data.blocks import DataError

    try:
        yield
    except DataError as error:
        raise DataError(f"{path}, block {number}: {error}") from None


class Faults:
    """Names the first faults and counts the others."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, text: str) -> None:
        self.count += 1
        if self.count <= NAMED_FAULTS:
            say(text)
        elif self.count == NAMED_FAULTS + 1:
            say("further faults are only counted")


class Progress:
    """Says now and then how far a command has got."""

    def __init__(self) -> None:
        self._told = time.monotonic()

    def tell(self, positions: int) -> None:
        """So many are done."""
        if time.monotonic() - self._told >= REPORT_S:
            self._told = time.monotonic()
            say(f"{positions} positions")


def blocks_of(path: Path, faults: Callable[[str], None] | None = None) -> "Iterator[Block]":
    """The sound blocks of positions in a file; `faults` hears of others."""
    from kingcobra.training.data.blocks import read_blocks

    return read_blocks(path, faults or Faults())


def write_positions(path: Path, blocks: Iterable[tuple[dict[str, Any], Any]]) -> int:
    """Writes a file as a whole or not at all; returns the number of positions."""
    from kingcobra.training.data.blocks import DataError, write_block

    count, progress = 0, Progress()
    with draft_of(path) as draft:
        with draft.open("wb") as file:
            for origin, records in blocks:
                if len(records):
                    write_block(file, origin, records)
                count += len(records)
                progress.tell(count)
        if count == 0:
            raise DataError(nothing_written(path))
    return count


def nothing_written(path: Path) -> str:
    """What to say where there is nothing to write."""
    return f"{path}: not written: there are no positions"
