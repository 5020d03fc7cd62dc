# SPDX-License-Identifier: GPL-3.0-or-later
"""Small networks for tools to look at, in memory and as files."""

import pytest

from kingcobra.core.network.architectures import SQUARED
from kingcobra.networks.file import write_network
from tests.core.network.random_networks import random_network


@pytest.fixture(scope="session")
def network():
    """A small network of today's architecture."""
    return random_network(SQUARED.at_width(64))


@pytest.fixture
def file(network, tmp_path):
    """The same as a file."""
    path = tmp_path / "small.nnue"
    write_network(network, path)
    return path
