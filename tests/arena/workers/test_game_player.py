# SPDX-License-Identifier: GPL-3.0-or-later
"""Games in this process: what engines receive, and when they are started again."""

import asyncio
import sys
from dataclasses import replace

import pytest

from kingcobra.arena.engines.engine_spec import EngineSpec
from kingcobra.arena.engines.time_control import TimeControl, parse_time_control
from kingcobra.arena.games.game import GameTask, Rules
from kingcobra.arena.games.openings import Opening
from kingcobra.arena.workers.worker import GamePlayer
from tests.arena.mock_engines import MISBEHAVING_ENGINE
from tests.paths import DATA
from tests.processes import is_running

TIMEOUT_S = 600.0
MARGIN_S = 30.0


def engine(name, *arguments, manner="well", **more):
    command = (sys.executable, str(MISBEHAVING_ENGINE), manner, "1", *map(str, arguments))
    return EngineSpec(command, name, **more)


def play(white, black, control="nodes=1", games=1, moves=1):
    """The records of games with the same colours."""
    rules = Rules(parse_time_control(control), MARGIN_S, TIMEOUT_S, TIMEOUT_S, max_moves=moves)

    async def play_all():
        table = GamePlayer(rules)
        tasks = [GameTask(number, 0, Opening(), white, black) for number in range(games)]
        try:
            return [(await table.play(task))[0] for task in tasks]
        finally:
            await table.close()

    return asyncio.run(play_all())


def limits_received(tmp_path, control, moves, **more):
    """The `go` lines of White."""
    notes = tmp_path / "notes"
    white = engine("A", notes, manner="notes-go", **more)
    (record,) = play(white, engine("B"), control, moves=moves)
    assert record.fault is None
    return [line for line in notes.read_text().splitlines() if line.startswith("go")]


@pytest.mark.parametrize(
    ("control", "expected"),
    [("movetime=2500", "go movetime 2500"), ("nodes=77", "go nodes 77"), ("depth=3", "go depth 3")],
)
def test_limits_of_a_move(tmp_path, control, expected):
    assert limits_received(tmp_path, control, 2) == [expected] * 2


def test_a_clock_runs_and_begins_a_new_period(tmp_path):
    lines = [line.split() for line in limits_received(tmp_path, "2/500+75", 4)]
    assert [line[line.index("movestogo") + 1] for line in lines] == ["2", "1", "2", "1"]
    assert all(line[line.index("winc") + 1] == "75000" for line in lines)
    clocks = [int(line[line.index("wtime") + 1]) for line in lines]
    assert clocks[0] == 500_000
    # Less the time of a random move, which is not timed here, but with all increments.
    assert 500_000 < clocks[1] <= 575_000
    assert 1_000_000 < clocks[2] <= 1_150_000


def test_an_engine_may_have_a_clock_of_its_own(tmp_path):
    (line,) = limits_received(tmp_path, "nodes=5", 1, time_control=TimeControl(90, 1.5))
    assert line.startswith("go wtime 90000 winc 1500")
    assert "btime" not in line


@pytest.mark.parametrize(("restart", "processes"), [(False, 1), (True, 3)])
def test_engines_are_kept_between_games_unless_they_shall_be_started_anew(
    tmp_path, restart, processes
):
    pids = tmp_path / "pids"
    records = play(engine("A", pids, restart=restart), engine("B"), games=3)
    assert [record.fault for record in records] == [None] * 3
    assert len(set(pids.read_text().split())) == processes


def test_only_the_players_of_a_game_are_kept(tmp_path):
    names = ("A", "B", "C")
    pids = {name: tmp_path / name for name in names}
    a, b, c = (engine(name, pids[name]) for name in names)
    rules = Rules(parse_time_control("nodes=1"), MARGIN_S, TIMEOUT_S, TIMEOUT_S, max_moves=1)

    async def running():
        table = GamePlayer(rules)
        for number, (white, black) in enumerate(((a, b), (b, a), (c, a))):
            await table.play(GameTask(number, 0, Opening(), white, black))
        found = [name for name in names if is_running(int(pids[name].read_text()))]
        await table.close()
        return found

    assert asyncio.run(running()) == ["A", "C"]


def test_tables_end_a_game(core):
    """After the capture of the queen; either man that can take it keeps the win."""
    assert core
    rules = Rules(
        parse_time_control("nodes=1"), MARGIN_S, TIMEOUT_S, TIMEOUT_S, syzygy=str(DATA / "syzygy")
    )
    task = GameTask(1, 0, Opening("k7/8/8/8/8/8/1q5Q/K7 w - - 0 1"), engine("A"), engine("B"))

    async def play_one():
        table = GamePlayer(rules)
        try:
            return (await table.play(task)).record
        finally:
            await table.close()

    record = asyncio.run(play_one())
    assert (record.result, record.plies) == ("1-0", 1)
    assert record.reason == "adjudicated: tablebase win"


def test_engines_run_in_their_own_directory(tmp_path):
    (record,) = play(engine("A", "pids", directory=str(tmp_path)), engine("B"))
    assert record.fault is None
    assert (tmp_path / "pids").exists()


def test_an_engine_that_cannot_be_started_loses_and_is_named():
    missing = replace(engine("A"), command=("/no/such/engine",))
    (record,) = play(engine("B"), missing)
    assert (record.result, record.culprit, record.fault) == ("1-0", "A", "crash")
    assert record.reason == (
        "Black: crash: does not start: /no/such/engine: No such file or directory"
    )
