# SPDX-License-Identifier: GPL-3.0-or-later
"""What all tests of the API need."""

import pytest

from kingcobra.kernel.objects import LoadedObject


@pytest.fixture(autouse=True, scope="session")
def _compiled_ahead(core: LoadedObject, board_object: LoadedObject) -> None:
    """Processes that tests start find everything compiled, so they report nothing of it."""
    assert core
    assert board_object
