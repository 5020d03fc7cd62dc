# SPDX-License-Identifier: GPL-3.0-or-later
"""python-chess beside Kingcobra: the same tables, the same positions."""

import ctypes
import random
from collections.abc import Iterator, Sequence
from itertools import permutations
from pathlib import Path

import chess
import chess.syzygy

from kingcobra.board.fen import parse_fen
from kingcobra.core.rules.layout import Position, Setup
from kingcobra.core.tables.layout import DTZ, UNKNOWN, WDL
from kingcobra.engine.tablebases.files import TablebaseFiles
from kingcobra.engine.tablebases.prober import TableProber
from kingcobra.kernel.objects import LoadedObject


def men_of(name: str) -> list[chess.Piece]:
    """The men of `KQvKR`, White's first."""
    sides = zip(name.split("v"), (chess.WHITE, chess.BLACK), strict=True)
    return [
        chess.Piece(chess.PIECE_SYMBOLS.index(letter.lower()), colour)
        for letters, colour in sides
        for letter in letters
    ]


def board_of(men: Sequence[chess.Piece], squares: Sequence[int], turn: bool) -> chess.Board | None:
    """A board with these men, None where it cannot be played."""
    board = chess.Board(None)
    for man, square in zip(men, squares, strict=True):
        board.set_piece_at(square, man)
    board.turn = turn
    return board if board.is_valid() else None


def random_boards(name: str, count: int, seed: int) -> Iterator[chess.Board]:
    """Positions with the men of a table, either side as White, either to move."""
    choose = random.Random(f"{name} {seed}")
    men = men_of(name)
    swapped = [chess.Piece(man.piece_type, not man.color) for man in men]
    while count:
        squares = choose.sample(range(64), len(men))
        board = board_of(choose.choice((men, swapped)), squares, choose.random() < 0.5)
        if board is not None:
            count -= 1
            yield board


def all_boards(name: str, up_to_symmetry: bool = False) -> Iterator[chess.Board]:
    """All positions with the men of a table; or those with White's king on the queen's side, and
    without pawns in the lower half of it."""
    men = men_of(name)
    has_pawns = "P" in name
    for turn in chess.COLORS:
        for squares in permutations(range(64), len(men)):
            if up_to_symmetry and squares[0] & 4:
                continue
            if up_to_symmetry and not has_pawns and squares[0] & 32:
                continue
            board = board_of(men, squares, turn)
            if board is not None:
                yield board


class BothProbers:
    """The tables of a folder, probed by Kingcobra and by python-chess."""

    def __init__(self, core: LoadedObject, folder: Path) -> None:
        self.problems: list[str] = []
        self.core = core
        self.files = TablebaseFiles(core, str(folder), self.problems.append)
        self.prober = TableProber(self.files)
        self.reference = chess.syzygy.open_tablebase(str(folder))
        self._position = Position()

    def probe(self, fens: Sequence[str], kind: int) -> list[int | None]:
        """Kingcobra's answers, None where there is none."""
        setups = (Setup * len(fens))(*(parse_fen(fen, chess960=False) for fen in fens))
        results = (ctypes.c_int64 * len(fens))()
        self.core.probe_many(
            self.prober.address,
            ctypes.addressof(self._position),
            ctypes.addressof(setups),
            len(fens),
            kind,
            ctypes.addressof(results),
        )
        return [None if result >= UNKNOWN else result for result in results]

    def require_agreement(self, boards: Sequence[chess.Board], kinds: Sequence[int]) -> None:
        """Kingcobra says what python-chess says."""
        fens = [board.fen() for board in boards]
        for kind in kinds:
            ask = self.reference.probe_wdl if kind == WDL else self.reference.probe_dtz
            answers = self.probe(fens, kind)
            for board, fen, answer in zip(boards, fens, answers, strict=True):
                assert answer == ask(board), (fen, "DTZ" if kind == DTZ else "WDL")
