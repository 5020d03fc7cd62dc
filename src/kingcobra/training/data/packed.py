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

from kingcobra.board.fen import parse_fen
from kingcobra.core.rules.basics import NO_PIECE, SQUARES

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
MAX_MEN = 32
BITS_PER_MAN = 4
MEN_PER_WORD = 16
MAN_MASK = 15

BLACK_TO_MOVE = 1
RESULT_SHIFT, RESULT_MASK = 1, 3
# The mover's result; UNKNOWN where a position has a score alone.
LOSS, DRAW, WIN, UNKNOWN = range(4)

MAX_FIFTY_PLIES = 255
MAX_GAME_PLY = 0xFFFF


def packed_fen(fen: str, score: int = 0, result: int = UNKNOWN) -> NDArray[Any]:
    """A record from text; score and result are the mover's. FenError for text that is none."""
    setup = parse_fen(fen, chess960=True)
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
