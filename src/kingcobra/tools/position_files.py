# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of positions: one to a line, as FEN, as EPD, or as the first column of a table."""

from collections.abc import Iterable, Iterator

from kingcobra.board.epd import PositionLine, position_lines

TABLE_HEADING = "fen"


def read_lines(lines: Iterable[str]) -> Iterator[PositionLine]:
    """The positions of a file. Empty lines, comments and a table's heading are skipped."""
    first_columns = (line.split("\t", 1)[0] for line in lines)
    return (line for line in position_lines(first_columns) if line.fen != TABLE_HEADING)
