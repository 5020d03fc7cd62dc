# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the search share."""

import pytest

from kingcobra.engine.search_engine import SearchEngine


@pytest.fixture(scope="module")
def shared_engine(core):
    """One engine for the module; each test begins with an empty memory."""
    return SearchEngine(core)


@pytest.fixture
def engine(shared_engine):
    """One line, one thread, nothing remembered."""
    shared_engine.settings.lines = 1
    shared_engine.set_threads(1)
    shared_engine.new_game()
    return shared_engine
