# SPDX-License-Identifier: GPL-3.0-or-later
"""Engines inside the process, and what they say."""

import pytest

from kingcobra.engine.engine_listener import EngineListener
from kingcobra.engine.search_engine import SearchEngine


class RecordingListener(EngineListener):
    """Keeps what an engine says; `when_idle` is called when a job has ended."""

    def __init__(self):
        self.faults = []
        self.networks = []
        self.when_idle = lambda: None

    def on_fault(self, error):
        self.faults.append(repr(error))

    def on_network(self, network):
        self.networks.append(network)

    def on_idle(self):
        self.when_idle()


@pytest.fixture
def listener():
    return RecordingListener()


@pytest.fixture
def engine(core, listener):
    return SearchEngine(core, listener)
