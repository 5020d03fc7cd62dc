# SPDX-License-Identifier: GPL-3.0-or-later
"""A network file for tools to look at."""

import pytest

from kingcobra.networks.file import write_network


@pytest.fixture
def file(network, tmp_path):
    """The small network as a file."""
    path = tmp_path / "small.nnue"
    write_network(network, path)
    return path
