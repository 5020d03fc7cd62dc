# SPDX-License-Identifier: GPL-3.0-or-later
"""Games come back in their order, whatever workers do."""

from pathlib import Path

import pytest

from kingcobra.analysis.game_files import GameText
from kingcobra.analysis.journal import Journal
from kingcobra.analysis.ordered_run import GAMES_AHEAD, LOST, TOO_LONG, finished_games
from kingcobra.analysis.work_item import GameOutcome
from kingcobra.workers.tasks import Answer


class FakeWorkers:
    """Answers in any order; loses what it is told to lose, so often."""

    def __init__(self, size, pick, losses=None):
        self.size = size
        self._pick = pick
        self._losses = dict(losses or {})
        self._tasks = []
        self.submitted = []

    def has_room(self):
        return len(self._tasks) < self.size

    def submit(self, task):
        assert self.has_room()
        self._tasks.append(task)
        self.submitted.append(task.text)

    def answers(self):
        assert self._tasks, "nothing to wait for"
        task = self._tasks.pop(self._pick(len(self._tasks)))
        if self._losses.get(task.text, 0):
            self._losses[task.text] -= 1
            return [Answer(task, None)]
        return [Answer(task, GameOutcome({"text": task.text}))]


def games(count):
    return [GameText(Path("games.pgn"), n + 1, n + 1, f"game {n}") for n in range(count)]


PICKS = {"first": lambda _count: 0, "last": lambda count: count - 1, "middle": lambda c: c // 2}


@pytest.mark.parametrize("size", [1, 2, 7])
@pytest.mark.parametrize("pick", PICKS.values(), ids=PICKS)
def test_the_order_is_that_of_the_input(size, pick):
    found = list(finished_games(games(100), FakeWorkers(size, pick), None))
    assert [finished.game for finished in found] == games(100)
    assert [finished.outcome.record["text"] for finished in found] == [
        f"game {n}" for n in range(100)
    ]


def test_few_games_are_ahead():
    """The first game never ends, so the others must wait for it."""
    workers = FakeWorkers(2, PICKS["last"])
    next(finished_games(games(1000), workers, None))
    assert len(workers.submitted) <= 2 * GAMES_AHEAD


@pytest.mark.parametrize(("losses", "lost"), [(1, False), (2, True)])
def test_a_lost_worker_costs_one_more_attempt(tmp_path, losses, lost):
    workers = FakeWorkers(2, PICKS["first"], {"game 3": losses})
    journal = Journal(tmp_path / "journal", {})
    found = list(finished_games(games(6), workers, journal))
    assert [finished.outcome == LOST for finished in found] == [n == 3 and lost for n in range(6)]
    # A later run tries again.
    assert len(journal) == (5 if lost else 6)
    journal.close()


def test_what_the_journal_has_is_not_done_again(tmp_path):
    journal = Journal(tmp_path / "journal", {})
    first = list(finished_games(games(10), FakeWorkers(2, PICKS["first"]), journal))
    workers = FakeWorkers(2, PICKS["first"])
    again = list(finished_games(games(12), workers, journal))
    assert again[:10] == first
    assert workers.submitted == ["game 10", "game 11"]
    journal.close()


def test_a_game_that_is_too_long_is_not_given_to_workers():
    workers = FakeWorkers(1, PICKS["first"])
    game = GameText(Path("games.pgn"), 1, 1, "")
    assert [found.outcome for found in finished_games([game], workers, None)] == [TOO_LONG]
    assert workers.submitted == []


def test_no_games_at_all():
    assert list(finished_games([], FakeWorkers(1, PICKS["first"]), None)) == []
