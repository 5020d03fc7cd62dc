# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions given on the command line: as FEN, or in files, one to a line, as FEN, as EPD, or as
the first column of a table."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from kingcobra.board.epd import PositionLine, position_lines
from kingcobra.errors import reason_of

STANDARD_INPUT = "-"
TABLE_HEADING = "fen"
SIDES = ("w", "b")


class PositionsError(Exception):
    """A file of positions that cannot be read; the message is one line."""


class GivenPosition(NamedTuple):
    """The text of a position, not checked yet, and where it stands, for messages."""

    place: str
    fen: str


def given_positions(words: Sequence[str]) -> Iterator[GivenPosition]:
    """The positions of all words, each a FEN in quotes, a file, or - for standard input. The words
    may also be those of one FEN without quotes. PositionsError for a file that cannot be read."""
    if len(words) > 1 and words[1] in SIDES:
        words = [" ".join(words)]
    for number, word in enumerate(words, 1):
        if is_fen(word):
            yield GivenPosition(f"position {number}", word)
            continue
        prefix = f"{word}, " if len(words) > 1 else ""
        for line in read_lines(_text_of(word).splitlines()):
            yield GivenPosition(f"{prefix}line {line.number}", line.fen)


def is_fen(word: str) -> bool:
    """Whether the word is meant as a position: ranks, a blank, the side to move."""
    fields = word.split()
    return len(fields) > 1 and "/" in fields[0] and fields[1] in SIDES


def read_lines(lines: Iterable[str]) -> Iterator[PositionLine]:
    """The positions of a file. Empty lines, comments and a table's heading are skipped."""
    first_columns = (line.split("\t", 1)[0] for line in lines)
    return (line for line in position_lines(first_columns) if line.fen != TABLE_HEADING)


def _text_of(name: str) -> str:
    """The text of a file, or of the input."""
    try:
        if name == STANDARD_INPUT:
            return sys.stdin.read()
        return Path(name).read_text(encoding="utf-8")
    except OSError as error:
        raise PositionsError(f"{name}: {reason_of(error)}") from error
    except UnicodeError as error:
        place = "standard input" if name == STANDARD_INPUT else name
        raise PositionsError(f"{place}: not UTF-8 text, so no positions") from error
    except ValueError as error:
        raise PositionsError(f"{name!r} is not a file name") from error
