# SPDX-License-Identifier: GPL-3.0-or-later
"""Asking the tables, one thread at a time."""

import ctypes

from kingcobra.core.tables.layout import (
    CASTLING_RIGHTS,
    DAMAGED,
    UNKNOWN,
    Prober,
)
from kingcobra.engine.tablebases.files import TablebaseFiles
from kingcobra.engine.tablebases.names import KIND_NAMES, name_of


class TablebaseError(Exception):
    """A position that the tables do not know; one line that says why."""


class TableProber:
    """What one thread needs to probe. Positions are addresses of Position records, which are as
    before after each call."""

    def __init__(self, files: TablebaseFiles) -> None:
        self._files = files
        self._record = Prober()
        self._record.tables = files.address
        self.address = ctypes.addressof(self._record)

    def wdl(self, position_address: int) -> int:
        """-2 (loss) to 2 (win) for the side to move; TablebaseError where the tables do not say."""
        return self._answer(self._files.core.probe_wdl(self.address, position_address))

    def dtz(self, position_address: int) -> int:
        """Plies to the next irreversible move, see core.tables.distances; TablebaseError where the
        tables do not say."""
        return self._answer(self._files.core.probe_dtz(self.address, position_address))

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
