# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether packed positions can be positions at all."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kingcobra.core.rules.basics import BLACK, COLOUR_SHIFT, KING, PAWN, WHITE, piece_of, type_of
from kingcobra.training.data.packed import MAX_MEN, as_words, men_of

FIRST_RANK_END, LAST_RANK_START = 8, 56
MAX_SIDE = 16


def faults_of(records: NDArray[Any]) -> Iterator[str]:
    """A line for each record that is no position."""
    for index, record in enumerate(records):
        if int(record["occupancy"]).bit_count() > MAX_MEN:
            yield f"record {index}: more than {MAX_MEN} men"
            continue
        board, _ = next(men_of(as_words(np.array([record]))))
        fault = _fault(board)
        if fault:
            yield f"record {index}: {fault}"


def _fault(board: tuple[int, ...]) -> str:
    men = [piece for piece in board if piece]
    for colour, name in ((WHITE, "White"), (BLACK, "Black")):
        if men.count(piece_of(colour, KING)) != 1:
            return f"{name} has {men.count(piece_of(colour, KING))} kings"
        if sum(piece >> COLOUR_SHIFT == colour for piece in men) > MAX_SIDE:
            return f"{name} has more than {MAX_SIDE} men"
    if any(type_of(piece) not in range(PAWN, KING + 1) for piece in men):
        return "a man of no kind"
    edge = (*board[:FIRST_RANK_END], *board[LAST_RANK_START:])
    return "a pawn on the first or last rank" if any(type_of(p) == PAWN for p in edge) else ""
