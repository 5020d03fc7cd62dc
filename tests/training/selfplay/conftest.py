# SPDX-License-Identifier: GPL-3.0-or-later
"""Self-play with a small network of random weights as the teacher."""

import pytest

from kingcobra.networks.loading import from_memory
from kingcobra.training.selfplay.player import Objects, Teacher


def silent(_text):
    """Nobody listens."""


@pytest.fixture(scope="session")
def objects():
    return Objects.obtain(silent)


@pytest.fixture(scope="session")
def teacher(network):
    return Teacher(from_memory(network, "random.nnue", silent))
