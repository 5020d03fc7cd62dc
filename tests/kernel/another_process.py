# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays the process that compiles an object which others want too."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kingcobra.kernel import host


@contextmanager
def another_process_compiles(path: Path, result: Path) -> Iterator[None]:
    """Holds the lock of a compilation meanwhile and leaves its result in the cache."""
    with host.exclusive_lock(path.with_suffix(".lock"), lambda: None) as locked:
        assert locked
        yield
        if path.is_dir():
            path.rmdir()
        shutil.copy(result, path)
