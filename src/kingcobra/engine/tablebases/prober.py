# SPDX-License-Identifier: GPL-3.0-or-later
"""Asking the tables, one thread at a time."""

import ctypes
from typing import NamedTuple

from kingcobra.core.tables.layout import CASTLING_RIGHTS, DAMAGED, UNKNOWN, Prober
from kingcobra.engine.tablebases.files import TablebaseFiles
from kingcobra.engine.tablebases.names import KIND_NAMES, name_of
from kingcobra.errors import KingcobraError


class TablebaseError(KingcobraError):
    """A position that the tables do not know; one line that says why."""


class RankedMove(NamedTuple):
    """A legal move and what it leads to, for the side that plays it; the distance counts from
    before the move and is None where no table tells."""

    move: int
    wdl: int
    dtz: int | None


class TableProber:
    """What one thread needs to probe. Positions are addresses of Position records, which are as
    before after each call. TablebaseError where the tables do not say."""

    def __init__(self, files: TablebaseFiles) -> None:
        self._files = files
        self._record = Prober()
        self._record.tables = files.address
        self.address = ctypes.addressof(self._record)

    def wdl(self, position_address: int) -> int:
        """-2 (loss) to 2 (win) for the side to move."""
        return self._answer(self._files.core.probe_wdl(self.address, position_address))

    def dtz(self, position_address: int) -> int:
        """Plies to the next irreversible move, see core.tables.distances."""
        return self._answer(self._files.core.probe_dtz(self.address, position_address))

    def rank(self, position_address: int, moves: list[int]) -> list[RankedMove]:
        """The legal moves, best first: wins by the shortest distance, losses by the longest."""
        ranked = [self._ranked(position_address, move) for move in moves]
        return sorted(ranked, key=lambda one: (-one.wdl, one.dtz or 0))

    def _ranked(self, position_address: int, move: int) -> RankedMove:
        core = self._files.core
        wdl = self._answer(core.wdl_after(self.address, position_address, move))
        dtz = core.dtz_after(self.address, position_address, move)
        return RankedMove(move, wdl, None if dtz == UNKNOWN else dtz)

    def _answer(self, value: int) -> int:
        if value != UNKNOWN:
            return value
        self._files.report_damage()
        raise TablebaseError(self._reason())

    def _reason(self) -> str:
        name = name_of(self._record.wanted)
        kind = KIND_NAMES[self._record.wanted_kind]
        if self._record.reason == CASTLING_RIGHTS:
            return "the tables know no positions with castling rights"
        if self._record.reason == DAMAGED:
            return f"the {kind} table of {name} is damaged"
        return f"no {kind} table for {name}"
