# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures for the tests of annotation."""

import pytest

from kingcobra.analysis.searching import GameSearcher
from tests.analysis.games import SETTINGS, game_texts, record_of


@pytest.fixture(scope="session")
def searcher(core):
    """An engine that evaluates positions at few nodes."""
    assert core
    return GameSearcher(SETTINGS)


@pytest.fixture(scope="session")
def opera(searcher):
    """Morphy's game at the opera, annotated."""
    return record_of(game_texts()[0], searcher)
