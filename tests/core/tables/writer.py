# SPDX-License-Identifier: GPL-3.0-or-later
"""Small table files: sound in their structure, with one value for all positions of a part."""

import random

from kingcobra.core.rules.basics import BLACK, COLOURS, KING, PAWN, WHITE, piece_of
from kingcobra.core.tables.material import count_in, mirrored
from kingcobra.engine.tablebases.names import key_of

WDL_MAGIC = bytes.fromhex("71e8235d")
SINGLE_VALUE, DRAWN = 0x80, 2
SPLIT, PAWNS = 1, 2
BLOCK = 64
CHECKSUM = bytes(16)


def _counts(key: int) -> dict[int, int]:
    kinds = ((colour, kind) for colour in range(COLOURS) for kind in range(PAWN, KING + 1))
    counts = {piece_of(colour, kind): count_in(key, colour, kind) for colour, kind in kinds}
    return {man: count for man, count in counts.items() if count}


def _order_of_men(key: int, choose: random.Random) -> tuple[list[int], int, int]:
    """Men in an order that the format allows, how many lead, and how many groups follow."""
    counts = _counts(key)
    pawns = [man for man in (piece_of(WHITE, PAWN), piece_of(BLACK, PAWN)) if man in counts]
    # The side with fewer pawns leads, White of equals.
    pawns.sort(key=lambda man: (counts[man], man))
    others = [man for man in counts if man not in pawns]
    choose.shuffle(others)
    if pawns:
        kinds, leading = pawns + others, 1
    else:
        unique = [man for man in others if counts[man] == 1]
        kings = [man for man in others if man & 7 == KING]
        first = unique[:3] if len(unique) > COLOURS else kings
        kinds, leading = first + [man for man in others if man not in first], len(first)
    men = [man for kind in kinds for man in [kind] * counts[kind]]
    return men, leading, len(kinds) - leading


def wdl_file(name: str, seed: int) -> bytes:
    """The bytes of a table for `KQPvKR`, its men in some order, every position a draw."""
    choose = random.Random(f"{name} {seed}")
    key = key_of(name)
    assert key is not None
    split = mirrored(key) != key
    both_have_pawns = bool(count_in(key, WHITE, PAWN) and count_in(key, BLACK, PAWN))
    has_pawns = bool(count_in(key, WHITE, PAWN) or count_in(key, BLACK, PAWN))
    data = WDL_MAGIC + bytes([SPLIT * split + PAWNS * has_pawns])
    files = 4 if has_pawns else 1
    for _ in range(files):
        halves = []
        for _ in range(2):
            men, _, groups = _order_of_men(key, choose)
            places = list(range(groups + 1))
            choose.shuffle(places)
            halves.append(places[: 1 + both_have_pawns] + men)
        data += bytes(low | high << 4 for low, high in zip(*halves, strict=True))
    data += bytes(len(data) % 2)
    data += bytes([SINGLE_VALUE, DRAWN]) * (files * (2 if split else 1))
    return data + bytes(-len(data) % BLOCK) + CHECKSUM
