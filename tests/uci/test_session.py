# SPDX-License-Identifier: GPL-3.0-or-later
"""What waits its turn in a conversation, and from when on time counts; the engine is a stand-in."""

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
def talk(pipe):
    conversation = Session(Output(pipe[1]), lambda: None)
    conversation.adopt(IdleEngine())
    return conversation


def test_time_counts_from_when_a_command_was_heard(talk):
    talk.heard_ns = heard = monotonic_ns()
    talk.halt()
    assert talk.asked_ns == heard


def test_time_does_not_count_while_the_engine_is_set_up(talk):
    talk.heard_ns = heard = monotonic_ns()
    while monotonic_ns() == heard:
        pass  # a coarse clock
    talk.change("Hash", "1", lambda: None)
    assert heard < talk.asked_ns <= monotonic_ns()
    talk.heard_ns = later = monotonic_ns()
    assert talk.asked_ns == later


def test_a_setting_that_fails_costs_no_other_one(talk, pipe):
    done = []

    def fail():
        raise RuntimeError("out of order")

    talk.engine.busy = True
    talk.change("Hash", "1", fail)
    talk.change("Threads", "1", lambda: done.append("Threads"))
    assert done == []
    talk.engine.busy = False
    talk.apply_settings()
    assert done == ["Threads"]
    said = os.read(pipe[0], 1000).decode().splitlines()
    assert [line for line in said if "error" in line] == [
        "info string error: internal, in 'setoption': RuntimeError: out of order"
    ]
