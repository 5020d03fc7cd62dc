# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults of the arena's own, here an opening that no book can hold: one line for the user, the
traceback in a file, and no game lost."""

import asyncio
import json
import multiprocessing
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from kingcobra.arena.commands import match as match_tool
from kingcobra.arena.engines.engine_spec import EngineSpec
from kingcobra.arena.engines.time_control import TimeControl
from kingcobra.arena.games.game import GameTask, Rules
from kingcobra.arena.games.game_record import DRAW, GameRecord
from kingcobra.arena.games.openings import Book, Opening
from kingcobra.arena.settings import GameSettings
from kingcobra.arena.workers.ray_pool import RayPool, _Actor, _PlayerActor
from kingcobra.arena.workers.worker import Failure, GamePlayer, PlayedGame, _serve
from kingcobra.arena.workers.worker_pool import LocalPool
from tests.arena.mock_engines import MISBEHAVING_ENGINE
from tests.processes import all_gone

TIMEOUT_S = 600.0
RULES = Rules(TimeControl(nodes=1), 0.02, TIMEOUT_S, TIMEOUT_S, max_moves=2)
GOOD, BAD = Opening(), Opening("not a position")


def spec(name, *pids):
    return EngineSpec((sys.executable, str(MISBEHAVING_ENGINE), "well", "1", *map(str, pids)), name)


def play_match(monkeypatch, *more, openings=(GOOD, BAD)):
    """The exit code of a match of four games, of which the last two start from the bad opening."""
    monkeypatch.setattr(GameSettings, "openings", lambda *_: Book(openings, "book", 2))
    engines = [
        f"--engine=cmd='{sys.executable}' '{MISBEHAVING_ENGINE}' well,name={name}" for name in "AB"
    ]
    return match_tool.main([*engines, "--tc=nodes=1", "--games=4", "--max-moves=2", *more])


def test_it_is_one_line_and_what_was_played_is_kept(tmp_path, monkeypatch, capfd):
    pgn, errors = tmp_path / "out.pgn", tmp_path / "out.pgn.errors"
    assert play_match(monkeypatch, f"--pgn={pgn}") == 1
    (line,) = capfd.readouterr().err.splitlines()
    start, _, place = line.partition("; its traceback is in ")
    assert start.startswith("kingcobra match: game 2 (A - B): ValueError: ")
    assert start.endswith(", 3 times")
    assert "'not a position'" in start
    assert place == str(errors)
    text = errors.read_text()
    assert text.count("Traceback (most recent call last)") == 3
    assert text.startswith("game 2 (A - B)\n")
    assert "in board" in text
    lines = Path(f"{pgn}.state").read_text().splitlines()
    assert [json.loads(line)["number"] for line in lines[1:]] == [0, 1]
    assert pgn.read_text().count("[Event ") == 2

    assert play_match(monkeypatch, f"--pgn={pgn}", "--resume", openings=(GOOD, GOOD)) == 0
    assert "A vs B: 4 games" in capfd.readouterr().out
    assert errors.read_text() == text
    assert play_match(monkeypatch, f"--pgn={pgn}", "--overwrite", openings=(GOOD, GOOD)) == 0
    assert not errors.exists()


def test_without_files_the_traceback_has_one_of_its_own(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert play_match(monkeypatch) == 1
    (kept,) = tmp_path.iterdir()
    (line,) = capfd.readouterr().err.splitlines()
    assert line.endswith(str(kept))
    assert kept.read_text().count("Traceback") == 3


def test_a_traceback_that_cannot_be_kept_is_no_second_fault(tmp_path, monkeypatch, capfd):
    pgn = tmp_path / "out.pgn"
    (tmp_path / "out.pgn.errors").mkdir()
    assert play_match(monkeypatch, f"--pgn={pgn}") == 1
    (line,) = capfd.readouterr().err.splitlines()
    assert "game 2 (A - B): ValueError: " in line
    assert line.endswith(f"could not be kept: {pgn}.errors: Is a directory")


def test_a_failed_worker_is_replaced_and_its_engines_are_gone(tmp_path):
    pids = tmp_path / "pids"
    good = GameTask(0, 0, GOOD, spec("A", pids), spec("B"))
    with LocalPool(RULES, 1) as pool:
        for task in (good, GameTask(1, 0, BAD, spec("A", pids), spec("B"))):
            pool.submit(task)
            (finished,) = pool.wait(TIMEOUT_S)
        assert finished.record is None
        assert finished.failure.summary.startswith("ValueError: ")
        assert all_gone([int(pids.read_text())])
        pool.submit(good)
        (again,) = pool.wait(TIMEOUT_S)
        assert again.record is not None
        assert again.failure is None


@pytest.mark.parametrize("kind", [EOFError, ConnectionResetError, KeyError])
def test_a_fault_is_told_whatever_its_kind(monkeypatch, kind):
    """Also one of the kinds that the end of the connection has."""

    async def fail(*_):
        raise kind("of the arena's own")

    monkeypatch.setattr(GamePlayer, "play", fail)
    ours, theirs = multiprocessing.Pipe()
    with ours, theirs:
        ours.send(GameTask(0, 0, GOOD, spec("A"), spec("B")))
        with pytest.raises(kind, match="of the arena's own"):
            asyncio.run(_serve(theirs, RULES))


def test_the_end_of_the_connection_is_no_fault(monkeypatch):
    """Neither between two games nor when an answer is sent."""
    ours, theirs = multiprocessing.Pipe()

    async def play_for_nobody(*_):
        ours.close()
        return "answer"

    monkeypatch.setattr(GamePlayer, "play", play_for_nobody)
    ours.send(GameTask(0, 0, GOOD, spec("A"), spec("B")))
    with theirs:
        asyncio.run(_serve(theirs, RULES))
    assert ours.closed


def test_an_actor_of_a_cluster_answers_alike(tmp_path):
    """Without the cluster: the class that Ray would keep."""
    pids = tmp_path / "pids"

    async def play():
        actor = _PlayerActor(RULES)
        record, _ = await actor.play(GameTask(0, 0, GOOD, spec("A", pids), spec("B")))
        return record, await actor.play(GameTask(1, 0, BAD, spec("A", pids), spec("B")))

    record, failure = asyncio.run(play())
    assert record.fault is None
    assert failure.summary.startswith("ValueError: ")
    assert "Traceback" in failure.traceback
    assert all_gone([int(pids.read_text())])


@pytest.mark.parametrize("fails", [True, False])
def test_the_pool_of_a_cluster_replaces_who_failed(fails):
    """With a Ray that hands back what it is given."""
    task = GameTask(1, 0, GOOD, spec("A"), spec("B"))
    record = GameRecord(1, 0, "A", "B", DRAW, "", None, None, 1, 1.0)
    answer = Failure("KeyError: 'x'", "Traceback") if fails else PlayedGame(record, "pgn")
    killed = []
    pool = RayPool.__new__(RayPool)
    pool._ray = SimpleNamespace(
        get=lambda given: given,
        kill=killed.append,
        exceptions=SimpleNamespace(RayError=ConnectionError),
    )
    pool._rules = RULES
    pool._actor_class = SimpleNamespace(remote=lambda _rules: "new")
    pool._workers = [_Actor("old", answer, task)]
    finished = pool._collect(pool._workers[0], 0)
    assert finished.record == (None if fails else record)
    assert finished.failure == (answer if fails else None)
    assert killed == (["old"] if fails else [])
    assert pool._workers[0].actor == ("new" if fails else "old")


def test_a_failure_without_words_is_named():
    assert Failure.of(KeyError()).summary == "KeyError"
    assert Failure.of(ValueError("two\nlines")).summary == "ValueError: two lines"
