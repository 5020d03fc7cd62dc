# SPDX-License-Identifier: GPL-3.0-or-later
"""Games as self-play writes them: a start position, then a move and a score for each ply.

    start        32 bytes  a packed position without a score; the result is that of the side to move
    castling     4 bytes   the rook of each castling still allowed, 64 where it is not: White's on
                           the king's and on the queen's side, then Black's
    en passant   u8        the square, 64 for none
    zero         u8
    plies        u16
    ply          u16, i16  move and score for the side to move; NO_SCORE where nobody searched

A move is stored as the engine stores it: castling is the king taking its own rook.
"""

import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kingcobra.board.fen import LETTERS, SIDE_LETTERS, square_name
from kingcobra.core.rules.basics import FILES, NO_SQUARE, RANKS
from kingcobra.core.search.scores import NO_SCORE
from kingcobra.training.data.blocks import GAMES, read_data
from kingcobra.training.data.packed import (
    BITS_PER_MAN,
    BLACK_TO_MOVE,
    DRAW,
    LOSS,
    MAN_MASK,
    MEN_PER_WORD,
    RECORD,
    RECORD_BYTES,
    RESULT_MASK,
    RESULT_SHIFT,
    UNKNOWN,
    WIN,
)

__all__ = ["NO_SCORE", "StoredGame", "fen_of", "games_in", "placement_of", "read_games"]

TAIL = struct.Struct("<4sBBH")
PLY = np.dtype([("move", "<u2"), ("score", "<i2")])
WHITE_RESULTS = {WIN: "1-0", DRAW: "1/2-1/2", LOSS: "0-1", UNKNOWN: "*"}
REVERSED = {WIN: LOSS, DRAW: DRAW, LOSS: WIN, UNKNOWN: UNKNOWN}
# Files of castling rooks in a Chess960 FEN.
ROOK_FILES = ("ABCDEFGH", "ABCDEFGH", "abcdefgh", "abcdefgh")


class StoredGame(NamedTuple):
    """A game: its start, and a record with `move` and `score` for each ply."""

    start: NDArray[Any]
    castling_rooks: bytes
    en_passant: int
    plies: NDArray[Any]

    @property
    def white_result(self) -> str:
        """As PGN writes it."""
        flags = int(self.start["flags"])
        result = flags >> RESULT_SHIFT & RESULT_MASK
        return WHITE_RESULTS[REVERSED[result] if flags & BLACK_TO_MOVE else result]

    @property
    def start_fen(self) -> str:
        """The start as FEN, with castling by rook files as Chess960 has it."""
        rooks = [
            letters[rook % FILES]
            for rook, letters in zip(self.castling_rooks, ROOK_FILES, strict=True)
            if rook != NO_SQUARE
        ]
        en_passant = "-" if self.en_passant == NO_SQUARE else square_name(self.en_passant)
        return fen_of(self.start, "".join(rooks) or "-", en_passant)


def fen_of(record: NDArray[Any], castling: str = "-", en_passant: str = "-") -> str:
    """A packed position as FEN. It does not know who may castle, or take in passing."""
    fields = (
        placement_of(record),
        SIDE_LETTERS[int(record["flags"]) & BLACK_TO_MOVE],
        castling,
        en_passant,
        str(int(record["fifty_plies"])),
        str(int(record["game_ply"]) // 2 + 1),
    )
    return " ".join(fields)


def placement_of(record: NDArray[Any]) -> str:
    """The first field of a FEN for a packed position."""
    occupancy, words = int(record["occupancy"]), [int(word) for word in record["men"]]
    men: dict[int, str] = {}
    for square in range(FILES * RANKS):
        if occupancy >> square & 1:
            word, place = divmod(len(men), MEN_PER_WORD)
            men[square] = LETTERS[words[word] >> BITS_PER_MAN * place & MAN_MASK]
    ranks = []
    for rank in reversed(range(RANKS)):
        row = "".join(men.get(rank * FILES + file, " ") for file in range(FILES))
        for gap in range(FILES, 0, -1):
            row = row.replace(" " * gap, str(gap))
        ranks.append(row)
    return "/".join(ranks)


def games_in(data: bytes) -> Iterator[StoredGame]:
    """The games of a block. ValueError where the bytes are none."""
    at = 0
    while at < len(data):
        tail_at = at + RECORD_BYTES
        plies_at = tail_at + TAIL.size
        if plies_at > len(data):
            raise ValueError(f"{len(data) - at} bytes are no game")
        rooks, en_passant, _, plies = TAIL.unpack_from(data, tail_at)
        if plies_at + plies * PLY.itemsize > len(data):
            raise ValueError(f"a game of {plies} plies is cut")
        start = np.frombuffer(data, RECORD, 1, at)[0]
        yield StoredGame(start, rooks, en_passant, np.frombuffer(data, PLY, plies, plies_at))
        at = plies_at + plies * PLY.itemsize


def read_games(path: Path, fault: Callable[[str], None]) -> Iterator[StoredGame]:
    """The games of a file; `fault` hears of what is skipped. May raise OSError."""
    for kind, _, data in read_data(path, fault):
        if kind != GAMES:
            continue
        try:
            yield from games_in(data)
        except ValueError as error:
            fault(f"{path}: {error}, skipped")
