# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables as tests probe them."""

from pathlib import Path

import pytest

from kingcobra.kernel.objects import LoadedObject
from tests.core.tables.reference import BothProbers
from tests.paths import DATA


@pytest.fixture(scope="session")
def few_tables(tables_core: LoadedObject) -> BothProbers:
    """Three men, and four kinds of four men."""
    return BothProbers(tables_core, DATA / "syzygy")


@pytest.fixture(scope="session")
def all_tables(tables_core: LoadedObject, data_folder: Path) -> BothProbers:
    """All tables of the data folder."""
    return BothProbers(tables_core, data_folder / "syzygy")
