# SPDX-License-Identifier: GPL-3.0-or-later
"""What `import kingcobra` offers: boards for people with a notebook."""

import ctypes
import operator
import sys
import threading
from functools import cache
from typing import NoReturn

from kingcobra.board import board as handle
from kingcobra.board import san
from kingcobra.board.basics import MOVE_CODES
from kingcobra.board.diagram import diagram
from kingcobra.board.fen import START_FEN, FenError
from kingcobra.board.leaves import LeafCounter
from kingcobra.board.moves import MoveError
from kingcobra.kernel.build import Builder
from kingcobra.kernel.objects import Core
from kingcobra.search.core import CORE

__all__ = ["Board", "FenError", "MoveError"]


@cache
def _core() -> Core:
    """The compiled core, loaded at first use; compiled then, with progress on stderr, if this
    machine has never done so."""
    builder = Builder(CORE, lambda text: print(f"kingcobra: {text}", file=sys.stderr))
    core = builder.obtain()
    for note in builder.notes:
        print(f"kingcobra: {note}", file=sys.stderr)
    return core


class Board(handle.Board):
    """A game: a position, and the past that still matters for repetitions.

    >>> board = Board("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1")
    >>> sorted(move for move in board.san_moves() if move.endswith("#"))
    ['Qe8#', 'Qf8#', 'Qg7#', 'Qh7#']
    """

    def __init__(self, fen: str = START_FEN, *, chess960: bool = False) -> None:
        super().__init__(_core(), fen, chess960)

    def push(self, text: str) -> "Board":
        """Plays a move given as UCI text or SAN and returns the board. MoveError names text that
        is neither; everything then stays as it was."""
        try:
            move = self.parse_move(text)
        except MoveError:
            move = san.parse_san(self, text)
        self.play_move(move)
        return self

    def san_moves(self) -> list[str]:
        """Legal moves in standard algebraic notation."""
        return [san.format_san(self, move) for move in self.moves()]

    def play_move(self, move: int) -> None:
        """Plays a 16-bit move. MoveError for one that is not legal."""
        if not 0 <= move < MOVE_CODES or not self.is_legal(move):
            raise MoveError(f"illegal move {move}")
        super().play_move(move)

    def perft(self, depth: int) -> int:
        """How many leaves the tree of legal moves has at that depth. Ctrl-C interrupts it."""
        depth = operator.index(depth)
        counter = LeafCounter(_core(), self)
        counts: list[int] = []
        thread = threading.Thread(target=lambda: counts.append(counter.count(depth)))
        counter.require_depth(depth)
        thread.start()
        try:
            thread.join()
        except KeyboardInterrupt:
            counter.stop()
            thread.join()
            raise
        return counts[0]

    def copy(self) -> "Board":
        """The same game, from now on apart: position, past and variant."""
        twin = Board(self.fen(), chess960=self.chess960)
        ctypes.memmove(twin.address, self.address, ctypes.sizeof(self.record))
        return twin

    def __copy__(self) -> "Board":
        return self.copy()

    def __deepcopy__(self, _memo: object) -> "Board":
        return self.copy()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Board lives in compiled memory and cannot be pickled; keep its fen()")

    def __str__(self) -> str:
        return diagram(self)

    def __repr__(self) -> str:
        variant = ", chess960=True" if self.chess960 else ""
        return f"Board({self.fen()!r}{variant})"
