# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of openings by position, so transpositions have the right one. The data is Lichess's
collection chess-openings (CC0); `make openings` makes the file from it."""

import gzip
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import chess
import chess.polyglot

DATA_FILE = Path(__file__).with_name("openings.tsv.gz")
HEADING = "# Opening names by Polyglot key; from https://github.com/lichess-org/chess-openings, CC0"
KEY_BASE = 16


class Opening(NamedTuple):
    """An opening and its code in the Encyclopaedia of Chess Openings."""

    eco: str
    name: str


class NamedOpening(NamedTuple):
    """The opening of a game: the last named position was reached at this ply."""

    opening: Opening
    ply: int


def opening_of(boards: Iterable[chess.Board]) -> NamedOpening | None:
    """The name of the last position of a game that has one; the boards begin with ply 0."""
    known = opening_table()
    found = None
    for ply, board in enumerate(boards):
        opening = known.get(chess.polyglot.zobrist_hash(board))
        if opening is not None:
            found = NamedOpening(opening, ply)
    return found


@cache
def opening_table() -> dict[int, Opening]:
    """All named positions by their Polyglot keys."""
    text = gzip.decompress(DATA_FILE.read_bytes()).decode("utf-8")
    return parse_table(text.splitlines())


def parse_table(lines: Iterable[str]) -> dict[int, Opening]:
    """A row for each position: key, code and name. A missing name is that of the row before."""
    table: dict[int, Opening] = {}
    opening = Opening("", "")
    for line in lines:
        if line.startswith("#"):
            continue
        key, *given = line.split("\t")
        if given:
            opening = Opening(*given)
        table[int(key, KEY_BASE)] = opening
    return table


def format_table(table: dict[int, Opening]) -> str:
    """The text that parse_table reads."""
    lines = [HEADING]
    before = None
    for key, opening in sorted(table.items(), key=lambda item: (item[1], item[0])):
        given = "" if opening == before else f"\t{opening.eco}\t{opening.name}"
        lines.append(f"{key:016x}{given}")
        before = opening
    return "\n".join([*lines, ""])


def table_from_moves(rows: Iterable[Sequence[str]]) -> dict[int, Opening]:
    """Rows of code, name and moves such as `1. e4 c5`. Of two names for a position the first
    counts. ValueError names moves that are not legal."""
    table: dict[int, Opening] = {}
    for eco, name, moves in rows:
        board = chess.Board()
        for word in moves.split():
            if not word.endswith("."):
                board.push_san(word)
        table.setdefault(chess.polyglot.zobrist_hash(board), Opening(eco, name))
    return table
