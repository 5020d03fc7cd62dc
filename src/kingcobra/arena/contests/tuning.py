# SPDX-License-Identifier: GPL-3.0-or-later
"""A tuning: games whose results move the parameters by SPSA."""

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from kingcobra.arena.contests.contest import Contest, Workers
from kingcobra.arena.contests.engine_check import Requirements, check_engines
from kingcobra.arena.contests.match_files import MatchFiles
from kingcobra.arena.contests.schedule import GAMES_PER_PAIR
from kingcobra.arena.contests.standing import Standing
from kingcobra.arena.contests.tuning_path import PathFile, Waypoint
from kingcobra.arena.engines.engine_spec import EngineSpec
from kingcobra.arena.games.game import GameTask, Rules
from kingcobra.arena.games.game_record import GameRecord
from kingcobra.arena.games.openings import Book
from kingcobra.core.search.tunables import TUNABLES, Tunable
from kingcobra.statistics.elo import TRINOMIAL
from kingcobra.statistics.spsa import GainSchedule, Probe, Spsa

PLUS, MINUS = "plus", "minus"
ROWS_SHOWN = 24
"""Parameters in a report in progress, those that have moved most; the last report has all."""


@dataclass(frozen=True)
class TuningPlan:
    """Which games are played, and how the parameters follow from them."""

    engine: EngineSpec
    tunables: tuple[Tunable, ...]
    schedule: GainSchedule
    pairs: int
    book: Book
    rules: Rules
    seed: int
    order: str
    faults_apart: bool = True

    def settings(self) -> dict[str, Any]:
        """What must not change when the tuning is resumed. The scoring of faults and the
        concurrency may."""
        return {
            "engine": asdict(self.engine),
            "schedule": asdict(self.schedule),
            "pairs": self.pairs,
            "rules": asdict(self.rules),
            **self.book.settings(),
            "seed": self.seed,
            "order": self.order,
            **{
                f"tunable {tunable.name}": [
                    tunable.default,
                    tunable.low,
                    tunable.high,
                    tunable.step,
                ]
                for tunable in self.tunables
            },
        }

    @property
    def games_per_iteration(self) -> int:
        return self.pairs * GAMES_PER_PAIR

    @property
    def games(self) -> int:
        return self.schedule.iterations * self.games_per_iteration

    def opponents(self, probe: Probe) -> tuple[EngineSpec, EngineSpec]:
        """The engine with either side's values."""
        plus, minus = (
            replace(
                self.engine,
                name=name,
                options={**self.engine.options, **{key: str(v) for key, v in values.items()}},
            )
            for name, values in ((PLUS, probe.plus), (MINUS, probe.minus))
        )
        return plus, minus


def select_tunables(*patterns: str, excluding: Sequence[str] = ()) -> tuple[Tunable, ...]:
    """The tunables that match any of the patterns (all without any) and none of those excluded,
    in the order of the table. ValueError for a pattern that matches none."""
    for pattern in (*patterns, *excluding):
        if not any(fnmatchcase(tunable.name, pattern) for tunable in TUNABLES):
            near = difflib.get_close_matches(pattern, [tunable.name for tunable in TUNABLES])
            hint = f"; did you mean {', '.join(near)}?" if near else "; see docs/8-tunables.md"
            raise ValueError(f"no tunable is called {pattern!r}{hint}")
    selected = tuple(
        tunable
        for tunable in TUNABLES
        if (not patterns or any(fnmatchcase(tunable.name, pattern) for pattern in patterns))
        and not any(fnmatchcase(tunable.name, pattern) for pattern in excluding)
    )
    if not selected:
        raise ValueError("nothing to tune: every tunable is excluded")
    return selected


