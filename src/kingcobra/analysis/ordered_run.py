# SPDX-License-Identifier: GPL-3.0-or-later
"""Many games, annotated by any number of workers and returned in their order. Few of them are in
memory at a time."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from kingcobra.analysis.game_files import MOST_GAME_CHARACTERS, GameText
from kingcobra.analysis.journal import Journal, digest_of
from kingcobra.analysis.work_item import GameOutcome, GameTask
from kingcobra.workers.tasks import Workers

# So many games for each worker may wait for one before them.
GAMES_AHEAD = 16
# A game whose worker is lost gets another one, so often.
MOST_LOSSES = 1
TOO_LONG = GameOutcome(None, error=f"longer than {MOST_GAME_CHARACTERS} characters")
LOST = GameOutcome(None, error="the process that annotated it has crashed twice")

AnnotationWorkers: TypeAlias = Workers[GameTask, GameOutcome]


class FinishedGame(NamedTuple):
    """A game of the input, and what became of it."""

    game: GameText
    outcome: GameOutcome


def finished_games(
    games: Iterable[GameText], workers: AnnotationWorkers, journal: Journal | None
) -> Iterator[FinishedGame]:
    """All games with their outcomes, in the order of the input. What the journal has is not done
    again; what is new goes into it as soon as it is done."""
    run = _Run(workers, journal)
    source = iter(games)
    is_read = False
    while not is_read or run.waiting:
        while not is_read and run.may_read():
            game = next(source, None)
            if game is None:
                is_read = True
            else:
                run.begin(game)
        yield from run.ready()
        if run.waiting:
            run.collect()


class _Run:
    """Games between the input and the output."""

    def __init__(self, workers: AnnotationWorkers, journal: Journal | None) -> None:
        self._workers = workers
        self._journal = journal
        self._window = GAMES_AHEAD * workers.size
        self._begun = self._returned = 0
        # By index: games that are not returned yet, those of them that are done, and losses.
        self.waiting: dict[int, GameText] = {}
        self._done: dict[int, GameOutcome] = {}
        self._losses: dict[int, int] = {}

    def may_read(self) -> bool:
        """Whether another game can be begun."""
        return self._workers.has_room() and self._begun - self._returned < self._window

    def begin(self, game: GameText) -> None:
        """Takes the outcome from the journal, or has a worker begin."""
        index = self._begun
        self._begun += 1
        self.waiting[index] = game
        kept = self._journal.find(digest_of(game.text)) if self._journal else None
        if not game.text:
            self._done[index] = TOO_LONG
        elif kept is not None:
            self._done[index] = kept
        else:
            self._workers.submit(GameTask(index, game.text))

    def ready(self) -> Iterator[FinishedGame]:
        """The next games of the order, as far as they are done."""
        while self._returned in self._done:
            index = self._returned
            self._returned += 1
            yield FinishedGame(self.waiting.pop(index), self._done.pop(index))

    def collect(self) -> None:
        """Waits for workers, unless the next game is done already."""
        if self._returned in self._done:
            return
        for task, outcome in self._workers.answers():
            if outcome is None:
                self._losses[task.order] = self._losses.get(task.order, 0) + 1
                if self._losses[task.order] <= MOST_LOSSES:
                    self._workers.submit(task)
                else:
                    # Not for the journal: a later run may have more luck.
                    self._done[task.order] = LOST
                continue
            if self._journal is not None:
                self._journal.append(digest_of(task.text), outcome)
            self._done[task.order] = outcome
