# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of a run that the tool's tests do not see."""

import threading

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed")

from kingcobra.core.objects import CORE
from kingcobra.training.runs import run
from kingcobra.training.runs.settings import DataSettings, NetworkSettings, RunSettings

PATIENCE_S = 300


def test_an_interrupt_ends_all_compilations(tmp_path, monkeypatch):
    """Otherwise Ctrl-C would wait for a minute."""
    cancelled = threading.Event()

    class SlowBuilder:
        def __init__(self, spec, _report):
            self.spec = spec

        def obtain(self):
            if self.spec is CORE:
                raise KeyboardInterrupt
            assert cancelled.wait(PATIENCE_S)

        def cancel(self):
            cancelled.set()

    monkeypatch.setattr(run, "Builder", SlowBuilder)
    settings = RunSettings(network=NetworkSettings(width=64), data=DataSettings(train=["none"]))
    with pytest.raises(KeyboardInterrupt):
        run.train(settings, tmp_path, lambda _text: None)
    assert cancelled.is_set()
