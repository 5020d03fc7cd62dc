# SPDX-License-Identifier: GPL-3.0-or-later
"""`go perft`: the leaves below each root move, and their sum."""

from collections.abc import Callable

from kingcobra.board.leaf_counter import LeafCounter
from kingcobra.board.move_text import format_move
from kingcobra.board.position_handle import PositionHandle
from kingcobra.engine.background import Action, Job
from kingcobra.kernel.objects import LoadedObject


class PerftJob(Job):
    """Counts the leaves of a position, a line for each root move as soon as it is counted."""

    def __init__(
        self, core: LoadedObject, position: PositionHandle, depth: int, send: Callable[[str], None]
    ) -> None:
        self._position = position.copy()
        self._counter = LeafCounter(core, position)
        self._depth = depth
        self._send = send

    def run(self) -> Action:
        """The closing line is the sum, or says that the count was stopped."""
        # With depth zero there are no root moves: the position itself is the only leaf.
        total = 0 if self._depth else self._counter.count(self._depth)
        for move, leaves in self._counter.divide(self._depth):
            total += leaves
            self._send(f"{format_move(move, self._position.record)}: {leaves}")
        stopped = self._counter.stopped
        closing = "info string perft stopped" if stopped else f"\nNodes searched: {total}\n"
        return lambda: self._send(closing)

    def stop(self) -> None:
        """Ends the count."""
        self._counter.stop()

    @property
    def is_measurement(self) -> bool:
        """Yes: the sum is what was asked for."""
        return True
