# SPDX-License-Identifier: GPL-3.0-or-later
"""Many games for one purpose: what a match and a tuning have in common."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kingcobra.arena.contests.engine_check import EngineFacts
from kingcobra.arena.contests.match_files import MatchFiles
from kingcobra.arena.contests.progress import Progress
from kingcobra.arena.games.game import GameTask, Rules
from kingcobra.arena.games.game_record import GameRecord
from kingcobra.arena.workers.game_runner import GameRunner, task_name
from kingcobra.arena.workers.worker import Failure
from kingcobra.arena.workers.worker_pool import open_pool
from kingcobra.errors import line_of


@dataclass(frozen=True)
class Workers:
    """How many games are played at once, on this machine or on the Ray cluster of an address."""

    concurrency: int = 1
    cluster: str | None = None


class Contest(ABC):
    """Plays games with workers and keeps them in files, from which it can be resumed. Call
    `check_engines`, then `start`, then `play`."""

    TITLE: str

    def __init__(self, rules: Rules, files: MatchFiles, workers: Workers) -> None:
        self.facts: list[EngineFacts] = []
        self.workers_lost = 0
        self._rules = rules
        self._files = files
        self._workers = workers
        self._played: set[int] = set()

    @abstractmethod
    def check_engines(self) -> None:
        """Starts every engine once and fills in `facts`; UnsuitableEngine if one cannot play."""

    def start(self, resume: bool, overwrite: bool) -> None:
        """Creates the files, or reads the games of existing ones, which then count as played."""
        self._begin(self._files.resume() if resume else self._files.begin(overwrite))

    def play(self, quiet: bool = False) -> None:
        """Plays until the last game, or until it is decided. An interrupt loses only the games in
        progress: the files hold all others. Progress is printed unless `quiet`."""
        left = self.games_left
        try:
            with Progress(self, self.games + left, self.games, self.TITLE, quiet) as progress:
                if left and not self.is_decided:
                    runner = GameRunner(self._tasks(), self._add_finished, self._keep_failure)
                    size = min(self._workers.concurrency, left)
                    with open_pool(self._rules, size, self._workers.cluster) as pool:
                        runner.run(pool, progress.show, lambda: self.is_decided)
                    self.workers_lost = runner.workers_lost
        finally:
            self.close()

    @property
    def errors_path(self) -> Path | None:
        """Where errors of the arena itself are kept; None if there were none."""
        return self._files.errors_path

    def close(self) -> None:
        """Closes the files."""
        self._files.close()

    @property
    @abstractmethod
    def games(self) -> int:
        """Games played so far, also before it was resumed."""

    @property
    @abstractmethod
    def games_left(self) -> int:
        """Games still to be played."""

    @property
    def is_decided(self) -> bool:
        """Whether it may end before its last game."""
        return False

    @abstractmethod
    def lines(self) -> list[str]:
        """The present result, line by line."""

    @abstractmethod
    def _tasks(self) -> Iterator[GameTask]:
        """The games that are left, taken one by one."""

    @abstractmethod
    def _learn_from(self, record: GameRecord) -> None:
        """Updates the result with a game, played now or before."""

    def _begin(self, records: Sequence[GameRecord]) -> None:
        """Counts the games that were played before. The files are open by then."""
        for record in records:
            self._count(record)

    def _count(self, record: GameRecord) -> None:
        self._played.add(record.number)
        self._learn_from(record)

    def _add_finished(self, record: GameRecord, pgn: str) -> None:
        self._files.add(record, pgn)
        self._count(record)

    def _keep_failure(self, task: GameTask, failure: Failure) -> str:
        """Writes the traceback to the file of errors, and returns where it is; never raises."""
        try:
            path = self._files.keep_error(f"{task_name(task)}\n{failure.traceback}\n")
        except OSError as error:
            return f"its traceback could not be kept: {line_of(error)}"
        return f"its traceback is in {path}"
