# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine's background work, without the text around it."""

import threading

from kingcobra.engine import Engine
from tests.engine_process import PATIENCE_S


def busy_when_done(engine, say):
    """What `busy` says to whoever is told that a perft is done."""
    answers = []
    told = threading.Event()

    def when_done():
        answers.append(engine.busy)
        told.set()

    engine.start_perft(2, say, when_done)
    assert told.wait(PATIENCE_S)
    (answer,) = answers
    return answer


def test_work_that_is_done_is_no_longer_under_way(core):
    """A loop that asks at that moment, and would otherwise wait for an event, must not wait."""
    said = []
    assert not busy_when_done(Engine(core), said.append)
    assert said[-1] == "\nNodes searched: 400\n"


def test_work_that_fails_is_no_longer_under_way(core, monkeypatch):
    monkeypatch.setattr(threading, "excepthook", lambda _failure: None)

    def fail(_text):
        raise RuntimeError("nobody can hear this")

    assert not busy_when_done(Engine(core), fail)


def test_work_is_under_way_until_it_is_stopped(core):
    engine = Engine(core)
    assert not engine.busy
    engine.start_perft(20, lambda _text: None, lambda: None)
    assert engine.busy
    engine.stop()
    assert not engine.busy
