# SPDX-License-Identifier: GPL-3.0-or-later
"""The classical evaluation as tests ask for it."""

import ctypes

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.evaluation.layout import Evaluated
from kingcobra.kernel.objects import LoadedObject
from kingcobra.kernel.system.memory import Memory


class ClassicalEvaluator:
    """Evaluates boards with one memory of pawn structures for all of them."""

    def __init__(self, core: LoadedObject) -> None:
        self._core = core
        self._memory = Memory.anonymous(ctypes.sizeof(Evaluated))

    def value(self, board: PositionHandle) -> int:
        """For the side to move, through the memory."""
        ctypes.memmove(self._memory.address, board.address, ctypes.sizeof(board.record))
        return self._core.evaluate_classical(self._memory.address)

    def forget(self) -> None:
        """Empties the memory."""
        ctypes.memset(self._memory.address, 0, ctypes.sizeof(Evaluated))
