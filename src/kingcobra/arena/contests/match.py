# SPDX-License-Identifier: GPL-3.0-or-later
"""A match, to its last game or until its test is decided."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kingcobra.arena.contests.contest import Contest, Workers
from kingcobra.arena.contests.engine_check import Requirements, check_engines
from kingcobra.arena.contests.match_files import MatchFiles
from kingcobra.arena.contests.schedule import Books, schedule
from kingcobra.arena.contests.standing import Anchor, Standing
from kingcobra.arena.engines.engine_spec import EngineSpec
from kingcobra.arena.games.game import GameTask, Rules
from kingcobra.arena.games.game_record import GameRecord
from kingcobra.arena.games.openings import Book
from kingcobra.statistics.sprt import Sprt


@dataclass(frozen=True)
class MatchPlan:
    """Which games are played, and how."""

    engines: list[EngineSpec]
    book: Book
    rules: Rules
    rounds: int
    seed: int | None
    gauntlet: bool = False
    sprt: Sprt | None = None
    move_book: Book | None = None
    anchor: Anchor | None = None
    faults_apart: bool = False

    def settings(self) -> dict[str, Any]:
        """What must not change when the match is resumed. The number of games, the test, the
        anchor, the scoring of faults and the concurrency may."""
        return {
            "engines": [asdict(engine) for engine in self.engines],
            "rules": asdict(self.rules),
            **self.book.settings(),
            "seed": self.seed,
            "gauntlet": self.gauntlet,
            "move_book": self.move_book.name if self.move_book else None,
            "move_openings": self.move_book.size if self.move_book else None,
        }


class Match(Contest):
    """The games of a plan."""

    TITLE = "Kingcobra match"

    def __init__(self, plan: MatchPlan, pgn: Path | None, workers: Workers) -> None:
        super().__init__(plan.rules, MatchFiles(pgn, plan.settings()), workers)
        self._plan = plan
        names = [engine.name for engine in plan.engines]
        self.standing = Standing(names, plan.sprt, plan.anchor, plan.faults_apart)

    def check_engines(self) -> None:
        plan = self._plan
        requirements = Requirements.of(plan.rules, (plan.move_book or plan.book).openings)
        self.facts = check_engines(plan.engines, requirements)

    @property
    def games(self) -> int:
        return self.standing.games

    @property
    def games_left(self) -> int:
        return sum(1 for _ in self._tasks())

    @property
    def is_decided(self) -> bool:
        return self.standing.is_decided

    def lines(self) -> list[str]:
        return self.standing.lines()

    def _tasks(self) -> Iterator[GameTask]:
        plan = self._plan
        without_setup = frozenset(fact.name for fact in self.facts if not fact.sets_up_positions)
        by_moves = plan.move_book.openings if plan.move_book else ()
        books = Books(plan.book.openings, by_moves, without_setup)
        for task in schedule(plan.engines, books, plan.rounds, plan.gauntlet):
            if task.number not in self._played:
                yield task

    def _learn_from(self, record: GameRecord) -> None:
        self.standing.add(record)
