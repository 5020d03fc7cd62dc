# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines of text files with positions: FEN or EPD, split into the position and the operations."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kingcobra.board.fen import FIELD_DEFAULTS

COMMENTS = ("#", ";")
# Up to four fields, up to two counters, and everything else.
_LINE = re.compile(r"([^\s;]*(?:\s+[^\s;]+){0,3})((?:\s+\d+){0,2})(?=[\s;]|$)(.*)", re.DOTALL)


class PositionLine(NamedTuple):
    """A line of a file: its number from 1, the text of the position, not checked yet, and the EPD
    operations behind it."""

    number: int
    fen: str
    operations: str

    @property
    def whole_fen(self) -> str:
        """The position with all six fields of a FEN; missing ones have their defaults."""
        fields = self.fen.split()
        return " ".join([*fields, *FIELD_DEFAULTS[len(fields) :]])


def split_line(text: str, number: int = 1) -> PositionLine:
    """A line of FEN or EPD. An EPD may have the counters of a FEN before its operations."""
    found = _LINE.match(text.strip())
    assert found is not None
    fields, counters, operations = found.groups()
    return PositionLine(number, " ".join((fields + counters).split()), operations.strip(" \t;"))


def position_lines(lines: Iterable[str]) -> Iterator[PositionLine]:
    """The positions of a file. Empty lines and comments, behind # or ;, are skipped."""
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if text and not text.startswith(COMMENTS):
            yield split_line(text, number)
