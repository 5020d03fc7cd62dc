# SPDX-License-Identifier: GPL-3.0-or-later
"""What a match shows: a live panel on a terminal, plain lines elsewhere."""

import io
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from kingcobra.arena.contests.progress import Progress
from kingcobra.arena.contests.standing import Standing
from kingcobra.arena.games.game_record import DRAW, WHITE_WINS, GameRecord
from kingcobra.statistics.sprt import Sprt
from tests.arena.mock_engines import MISBEHAVING_ENGINE

TIMEOUT_S = 600


def command():
    engines = [
        word
        for name in ("A[x]", "B")
        for word in ("--engine", f"cmd='{sys.executable}' '{MISBEHAVING_ENGINE}' well,name={name}")
    ]
    settings = ["--tc", "nodes=1", "--games", "2", "--max-moves", "3"]
    return [sys.executable, "-m", "kingcobra", "match", *engines, *settings]


def shown_on_a_terminal(words):
    """What the command writes to a terminal."""
    pytest.importorskip("rich", reason="rich is not installed")
    pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    match = subprocess.Popen(words, stdout=theirs, env=environment)
    os.close(theirs)
    shown = b""
    try:
        while chunk := os.read(ours, 4096):
            shown += chunk
    except OSError:
        pass  # the other end of a terminal is closed with an error
    os.close(ours)
    assert match.wait(TIMEOUT_S) == 0
    return shown.decode()


def test_a_terminal_shows_the_panel_and_then_the_result():
    panel, _, result = shown_on_a_terminal(command()).rpartition("A[x] vs B: 2 games")
    assert "Kingcobra match" in panel
    assert "A[x] vs B" in panel
    assert "0 games left" in result


def test_a_tuning_shows_where_its_parameters_are(tmp_path):
    settings = ["--iterations", "2", "--tc", "nodes=1", "--max-moves", "3"]
    settings += ["--pgn", str(tmp_path / "tune.pgn")]
    engine = ["--engine", f"cmd='{sys.executable}' '{MISBEHAVING_ENGINE}' well"]
    words = [sys.executable, "-m", "kingcobra", "tune", "razor_*", *engine, *settings]
    panel, _, result = shown_on_a_terminal(words).rpartition("iteration 2 of 2, 4 games")
    assert "Kingcobra tune" in panel
    assert "games/s" in panel
    assert "razor_square" in panel
    assert "razor_base" in result
    assert "0 games left" in result


def test_a_log_gets_plain_lines():
    finished = subprocess.run(
        command(), capture_output=True, text=True, timeout=TIMEOUT_S, check=True
    )
    assert "\x1b" not in finished.stdout
    assert finished.stdout.count("A[x] vs B: 2 games") == 1


def test_the_pace_counts_only_the_games_of_this_run(monkeypatch):
    clock = SimpleNamespace(monotonic=iter([100.0, 110.0]).__next__)
    monkeypatch.setattr("kingcobra.arena.contests.progress.time", clock)
    monkeypatch.setattr("sys.stdout", io.StringIO())
    standing = Standing(["A", "B"])
    for number in range(6):
        standing.add(GameRecord(number, number // 2, "A", "B", DRAW, "", None, None, 1, 1.0))
    progress = Progress(standing, total_games=16, games_before=1)
    # Five games in ten seconds, ten to go.
    assert progress.lines()[-1] == "0.50 games/s, 10 games left, 0:00:20 h"


def test_a_test_that_is_decided_has_no_games_left(monkeypatch):
    clock = SimpleNamespace(monotonic=iter([100.0, 110.0]).__next__)
    monkeypatch.setattr("kingcobra.arena.contests.progress.time", clock)
    monkeypatch.setattr("sys.stdout", io.StringIO())
    standing = Standing(["A", "B"], Sprt(0, 100))
    for number in range(100):
        players = ("A", "B") if number % 2 == 0 else ("B", "A")
        result = WHITE_WINS if number % 2 == 0 else DRAW
        standing.add(GameRecord(number, number // 2, *players, result, "", None, None, 1, 1.0))
    progress = Progress(standing, total_games=130, games_before=0)
    assert progress.lines()[-1] == "10.00 games/s, decided 30 games before the last"
