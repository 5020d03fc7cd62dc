# SPDX-License-Identifier: GPL-3.0-or-later
"""A small network for pictures to show."""

import pytest

from kingcobra.core.network.architectures import SQUARED
from tests.core.network.random_networks import random_network


@pytest.fixture(scope="session")
def network():
    """A small network of today's architecture."""
    return random_network(SQUARED.at_width(64))
