# SPDX-License-Identifier: GPL-3.0-or-later
"""The file that threads of self-play fill, block by block."""

import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from kingcobra.errors import reason_of
from kingcobra.training.data.blocks import read_data, write_data
from kingcobra.training.selfplay.settings import SelfPlayError


class BlockFile:
    """Appends blocks from any thread. A block that does not fit on the disk is taken back, so the
    file ends with a whole one."""

    def __init__(self, path: Path, kind: int, origin: dict[str, Any], append: bool = False) -> None:
        """SelfPlayError where the file is there already, unless it is to be appended to; also then
        if it has blocks of the same origin: the same seed and settings play the same games."""
        self._path = path
        self._kind = kind
        self._origin = origin
        self._lock = threading.Lock()
        try:
            if append and path.is_file() and _has_origin(path, origin):
                raise SelfPlayError(
                    f"{path} has games of this seed and these settings; take another --seed"
                )
            self._file = path.open("ab" if append else "xb", buffering=0)
        except FileExistsError as error:
            raise SelfPlayError(f"{path} exists; --append adds to it") from error
        except (OSError, ValueError) as error:
            raise SelfPlayError(f"{path}: {reason_of(error)}") from error

    def add(self, data: bytes) -> None:
        """Writes a block. SelfPlayError when the file system refuses."""
        with self._lock:
            end = self._file.seek(0, os.SEEK_END)
            try:
                write_data(self._file, self._kind, self._origin, data)
            except OSError as error:
                with suppress(OSError):
                    self._file.truncate(end)
                raise SelfPlayError(f"{self._path}: {reason_of(error)}") from error

    def close(self) -> None:
        """No more blocks come."""
        self._file.close()


def _has_origin(path: Path, origin: dict[str, Any]) -> bool:
    return any(block.origin == origin for block in read_data(path, lambda _fault: None))
