# SPDX-License-Identifier: GPL-3.0-or-later
"""A match from its first game to its last, or to the verdict of its test."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import chess

from kingcobra.arena.answers import EngineFault
from kingcobra.arena.engine_spec import EngineSpec
from kingcobra.arena.game import Rules
from kingcobra.arena.likelihood import Sprt, Verdict
from kingcobra.arena.openings import Opening
from kingcobra.arena.pipes import EngineProcess
from kingcobra.arena.pool import open_pool
from kingcobra.arena.progress import Progress
from kingcobra.arena.record import GameRecord
from kingcobra.arena.runner import GameRunner, MatchError
from kingcobra.arena.schedule import Books, schedule
from kingcobra.arena.standing import Anchor, Standing
from kingcobra.arena.state import MatchFiles


@dataclass(frozen=True)
class MatchPlan:
    """All that decides which games are played and how."""

    engines: list[EngineSpec]
    openings: list[Opening]
    book: str
    rules: Rules
    rounds: int
    seed: int | None
    gauntlet: bool = False
    sprt: Sprt | None = None
    move_openings: list[Opening] = field(default_factory=list)
    move_book: str | None = None
    anchor: Anchor | None = None
    faults_apart: bool = False

    def settings(self) -> dict[str, Any]:
        """What must be the same when the match is resumed. The number of games, the test, the
        anchor, what faults count for and the concurrency may change."""
        return {
            "engines": [asdict(engine) for engine in self.engines],
            "rules": asdict(self.rules),
            "book": self.book,
            "openings": len(self.openings),
            "seed": self.seed,
            "gauntlet": self.gauntlet,
            "move_book": self.move_book,
            "move_openings": len(self.move_openings) or None,
        }


@dataclass(frozen=True)
class EngineFacts:
    """What an engine says about itself."""

    reported_name: str
    sets_up_positions: bool


def check_engines(
    engines: Sequence[EngineSpec],
    openings: Sequence[Opening],
    rules: Rules,
    move_openings: Sequence[Opening] = (),
) -> list[EngineFacts]:
    """Starts every engine once; MatchError where one cannot play. `move_openings` are for those
    that cannot set up the positions of the other openings."""
    needs_setup = _need_setup(move_openings or openings)

    async def check() -> list[EngineFacts]:
        facts = []
        for spec in engines:
            try:
                engine = await EngineProcess.start(spec)
            except EngineFault as fault:
                raise MatchError(f"{spec.name}: {fault}") from None
            try:
                if rules.chess960 and not engine.plays_chess960:
                    raise MatchError(f"{spec.name} does not play Chess960")
                if needs_setup and not engine.sets_up_positions:
                    raise MatchError(
                        f"{spec.name} cannot set up positions: take a PGN book of games from the"
                        " start, or add one for it with --move-book"
                    )
                control = spec.time_control or rules.time_control
                if not await engine.accepts(control):
                    raise MatchError(f"{spec.name} cannot be limited by {control.limit}")
                facts.append(EngineFacts(engine.reported_name, engine.sets_up_positions))
            finally:
                await engine.close()
        return facts

    return asyncio.run(check())


def _need_setup(openings: Sequence[Opening]) -> bool:
    return any(opening.fen != chess.STARTING_FEN for opening in openings)


class Match:
    """Plays a plan with `concurrency` workers and keeps its files. The workers are processes of
    this machine, or on the Ray cluster at the address `cluster`."""

    def __init__(
        self, plan: MatchPlan, pgn: Path | None, concurrency: int, cluster: str | None = None
    ) -> None:
        self.plan = plan
        names = [engine.name for engine in plan.engines]
        self.standing = Standing(names, plan.sprt, plan.anchor, plan.faults_apart)
        self.files = MatchFiles(pgn, plan.settings())
        self.facts: list[EngineFacts] = []
        self.workers_lost = 0
        self._concurrency = concurrency
        self._cluster = cluster
        self._played: set[int] = set()

    def check_engines(self) -> None:
        """Starts every engine once and keeps what it says in `facts`; MatchError where one cannot
        play."""
        plan = self.plan
        self.facts = check_engines(plan.engines, plan.openings, plan.rules, plan.move_openings)

    def resume(self) -> None:
        """Takes over the games of the files."""
        for record in self.files.resume():
            self.standing.add(record)
            self._played.add(record.number)

    def play(self) -> None:
        """Until the last game or the test's verdict. Interrupting it loses only games in
        progress: the files hold all others."""
        pending = [
            task
            for task in schedule(
                self.plan.engines, self._books(), self.plan.rounds, self.plan.gauntlet
            )
            if task.number not in self._played
        ]
        total = self.standing.games + len(pending)
        try:
            with Progress(self.standing, total, self.standing.games) as progress:
                if pending and not self._is_decided():
                    size = min(self._concurrency, len(pending))
                    runner = GameRunner(iter(pending), self._take)
                    with open_pool(self.plan.rules, size, self._cluster) as pool:
                        runner.run(pool, progress.show, self._is_decided)
                    self.workers_lost = runner.workers_lost
        finally:
            self.files.close()

    def _books(self) -> Books:
        without_setup = frozenset(
            spec.name
            for spec, facts in zip(self.plan.engines, self.facts, strict=True)
            if not facts.sets_up_positions
        )
        return Books(self.plan.openings, self.plan.move_openings, without_setup)

    def _is_decided(self) -> bool:
        return self.standing.verdict is not Verdict.CONTINUE

    def _take(self, record: GameRecord, pgn: str) -> None:
        self.files.add(record, pgn)
        self.standing.add(record)
