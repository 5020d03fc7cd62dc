# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables as tests probe them."""

from pathlib import Path

import pytest

from kingcobra.core.objects import TABLEBASES
from kingcobra.kernel.build import Builder
from kingcobra.kernel.objects import Core
from tests.core.tables.reference import BothProbers
from tests.paths import DATA


@pytest.fixture(scope="session")
def tables_core() -> Core:
    """The compiled prober as this process runs it."""
    return Builder(TABLEBASES, report=lambda _text: None).obtain()


@pytest.fixture(scope="session")
def few_tables(tables_core: Core) -> BothProbers:
    """Three men, and four kinds of four men."""
    return BothProbers(tables_core, DATA / "syzygy")


@pytest.fixture(scope="session")
def all_tables(tables_core: Core, data_folder: Path) -> BothProbers:
    """All tables of the data folder."""
    return BothProbers(tables_core, data_folder / "syzygy")
