# SPDX-License-Identifier: GPL-3.0-or-later
"""A match in a process of its own, interrupted and resumed."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.arena.mock_engines import MISBEHAVING_ENGINE

GAMES = 20
# More than two games have, and less than all of them.
MOVES_BEFORE_THE_WAIT = 50
TIMEOUT_S = 600
POLL_S = 0.02
EXIT_INTERRUPTED = 130


def command(pgn, goes_on, *more):
    """The engines wait in mid-match for that file, or else they might be done before the signal."""
    manner = f"waits {MOVES_BEFORE_THE_WAIT} '{goes_on}'"
    engines = [
        word
        for name in ("A", "B")
        for word in (
            "--engine",
            f"cmd='{sys.executable}' '{MISBEHAVING_ENGINE}' {manner},name={name}",
        )
    ]
    settings = ["--tc", "nodes=5", "--games", str(GAMES), "--pgn", str(pgn), "--concurrency", "2"]
    settings += ["--max-moves", "20"]
    return [sys.executable, "-m", "kingcobra", "match", *engines, *settings, *more]


def numbers(pgn):
    """Numbers of the games in the state file, whole lines only."""
    text = Path(f"{pgn}.state").read_text() if Path(f"{pgn}.state").exists() else ""
    return [
        json.loads(line)["number"]
        for line in text.splitlines(keepends=True)[1:]
        if line[-1:] == "\n"
    ]


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_an_interrupted_match_goes_on_where_it_stopped(tmp_path, name):
    pgn, goes_on = tmp_path / "out.pgn", tmp_path / "goes on"
    match = subprocess.Popen(
        command(pgn, goes_on), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + TIMEOUT_S
    while len(numbers(pgn)) < 2 and time.monotonic() < deadline:
        time.sleep(POLL_S)
    match.send_signal(getattr(signal, name))
    _, errors = match.communicate(timeout=TIMEOUT_S)
    assert match.returncode == EXIT_INTERRUPTED
    assert "--resume" in errors
    assert "Traceback" not in errors
    before = numbers(pgn)
    assert 2 <= len(before) < GAMES
    goes_on.touch()
    resumed = subprocess.run(
        command(pgn, goes_on, "--resume"),
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=True,
    )
    assert f"A vs B: {GAMES} games" in resumed.stdout
    assert numbers(pgn)[: len(before)] == before
    assert sorted(numbers(pgn)) == list(range(GAMES))
    assert pgn.read_text().count("[Event ") == GAMES
