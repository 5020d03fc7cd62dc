# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that wait, and when time begins to count; the engine is a stand-in."""

import os

import pytest

from kingcobra.kernel.host import monotonic_ns
from kingcobra.uci.session import Session
from kingcobra.uci.streams import Output


class IdleEngine:
    """Has nothing to do."""

    busy = False

    def stop(self):
        pass


@pytest.fixture
def pipe():
    reader, writer = os.pipe()
    yield reader, writer
    os.close(reader)
    os.close(writer)


@pytest.fixture
def session(pipe):
    session = Session(Output(pipe[1]), lambda: None)
    session.use_engine(IdleEngine())
    return session


def test_time_counts_from_when_a_command_was_heard(session):
    session.received_ns = received = monotonic_ns()
    session.stop_work()
    assert session.started_ns == received


def test_time_does_not_count_while_the_engine_is_set_up(session):
    session.received_ns = received = monotonic_ns()
    while monotonic_ns() == received:
        pass  # a coarse clock
    session.set_option("Hash", "1", lambda: None)
    assert received < session.started_ns <= monotonic_ns()
    session.received_ns = later = monotonic_ns()
    assert session.started_ns == later


def test_a_setting_that_fails_costs_no_other_one(session, pipe):
    done = []

    def fail():
        raise RuntimeError("out of order")

    session.engine.busy = True
    session.set_option("Hash", "1", fail)
    session.set_option("Threads", "1", lambda: done.append("Threads"))
    assert done == []
    session.engine.busy = False
    session.apply_pending_options()
    assert done == ["Threads"]
    said = os.read(pipe[0], 1000).decode().splitlines()
    assert [line for line in said if "error" in line] == [
        "info string error: internal, in 'setoption': RuntimeError: out of order"
    ]
