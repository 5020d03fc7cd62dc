# SPDX-License-Identifier: GPL-3.0-or-later
"""Start positions for self-play, from a file of FEN or EPD lines."""

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kingcobra.board.epd import position_lines
from kingcobra.board.fen import FenError
from kingcobra.board.position_handle import PositionHandle, described
from kingcobra.core.rules.layout import Setup
from kingcobra.errors import line_of
from kingcobra.kernel.objects import LoadedObject
from kingcobra.training.selfplay.settings import SelfPlayError


class StartPositions:
    """Records in a row, as compiled self-play takes them. They can be pickled."""

    def __init__(self, name: str, records: bytes) -> None:
        self.name = name
        self.count = len(records) // ctypes.sizeof(Setup)
        self._array: Any = (Setup * self.count).from_buffer_copy(records)
        self.address = ctypes.addressof(self._array)

    def __reduce__(self) -> tuple[Any, ...]:
        return StartPositions, (self.name, bytes(self._array))


def load_book(path: Path, core: LoadedObject, fault: Callable[[str], None]) -> StartPositions:
    """The positions of a file that can be played on; `fault` hears of each line that is skipped.
    SelfPlayError where none is left."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise SelfPlayError(line_of(error)) from error
    except UnicodeError as error:
        raise SelfPlayError(f"{path}: not UTF-8 text, so no positions") from error
    setups: list[bytes] = []
    for line in position_lines(lines):
        try:
            setups.append(bytes(_playable(line.whole_fen, core)))
        except FenError as error:
            fault(f"{path}, line {line.number}: {error}, skipped")
    if not setups:
        raise SelfPlayError(f"{path}: no position to begin a game with")
    return StartPositions(path.name, b"".join(setups))


def _playable(fen: str, core: LoadedObject) -> Setup:
    board = PositionHandle(core, fen, chess960=True)
    if not board.moves() or board.is_insufficient_material() or board.is_fifty_moves():
        raise FenError("the game is over")
    return described(core, fen, chess960=True)
