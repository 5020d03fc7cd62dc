# SPDX-License-Identifier: GPL-3.0-or-later
"""Perft for plain Python: root move by root move, so results appear as they are counted."""

import ctypes
from collections.abc import Iterator
from typing import NamedTuple

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.rules.layout import MAX_PERFT_DEPTH, PerftRun
from kingcobra.kernel.objects import LoadedObject


class MoveCount(NamedTuple):
    """A root move and the number of leaves below it."""

    move: int
    leaves: int


class LeafCounter:
    """Counts the leaves below a position, on a copy of it. `stop` may be called from any thread."""

    def __init__(self, core: LoadedObject, board: PositionHandle) -> None:
        self._core = core
        self._run = PerftRun()
        self._address = ctypes.addressof(self._run)
        # The position is the first field of the run.
        board.copy_to(self._address)
        self._root_moves = board.moves()

    def require_depth(self, depth: int) -> None:
        """ValueError for a depth that cannot be counted."""
        if not 0 <= depth <= MAX_PERFT_DEPTH:
            raise ValueError(f"depth {depth}, expected 0 to {MAX_PERFT_DEPTH}")

    def count(self, depth: int) -> int:
        """Leaves `depth` plies down; meaningless once stopped."""
        self.require_depth(depth)
        return self._core.count_leaves(self._address, depth) if depth else 1

    def count_made(self, depth: int) -> int:
        """The same count with every leaf made and unmade: slower, for tests."""
        self.require_depth(depth)
        return self._core.count_made_leaves(self._address, depth) if depth else 1

    def divide(self, depth: int) -> Iterator[MoveCount]:
        """Each root move with the leaves below it; none for depth zero, where the root is the only
        leaf. Ends early once stopped."""
        for move in self._root_moves if depth else ():
            self._core.make(self._address, move)
            leaves = self.count(depth - 1)
            self._core.unmake(self._address, move)
            if self.stopped:
                return
            yield MoveCount(move, leaves)

    def stop(self) -> None:
        """Ends the present count within a moment."""
        self._run.stop = 1

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called: the last count is then meaningless."""
        return bool(self._run.stop)
