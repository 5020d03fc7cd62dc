# SPDX-License-Identifier: GPL-3.0-or-later
"""The runner, with a pool whose workers die on command."""

from dataclasses import replace
from itertools import count

import pytest

from kingcobra.arena.engines.engine_spec import EngineSpec
from kingcobra.arena.games.game import GameTask
from kingcobra.arena.games.game_record import DRAW, GameRecord
from kingcobra.arena.games.openings import Opening
from kingcobra.arena.workers.game_runner import GameRunner, MatchError
from kingcobra.arena.workers.worker import Failure
from kingcobra.arena.workers.worker_pool import FinishedTask, WorkerPool


class Worker:
    task = None


class FakePool(WorkerPool):
    """Games end in the order in which they were given, but for those whose worker dies: `deaths`
    has how often each number still costs one."""

    def __init__(self, size, deaths=None):
        super().__init__([Worker() for _ in range(size)])
        self.deaths = dict(deaths or {})
        self.given = []

    def _give(self, _worker, task):
        self.given.append(task.number)

    def wait(self, timeout_s):
        assert timeout_s > 0
        worker = min(
            (worker for worker in self._workers if worker.task is not None),
            key=lambda worker: worker.task.number,
        )
        task, worker.task = worker.task, None
        if self.deaths.get(task.number, 0) > 0:
            self.deaths[task.number] -= 1
            return [FinishedTask(task, None)]
        record = GameRecord(task.number, 0, "A", "B", DRAW, "", None, None, 1, 1.0)
        return [FinishedTask(task, record, f"game {task.number}\n")]

    def process_ids(self):
        return []

    def close(self):
        self._workers.clear()


def tasks(numbers):
    engine = EngineSpec(("x",), "A")
    return (GameTask(number, 0, Opening(), engine, engine) for number in numbers)


def keep(task, failure):
    return f"{failure.traceback} of {task.number} kept"


def played(pool, source, **options):
    taken = []
    runner = GameRunner(source, lambda record, pgn: taken.append((record.number, pgn)), keep)
    runner.run(pool, lambda: None, **options)
    return runner, taken


def test_every_game_is_played_once():
    pool = FakePool(3)
    runner, taken = played(pool, tasks(range(10)))
    assert sorted(taken) == [(number, f"game {number}\n") for number in range(10)]
    assert runner.workers_lost == 0
    assert pool.busy == 0


def test_a_game_whose_worker_died_is_played_again():
    runner, taken = played(FakePool(2, {1: 2, 3: 1}), tasks(range(5)))
    assert sorted(number for number, _ in taken) == list(range(5))
    assert runner.workers_lost == 3


def test_a_game_that_kills_every_worker_ends_it_all():
    with pytest.raises(MatchError, match=r"^game 1 \(A - A\): its worker died, 3 times$"):
        played(FakePool(2, {1: 99}), tasks(range(5)))


def test_a_game_that_cannot_be_played_takes_no_other_one_along():
    """One that ended in the same moment is still taken, whatever the order."""

    class HopelessPool(FakePool):
        def wait(self, timeout_s):
            first, *_ = super().wait(timeout_s)
            failed = [
                FinishedTask(task, None, failure=Failure("why", "all")) for task in [first.task]
            ]
            return failed * 3 + [replace(first, task=replace(first.task, number=7))]

    taken = []
    runner = GameRunner(tasks([3]), lambda record, _: taken.append(record.number), keep)
    with pytest.raises(MatchError, match=r"^game 3 \(A - A\): why, 3 times; all of 3 kept$"):
        runner.run(HopelessPool(1), lambda: None)
    assert taken == [3]


def test_games_are_asked_for_only_when_somebody_is_idle():
    asked = []

    def source():
        for number in count():
            asked.append(number)
            yield from tasks([number])

    taken = []
    runner = GameRunner(source(), lambda record, _: taken.append(record.number), keep)
    runner.run(FakePool(2), lambda: None, lambda: len(taken) == 4)
    assert len(taken) == 4
    assert len(asked) <= len(taken) + 2


def test_a_match_that_is_decided_already_plays_nothing():
    pool = FakePool(1)
    _, taken = played(pool, tasks(range(3)), is_decided=lambda: True)
    assert taken == []
    assert pool.given == []
