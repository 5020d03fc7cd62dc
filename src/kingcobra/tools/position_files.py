# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of positions: one to a line, as FEN, as EPD, or as the first column of a table."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kingcobra.board.fen import FIELD_DEFAULTS

COMMENT = "#"
TABLE_HEADING = "fen"
EPD_FIELDS = 4


class Line(NamedTuple):
    """A line's number, for complaints, and its FEN, which nobody has looked into yet."""

    number: int
    fen: str


def read_lines(lines: Iterable[str]) -> Iterator[Line]:
    """The positions of a file. Empty lines, comments and a table's heading are passed over."""
    for number, line in enumerate(lines, start=1):
        text = line.split("\t", 1)[0].strip()
        if text and not text.startswith(COMMENT) and text != TABLE_HEADING:
            yield Line(number, fen_of(text))


def fen_of(text: str) -> str:
    """The FEN in a line: all of it, or what stands before an EPD's operations."""
    words = text.split()
    counters = words[EPD_FIELDS : len(FIELD_DEFAULTS)]
    if len(words) > EPD_FIELDS and not all(word.isdigit() for word in counters):
        return " ".join(words[:EPD_FIELDS])
    return text
