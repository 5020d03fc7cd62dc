# SPDX-License-Identifier: GPL-3.0-or-later
"""A labelled position in 32 bytes, as self-play writes it and the trainer decodes it.

occupancy   u64     the occupied squares
men         u64[2]  four bits for each occupied square, in the order of the squares
score       i32     for the side to move, in a network's raw integers: 1/16 of its units
flags       u8      bit 0: Black is to move; bits 1 and 2: the mover's result
fifty_plies u8      plies since the last capture or pawn move, at most 255
game_ply    u16     plies since the game began
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kingcobra.api.core import loaded_board
from kingcobra.board.position_handle import described
from kingcobra.core.rules.basics import NO_PIECE, SQUARES
from kingcobra.core.selfplay import packing
from kingcobra.core.selfplay.layout import DRAWN, LOSS, MAX_MEN, POSITION_BYTES, UNKNOWN, WIN
from kingcobra.core.selfplay.packing import (
    BITS_PER_MAN,
    MAX_FIFTY_PLIES,
    MAX_GAME_PLY,
    MEN_PER_WORD,
)

__all__ = [
    "BITS_PER_MAN",
    "LOSS",
    "MAX_FIFTY_PLIES",
    "MAX_GAME_PLY",
    "MAX_MEN",
    "MEN_PER_WORD",
    "UNKNOWN",
    "WIN",
]

RECORD = np.dtype(
    [
        ("occupancy", "<u8"),
        ("men", "<u8", (2,)),
        ("score", "<i4"),
        ("flags", "u1"),
        ("fifty_plies", "u1"),
        ("game_ply", "<u2"),
    ]
)
RECORD_BYTES = RECORD.itemsize
assert RECORD_BYTES == POSITION_BYTES
MAN_MASK = (1 << BITS_PER_MAN) - 1

# In the flags: the side to move, and the mover's result; UNKNOWN where there is only a score.
BLACK_TO_MOVE = 1
RESULT_SHIFT = int(packing.RESULT_SHIFT - packing.SIDE_SHIFT)
RESULT_MASK = UNKNOWN
DRAW = DRAWN


def packed_fen(fen: str, score: int = 0, result: int = UNKNOWN) -> NDArray[Any]:
    """A record from text; score and result are the mover's. FenError for text that is none."""
    setup = described(loaded_board(), fen, chess960=True)
    record = np.zeros((), RECORD)
    occupancy, words, index = 0, [0, 0], 0
    for square, piece in enumerate(setup.board):
        if piece != NO_PIECE:
            occupancy |= 1 << square
            words[index // MEN_PER_WORD] |= piece << BITS_PER_MAN * (index % MEN_PER_WORD)
            index += 1
    record["occupancy"] = occupancy
    record["men"] = words
    record["score"] = score
    record["flags"] = setup.side | result << RESULT_SHIFT
    record["fifty_plies"] = min(setup.fifty_plies, MAX_FIFTY_PLIES)
    record["game_ply"] = min(setup.game_ply, MAX_GAME_PLY)
    return record


def packed_boards(boards: NDArray[np.uint8]) -> NDArray[Any]:
    """Records without labels from the pieces on the 64 squares of some boards, all at once. No
    board may have more than MAX_MEN men."""
    records = np.zeros(len(boards), RECORD)
    is_occupied = boards != NO_PIECE
    records["occupancy"] = np.packbits(is_occupied, axis=1, bitorder="little").view("<u8")[:, 0]
    # Men first, in the order of their squares.
    order = np.argsort(~is_occupied, axis=1, kind="stable")[:, :MAX_MEN]
    men = np.take_along_axis(boards, order, axis=1).astype(np.uint64)
    shifts = np.arange(MEN_PER_WORD, dtype=np.uint64) * np.uint64(BITS_PER_MAN)
    words = men.reshape(len(boards), -1, MEN_PER_WORD) << shifts
    records["men"] = np.bitwise_or.reduce(words, axis=2)
    return records


def boards_of(records: NDArray[Any]) -> NDArray[np.uint8]:
    """The pieces on the 64 squares of each record, all at once: what `packed_boards` packs. No
    record may have more than MAX_MEN men."""
    squares = np.ascontiguousarray(records["occupancy"]).view(np.uint8).reshape(-1, SQUARES // 8)
    is_occupied = np.unpackbits(squares, axis=1, bitorder="little").astype(bool)
    pairs = np.ascontiguousarray(records["men"]).view(np.uint8)
    men = np.stack([pairs & MAN_MASK, pairs >> BITS_PER_MAN], axis=2).reshape(len(records), MAX_MEN)
    is_used = np.arange(MAX_MEN) < is_occupied.sum(axis=1)[:, None]
    boards = np.full(is_occupied.shape, NO_PIECE, np.uint8)
    boards[is_occupied] = men[is_used]
    return boards


def as_words(records: NDArray[Any]) -> NDArray[np.int64]:
    """The same bytes as four 64-bit words a record, for devices that know no records."""
    return np.ascontiguousarray(records).view(np.int64).reshape(-1, RECORD_BYTES // 8)


def men_of(words: NDArray[np.int64]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Of each record: the piece on each square, and the side to move."""
    for record in np.ascontiguousarray(words).view(RECORD).reshape(-1):
        board = [NO_PIECE] * SQUARES
        occupancy, index = int(record["occupancy"]), 0
        for square in range(SQUARES):
            if occupancy >> square & 1:
                word = int(record["men"][index // MEN_PER_WORD])
                board[square] = word >> BITS_PER_MAN * (index % MEN_PER_WORD) & MAN_MASK
                index += 1
        yield tuple(board), int(record["flags"]) & BLACK_TO_MOVE
