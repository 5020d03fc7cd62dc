# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiled core in this process, at any level."""

import ctypes
import sys

from kingcobra.board.board import Board
from kingcobra.board.layout import PerftRun
from kingcobra.kernel.build import Builder
from kingcobra.kernel.levels import Level, chosen_level
from kingcobra.kernel.objects import Core, ObjectError
from kingcobra.search.core import CORE


def load(level: Level | None = None) -> Core:
    """The core for a level, by default the one that the engine would run; compiled first where
    the cache has none. ObjectError where that fails."""
    builder = Builder(CORE, lambda text: print(f"  {text}", file=sys.stderr))
    level = level or chosen_level()[0]
    core = builder.find(level)
    if core is None:
        builder.compile(level)
        core = builder.find(level)
    if core is None:
        raise ObjectError(f"{level.name}: compiled, but the cache does not have it")
    core.initialise()
    return core


class Counter:
    """Counts leaves below one position, in both ways."""

    def __init__(self, core: Core, fen: str) -> None:
        self._core = core
        board = Board(core, fen)
        self._run = PerftRun()
        self._address = ctypes.addressof(self._run)
        # The position is the first field of the run.
        ctypes.memmove(self._address, board.address, ctypes.sizeof(board.record))

    def bulk(self, depth: int) -> int:
        """The last ply is counted without being played."""
        return self._core.count_leaves(self._address, depth)

    def made(self, depth: int) -> int:
        """Every leaf is played and taken back."""
        return self._core.count_made_leaves(self._address, depth)
