# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of table files, as `KQPvKR.rtbw`, and the material keys they stand for."""

import re

from kingcobra.board.fen import PIECE_LETTERS
from kingcobra.core.rules.basics import BLACK, COLOURS, KING, PAWN, WHITE
from kingcobra.core.tables.layout import DTZ, MAX_MEN, WDL
from kingcobra.core.tables.material import count_in, shift_of

SUFFIXES = {".rtbw": WDL, ".rtbz": DTZ}
KIND_NAMES = {WDL: "WDL", DTZ: "DTZ"}
# In the order in which names list them.
MEN_LETTERS = "QRBNP"
SEPARATOR = "v"
_NAME = re.compile(f"K([{MEN_LETTERS}]*){SEPARATOR}K([{MEN_LETTERS}]*)")


def key_of(name: str) -> int | None:
    """The material key of `KQPvKR`, the side named first as White; None for anything else, for
    bare kings and for too many men."""
    found = _NAME.fullmatch(name)
    if found is None or not len(SEPARATOR) + COLOURS < len(name) <= MAX_MEN + len(SEPARATOR):
        return None
    key = 0
    for colour, men in zip((WHITE, BLACK), found.groups(), strict=True):
        for letter in men:
            key += 1 << shift_of(colour, PAWN + PIECE_LETTERS.index(letter))
    return key


def name_of(key: int) -> str:
    """`KQPvKR` for a material key, the side first that file names have first."""
    sides = [_men_of(key, colour) for colour in range(COLOURS)]
    return SEPARATOR.join("K" + men for men in sorted(sides, key=_strength, reverse=True))


def men_in(key: int) -> int:
    """How many men a key stands for, kings included."""
    return COLOURS + sum(len(_men_of(key, colour)) for colour in range(COLOURS))


def has_pawns(key: int) -> bool:
    """Whether there is a pawn among the men."""
    return any(count_in(key, colour, PAWN) for colour in range(COLOURS))


def _men_of(key: int, colour: int) -> str:
    return "".join(
        PIECE_LETTERS[piece_type - PAWN] * count_in(key, colour, piece_type)
        for piece_type in range(KING - 1, PAWN - 1, -1)
    )


def _strength(men: str) -> tuple[int, list[int]]:
    return len(men), [-MEN_LETTERS.index(letter) for letter in men]
