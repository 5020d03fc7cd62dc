# SPDX-License-Identifier: GPL-3.0-or-later
"""Values that the user gives to positions."""

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.rules.basics import WHITE
from kingcobra.core.search.layout import MOST_GIVEN
from kingcobra.core.search.scores import EVALUATION_LIMIT
from kingcobra.networks.scale import Scale


class TooManyValues(ValueError):
    """There is no room for another position."""


class PositionValues:
    """Centipawns for the side to move, by the positions' keys."""

    def __init__(self) -> None:
        self._mover_cp: dict[int, int] = {}

    def set(self, position: PositionHandle, white_cp: int | None) -> None:
        """Gives a position a value, or (None) takes it away. TooManyValues when there is no
        room."""
        values = dict(self._mover_cp)
        values.pop(position.key, None)
        if white_cp is not None:
            if len(values) == MOST_GIVEN:
                raise TooManyValues(f"{MOST_GIVEN} positions have values; clear some first")
            values[position.key] = white_cp if position.record.side == WHITE else -white_cp
        self._mover_cp = values

    def white_cp(self, position: PositionHandle) -> int | None:
        """The value of a position from White's view; None if it has none."""
        mover_cp = self._mover_cp.get(position.key)
        if mover_cp is None:
            return None
        return mover_cp if position.record.side == WHITE else -mover_cp

    def clear(self) -> None:
        """No position has a value."""
        self._mover_cp = {}

    def scores(self, scale: Scale) -> dict[int, int]:
        """The same in internal units, within what an evaluation may be."""
        return {
            key: max(-EVALUATION_LIMIT, min(scale.units(cp), EVALUATION_LIMIT))
            for key, cp in self._mover_cp.items()
        }