class Tuning(Contest):
    """The games of a plan, and the path of the parameters. The state file holds only games;
    everything else follows from them."""

    TITLE = "Kingcobra tune"

    def __init__(self, plan: TuningPlan, pgn: Path, path_file: Path, workers: Workers) -> None:
        super().__init__(plan.rules, MatchFiles(pgn, plan.settings()), workers)
        self.plan = plan
        self.spsa = Spsa(plan.tunables, plan.schedule, plan.seed)
        self.finished = 0
        self._standing = Standing([PLUS, MINUS], faults_apart=plan.faults_apart)
        self._path = PathFile(path_file, [tunable.name for tunable in plan.tunables])
        self._open: dict[int, list[GameRecord]] = {}

    def check_engines(self) -> None:
        """Also checks that the engine accepts the values of the first iteration."""
        plan = self.plan
        plus, _ = plan.opponents(self.spsa.probe(1))
        requirements = Requirements.of(plan.rules, plan.book.openings)
        self.facts = check_engines([replace(plus, name=plan.engine.name)], requirements)

    def close(self) -> None:
        super().close()
        self._path.close()

    @property
    def games(self) -> int:
        return self._standing.games

    @property
    def games_left(self) -> int:
        return self.plan.games - self.games

    def lines(self) -> list[str]:
        """How far it is, and the parameters that moved most."""
        head = f"iteration {self.finished} of {self.plan.schedule.iterations}, {self.games} games"
        if (PLUS, MINUS) in self._standing.meetings:
            losses, draws, wins = self._standing.meetings[PLUS, MINUS]
            head += f": plus {wins} won, {draws} drawn, {losses} lost"
        if self._standing.games_apart:
            head += f" ({self._standing.games_apart} with faults apart)"
        rows = ROWS_SHOWN if self.games < self.plan.games else None
        return [head, *self.table(rows), *self._standing.fault_lines()]

    def table(self, rows: int | None = None) -> list[str]:
        """The parameters, those first that moved by most of their steps; all, or the first
        `rows`."""
        values = self.spsa.values
        width = max(len(tunable.name) for tunable in self.plan.tunables)
        lines = [f"{'':{width}}   start       now   steps"]
        moved = {t.name: (values[t.name] - t.default) / t.step for t in self.plan.tunables}
        order = sorted(self.plan.tunables, key=lambda tunable: -abs(moved[tunable.name]))
        for tunable in order[:rows]:
            name = tunable.name
            lines.append(
                f"{name:{width}} {tunable.default:7d} {values[name]:9.2f} {moved[name]:+7.2f}"
            )
        if rows is not None and len(order) > rows:
            lines.append(f"and {len(order) - rows} that moved less")
        return lines

    def _tasks(self) -> Iterator[GameTask]:
        """Taken one by one, so that each iteration starts from the newest values."""
        per_iteration = self.plan.games_per_iteration
        openings = self.plan.book.openings
        for iteration in range(self.plan.schedule.iterations):
            numbers = range(iteration * per_iteration, (iteration + 1) * per_iteration)
            missing = [number for number in numbers if number not in self._played]
            if not missing:
                continue
            plus, minus = self.plan.opponents(self.spsa.probe(iteration + 1))
            for number in missing:
                pair, half = divmod(number, GAMES_PER_PAIR)
                opening = openings[pair % len(openings)]
                white, black = (plus, minus) if half == 0 else (minus, plus)
                yield GameTask(number, pair, opening, white, black)

    def _begin(self, records: Sequence[GameRecord]) -> None:
        """Writes the path again from the beginning, as the games are counted again."""
        self._path.begin()
        super()._begin(records)

    def _learn_from(self, record: GameRecord) -> None:
        """Counts a game; after the last one of its iteration the parameters move."""
        self._standing.add(record)
        iteration = record.number // self.plan.games_per_iteration
        games = self._open.setdefault(iteration, [])
        games.append(record)
        if len(games) < self.plan.games_per_iteration:
            return
        losses, draws, wins = self._scored(self._open.pop(iteration))
        self.spsa.learn(iteration + 1, wins - losses)
        self.finished += 1
        self._path.add(
            Waypoint(self.finished, iteration + 1, losses, draws, wins, self.spsa.values)
        )

    def _scored(self, games: Sequence[GameRecord]) -> list[int]:
        """Losses, draws and wins of plus. With `faults_apart`, a pair with a fault is left out: its
        other game alone would depend on who had the better side of the opening."""
        apart = {game.pair for game in games if game.fault is not None and self.plan.faults_apart}
        counts = [0] * TRINOMIAL
        for game in games:
            if game.pair not in apart:
                counts[game.points_of(PLUS)] += 1
        return counts
