# SPDX-License-Identifier: GPL-3.0-or-later
"""What all tests share: the core of this host, the data folder, and how hypothesis behaves."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from kingcobra.board.core import CORE
from kingcobra.kernel.build import Builder
from kingcobra.kernel.objects import Core

DATA_VARIABLE = "KINGCOBRA_TEST_DATA"
REPOSITORY = Path(__file__).resolve().parent.parent

# The same examples in every run, and no verdict that depends on the machine's speed.
settings.register_profile("kingcobra", derandomize=True, deadline=None)
settings.load_profile("kingcobra")


@pytest.fixture(scope="session")
def core() -> Core:
    """The compiled core as this process runs it: loaded, jitted or plain (kernel.mode)."""
    return Builder(CORE, report=lambda _text: None).obtain()


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The shared data beside the repository; tests that need it are skipped where it is missing."""
    folder = Path(os.environ.get(DATA_VARIABLE) or REPOSITORY.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip(f"no test data at {folder} (set {DATA_VARIABLE} to its folder)")
    return folder
