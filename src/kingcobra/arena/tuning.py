# SPDX-License-Identifier: GPL-3.0-or-later
"""A tuning from its first game to its last: SPSA fed by games."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from kingcobra.arena.engine_spec import EngineSpec
from kingcobra.arena.game import GameTask, Rules
from kingcobra.arena.openings import Opening
from kingcobra.arena.pool import open_pool
from kingcobra.arena.progress import Progress
from kingcobra.arena.record import GameRecord
from kingcobra.arena.runner import GameRunner
from kingcobra.arena.schedule import GAMES_PER_PAIR
from kingcobra.arena.spsa import Probe, Schedule, Spsa
from kingcobra.arena.standing import Standing
from kingcobra.arena.state import MatchFiles
from kingcobra.arena.statistics import TRINOMIAL
from kingcobra.arena.tuning_path import PathFile, Waypoint
from kingcobra.search.tunables import Tunable

PLUS, MINUS = "plus", "minus"
ROWS_SHOWN = 24
"""Parameters in a report under way, those that have moved most; the last report has them all."""


@dataclass(frozen=True)
class TuningPlan:
    """All that decides which games are played and what follows from them."""

    engine: EngineSpec
    tunables: tuple[Tunable, ...]
    schedule: Schedule
    pairs: int
    openings: list[Opening]
    book: str
    rules: Rules
    seed: int
    order: str

    def settings(self) -> dict[str, Any]:
        """What must be the same when the tuning is resumed; the concurrency may change."""
        return {
            "engine": asdict(self.engine),
            "schedule": asdict(self.schedule),
            "pairs": self.pairs,
            "rules": asdict(self.rules),
            "book": self.book,
            "openings": len(self.openings),
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


class Tuning:
    """Plays a plan with `concurrency` workers, here or on the cluster, and keeps its files: the
    games with their state, as a match does, and the path of the parameters. The state holds
    nothing but games; everything else follows from them."""

    def __init__(
        self, plan: TuningPlan, pgn: Path, path_file: Path, concurrency: int, cluster: str | None
    ) -> None:
        self.plan = plan
        self.spsa = Spsa(plan.tunables, plan.schedule, plan.seed)
        self.files = MatchFiles(pgn, plan.settings())
        self.workers_lost = 0
        self.finished = 0
        self._standing = Standing([PLUS, MINUS])
        self._path = PathFile(path_file, [tunable.name for tunable in plan.tunables])
        self._concurrency = concurrency
        self._cluster = cluster
        self._played: set[int] = set()
        self._open: dict[int, list[int]] = {}

    def begin(self, overwrite: bool) -> None:
        """Fresh files; existing ones are an error unless they may be overwritten."""
        self.files.begin(overwrite)
        self._path.begin()

    def resume(self) -> None:
        """Takes over the games of the files, and learns from them again."""
        records = self.files.resume()
        self._path.begin()
        for record in records:
            self._learn_from(record)

    def play(self) -> None:
        """Until the last game. Interrupting it loses only games in progress."""
        left = self.plan.games - self.games
        try:
            with Progress(self, self.plan.games, self.games, "Kingcobra tune") as progress:
                if left:
                    runner = GameRunner(self._tasks(), self._take)
                    size = min(self._concurrency, left)
                    with open_pool(self.plan.rules, size, self._cluster) as pool:
                        runner.run(pool, progress.show)
                    self.workers_lost = runner.workers_lost
        finally:
            self.files.close()
            self._path.close()

    @property
    def games(self) -> int:
        return self._standing.games

    def lines(self) -> list[str]:
        """How far it is, and where the parameters that moved most are."""
        head = f"iteration {self.finished} of {self.plan.schedule.iterations}, {self.games} games"
        if self.games:
            losses, draws, wins = self._standing.meetings[PLUS, MINUS]
            head += f": plus {wins} won, {draws} drawn, {losses} lost"
        rows = ROWS_SHOWN if self.games < self.plan.games else None
        return [head, *self.table(rows), *self._standing.fault_lines()]

    def table(self, rows: int | None = None) -> list[str]:
        """The parameters, those first that moved by most of their steps; all, or the first."""
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
        """Asked for one by one, so that each iteration starts from the newest values."""
        per_iteration = self.plan.games_per_iteration
        for iteration in range(self.plan.schedule.iterations):
            numbers = range(iteration * per_iteration, (iteration + 1) * per_iteration)
            missing = [number for number in numbers if number not in self._played]
            if not missing:
                continue
            plus, minus = self.plan.opponents(self.spsa.probe(iteration + 1))
            for number in missing:
                pair, half = divmod(number, GAMES_PER_PAIR)
                opening = self.plan.openings[pair % len(self.plan.openings)]
                white, black = (plus, minus) if half == 0 else (minus, plus)
                yield GameTask(number, pair, opening, white, black)

    def _take(self, record: GameRecord, pgn: str) -> None:
        self.files.add(record, pgn)
        self._learn_from(record)

    def _learn_from(self, record: GameRecord) -> None:
        """Counts a game; with the last one of its iteration the parameters move."""
        self._played.add(record.number)
        self._standing.add(record)
        iteration = record.number // self.plan.games_per_iteration
        counts = self._open.setdefault(iteration, [0] * TRINOMIAL)
        counts[record.points_of(PLUS)] += 1
        if sum(counts) < self.plan.games_per_iteration:
            return
        losses, draws, wins = self._open.pop(iteration)
        self.spsa.learn(iteration + 1, wins - losses)
        self.finished += 1
        self._path.add(Waypoint(iteration + 1, losses, draws, wins, self.spsa.values))
