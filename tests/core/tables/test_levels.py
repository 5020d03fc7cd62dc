# SPDX-License-Identifier: GPL-3.0-or-later
"""Every CPU level reads the same values out of the tables: compilers have vectorised such code
wrongly before (llvm/llvm-project#80494)."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from kingcobra.kernel.levels import LEVEL_VARIABLE, supported_levels
from tests.paths import REPOSITORY

LEVELS = [level.name for level in supported_levels()]
FOUR_MEN_TABLES = 30


@cache
def checksums_at(level: str, folder: Path) -> list[str]:
    ended = subprocess.run(
        [sys.executable, "-m", "tests.core.tables.checksums", str(folder)],
        cwd=REPOSITORY,
        env=os.environ | {LEVEL_VARIABLE: level},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_all_positions_of_four_men(level: str, data_folder: Path) -> None:
    sums = checksums_at(level, data_folder / "syzygy")
    assert len(sums) == FOUR_MEN_TABLES
    assert len({line.split()[1] for line in sums}) == FOUR_MEN_TABLES
    assert sums == checksums_at(LEVELS[-1], data_folder / "syzygy")
