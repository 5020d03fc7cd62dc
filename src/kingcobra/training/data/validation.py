# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether packed positions can be positions at all."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kingcobra.core.rules.basics import (
    BLACK,
    COLOUR_SHIFT,
    KING,
    NO_PIECE,
    PAWN,
    TYPE_MASK,
    WHITE,
    piece_of,
)
from kingcobra.training.data.packed import MAX_MEN, boards_of

FIRST_RANK_END, LAST_RANK_START = 8, 56
MAX_SIDE = 16
# So many are looked at together.
CHUNK_RECORDS = 1 << 15


def faults_of(records: NDArray[Any], first: int = 0) -> Iterator[str]:
    """A line for each record that is no position; `first` is the number of the first of them."""
    for start in range(0, len(records), CHUNK_RECORDS):
        chunk = records[start : start + CHUNK_RECORDS]
        is_faulty = np.bitwise_count(chunk["occupancy"]) > MAX_MEN
        fitting = np.flatnonzero(~is_faulty)
        is_faulty[fitting] = _are_faulty(chunk[fitting])
        for index in np.flatnonzero(is_faulty):
            yield f"record {first + start + index}: {_fault(chunk[index : index + 1])}"


def _are_faulty(records: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether each of the records, of MAX_MEN men at most, is no position."""
    boards = boards_of(records)
    kinds = boards & TYPE_MASK
    is_man = boards != NO_PIECE
    is_black = boards >> COLOUR_SHIFT == BLACK
    edge_kinds = np.concatenate([kinds[:, :FIRST_RANK_END], kinds[:, LAST_RANK_START:]], axis=1)
    result: NDArray[np.bool_] = (
        ((boards == piece_of(WHITE, KING)).sum(axis=1) != 1)
        | ((boards == piece_of(BLACK, KING)).sum(axis=1) != 1)
        | ((is_man & is_black).sum(axis=1) > MAX_SIDE)
        | ((is_man & ~is_black).sum(axis=1) > MAX_SIDE)
        | (is_man.sum(axis=1) != np.bitwise_count(records["occupancy"]))
        | (is_man & ((kinds < PAWN) | (kinds > KING))).any(axis=1)
        | (edge_kinds == PAWN).any(axis=1)
    )
    return result


def _fault(record: NDArray[Any]) -> str:
    """What is wrong with the only record."""
    count = int(record["occupancy"][0]).bit_count()
    if count > MAX_MEN:
        return f"more than {MAX_MEN} men"
    board = boards_of(record)[0]
    men = [int(piece) for piece in board if piece != NO_PIECE]
    for colour, name in ((WHITE, "White"), (BLACK, "Black")):
        kings = men.count(piece_of(colour, KING))
        if kings != 1:
            return f"{name} has {kings} kings"
        if sum(piece >> COLOUR_SHIFT == colour for piece in men) > MAX_SIDE:
            return f"{name} has more than {MAX_SIDE} men"
    if len(men) != count or any(not PAWN <= piece & TYPE_MASK <= KING for piece in men):
        return "a man of no kind"
    return "a pawn on the first or last rank"
