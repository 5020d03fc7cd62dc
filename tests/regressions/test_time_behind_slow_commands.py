# SPDX-License-Identifier: GPL-3.0-or-later
"""A search sent together with `eval` or `compiler` once told time that had passed before it."""

import os

import pytest

from kingcobra.kernel.host import monotonic_ns
from kingcobra.uci.commands.table import COMMANDS
from kingcobra.uci.loop import UciLoop
from kingcobra.uci.streams import Output


class IdleEngine:
    """Has nothing to do."""

    busy = awaits_stop = is_measuring = False


@pytest.fixture
def asked_behind(monkeypatch):
    """From when on the time of a `go` counts that was heard together with another command, and
    before, and when that command had ended."""
    descriptor = os.open(os.devnull, os.O_WRONLY)
    loop = UciLoop(Output(descriptor))
    loop._session.use_engine(IdleEngine())

    def run(word):
        moments = {}

        def slow(_session, _text):
            begun = monotonic_ns()
            while monotonic_ns() == begun:
                pass  # a coarse clock
            moments["ended"] = monotonic_ns()

        def go(session, _text):
            moments["asked"] = session.started_ns

        monkeypatch.setitem(COMMANDS, word, slow)
        monkeypatch.setitem(COMMANDS, "go", go)
        moments["heard"] = monotonic_ns()
        loop._on_line(word, moments["heard"])
        loop._on_line("go", moments["heard"])
        return moments

    yield run
    os.close(descriptor)


@pytest.mark.parametrize("word", ["eval", "compiler", "ucinewgame", "export_net", "bench"])
def test_time_counts_from_the_end_of_a_slow_command(asked_behind, word):
    moments = asked_behind(word)
    assert moments["asked"] >= moments["ended"]


@pytest.mark.parametrize("word", ["position", "stop"])
def test_time_of_a_game_counts_from_when_go_was_heard(asked_behind, word):
    moments = asked_behind(word)
    assert moments["asked"] == moments["heard"]
