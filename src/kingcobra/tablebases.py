# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra.Tablebases`: Syzygy tables for people with a notebook."""

import ctypes
import os
import sys
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from kingcobra.api.board import Board
from kingcobra.api.core import loaded_core
from kingcobra.board.fen import FenError
from kingcobra.board.position_handle import PositionHandle, described
from kingcobra.core.rules.layout import Position, Setup
from kingcobra.core.tables.layout import DTZ, IMPOSSIBLE, UNKNOWN, WDL
from kingcobra.engine.tablebases.files import TablebaseFiles
from kingcobra.engine.tablebases.prober import RankedMove, TablebaseError, TableProber
from kingcobra.text_values import quoted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["RankedMove", "TablebaseError", "Tablebases"]

# In batches: a position that the tables do not know.
NO_RESULT = -32768


def tell(text: str) -> None:
    """One line on stderr."""
    print(f"kingcobra: {text}", file=sys.stderr)


class Tablebases:
    """Syzygy tables in one folder, or in several joined by the system's path separator. Files are
    opened when a probe first needs them. Any thread may probe; `close` unmaps all files.

    >>> with Tablebases("tests/data/syzygy") as tables:
    ...     tables.probe_wdl("8/8/8/8/8/4k3/8/K2Q4 w - - 0 1")
    2
    """

    def __init__(
        self, path: "str | os.PathLike[str]", report: Callable[[str], None] = tell
    ) -> None:
        text = os.fspath(path)
        if not isinstance(text, str):
            raise TypeError(f"path {path!r} ({type(path).__name__}), expected text or a Path")
        self.files = TablebaseFiles(loaded_core(), text, report)
        if not any(self.files.counts):
            raise TablebaseError(f"no tablebase files in {quoted(text)}")
        self._prober = TableProber(self.files)
        self._position = Position()
        self._lock = threading.Lock()
        self._closed = False

    @property
    def largest(self) -> int:
        """Men of the largest table with results."""
        return self.files.largest

    def __repr__(self) -> str:
        return f"<Tablebases: {self.files.summary()}>"

    # --- one position -------------------------------------------------------------------------

    def probe_wdl(self, position: Board | str) -> int:
        """2 (win), 1 (win, but a draw by the fifty-move rule), 0, -1, -2 for the side to move of a
        board or a FEN. TablebaseError where the tables do not say."""
        handle = _position_of(position)
        with self._usable():
            return self._prober.wdl(handle.address)

    def probe_dtz(self, position: Board | str) -> int:
        """Plies to the next capture or pawn move if the winner hurries and the loser does not;
        negative for losses, beyond a hundred where the fifty-move rule makes it a draw. At times
        one ply too few, as the tables round. TablebaseError where the tables do not say."""
        handle = _position_of(position)
        with self._usable():
            return self._prober.dtz(handle.address)

    def rank_moves(self, position: Board | str) -> list[RankedMove]:
        """All legal moves with their results, best first."""
        handle = _position_of(position)
        with self._usable():
            return self._prober.rank(handle.address, handle.moves())

    # --- many positions -----------------------------------------------------------------------

    def probe_wdl_batch(self, positions: Iterable[Board | str]) -> "NDArray[np.int16]":
        """As probe_wdl for each position; NO_RESULT (-32768) where the tables do not say."""
        return self._batch(positions, WDL)

    def probe_dtz_batch(self, positions: Iterable[Board | str]) -> "NDArray[np.int16]":
        """As probe_dtz for each position; NO_RESULT (-32768) where the tables do not say."""
        return self._batch(positions, DTZ)

    def _batch(self, positions: Iterable[Board | str], kind: int) -> "NDArray[np.int16]":
        import numpy as np

        fens = [one.fen() if isinstance(one, Board) else one for one in positions]
        setups = (Setup * len(fens))(
            *(described(self.files.core, fen, chess960=False) for fen in fens)
        )
        answers = np.empty(len(fens), np.int64)
        with self._usable():
            self.files.core.probe_many(
                self._prober.address,
                ctypes.addressof(self._position),
                ctypes.addressof(setups),
                len(fens),
                kind,
                answers.ctypes.data,
            )
            self.files.report_damage()
        for number in np.flatnonzero(answers == IMPOSSIBLE):
            raise FenError(f"the side that has just moved is in check: {quoted(fens[number])}")
        return np.where(answers == UNKNOWN, NO_RESULT, answers).astype(np.int16)

    # --- the end ------------------------------------------------------------------------------

    def _usable(self) -> threading.Lock:
        """What a probe holds: one at a time. ValueError after `close`."""
        if self._closed:
            raise ValueError("the tablebases are closed")
        return self._lock

    def close(self) -> None:
        """Unmaps all files; later probes raise ValueError."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self.files.close()

    def __enter__(self) -> "Tablebases":
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


def _position_of(position: Board | str) -> PositionHandle:
    if isinstance(position, Board):
        return position.copy_for(loaded_core())
    return Board(position).copy_for(loaded_core())
