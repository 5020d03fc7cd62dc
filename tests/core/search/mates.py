# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions with the length of their shortest mate."""

from pathlib import Path
from typing import NamedTuple

from tests.paths import DATA

MATES = DATA / "mates.epd"
# Where the full collection lies in the data folder.
FULL_COLLECTION = Path("mate") / "mates2000.epd"


class MatePosition(NamedTuple):
    """A position and the moves to mate: negative when the side to move is mated."""

    fen: str
    mate: int


def read_mates(path: Path = MATES, most_moves: int | None = None) -> list[MatePosition]:
    """The positions of a collection, or only those with mates of at most that many moves."""
    found = [_mate_position(line) for line in path.read_text(encoding="ascii").splitlines()]
    return [one for one in found if most_moves is None or abs(one.mate) <= most_moves]


def _mate_position(line: str) -> MatePosition:
    """From `FEN-without-counters bm #3;`."""
    *fen, _bm, mate = line.split()
    return MatePosition(" ".join([*fen, "0", "1"]), int(mate.strip("#;")))
