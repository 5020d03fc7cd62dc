# SPDX-License-Identifier: GPL-3.0-or-later
"""Test positions, tried by an engine."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import chess.engine

from kingcobra.arena.contests.problems import Problem
from kingcobra.arena.engines.answers import EngineFault
from kingcobra.arena.engines.engine_process import EngineProcess
from kingcobra.arena.engines.engine_spec import EngineSpec
from kingcobra.arena.engines.time_control import TimeControl


@dataclass(frozen=True)
class Attempt:
    """The move of the engine in SAN, or what went wrong, and whether it solved the problem."""

    problem: Problem
    move: str
    is_solved: bool
    points: int
    seconds: float
    nodes: int
    failed: bool = False


@dataclass
class SuiteResult:
    """One row of the table."""

    name: str
    attempts: list[Attempt] = field(default_factory=list)

    @property
    def solved(self) -> int:
        return sum(attempt.is_solved for attempt in self.attempts)

    @property
    def faults(self) -> int:
        return sum(attempt.failed for attempt in self.attempts)

    @property
    def points(self) -> int:
        return sum(attempt.points for attempt in self.attempts)

    @property
    def max_points(self) -> int:
        return sum(attempt.problem.max_points for attempt in self.attempts)

    @property
    def seconds(self) -> float:
        return sum(attempt.seconds for attempt in self.attempts)

    @property
    def nodes(self) -> int:
        return sum(attempt.nodes for attempt in self.attempts)


@dataclass(frozen=True)
class SuiteSettings:
    """The engine, its limit for each problem, and how many are tried at once."""

    engine: EngineSpec
    limit: TimeControl
    timeout_s: float
    concurrency: int


async def run_suite(
    settings: SuiteSettings,
    problems: Sequence[Problem],
    attempts: list[Attempt],
    report: Callable[[int], None] = lambda _done: None,
) -> None:
    """Tries each problem as a game of its own. `attempts` are added in the order of the problems,
    also after an interrupt. If the engine fails, the problem is not solved, and the engine is
    started again."""
    waiting = list(reversed(list(enumerate(problems))))
    done: dict[int, Attempt] = {}

    async def work() -> None:
        engine: EngineProcess | None = None
        try:
            while waiting:
                number, problem = waiting.pop()
                try:
                    engine = engine or await _started(settings)
                    done[number] = await _attempt(engine, problem, settings)
                except EngineFault as fault:
                    done[number] = Attempt(problem, str(fault), False, 0, 0.0, 0, True)
                    if engine is not None:
                        await engine.close()
                    engine = None
                report(len(done))
        finally:
            if engine is not None:
                await engine.close()

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(settings.concurrency, len(problems))):
                group.create_task(work())
    finally:
        attempts.extend(done[number] for number in sorted(done))


async def _started(settings: SuiteSettings) -> EngineProcess:
    engine = await EngineProcess.start(settings.engine)
    try:
        await engine.accepts(settings.limit)
    except BaseException:
        await engine.close()
        raise
    return engine


async def _attempt(engine: EngineProcess, problem: Problem, settings: SuiteSettings) -> Attempt:
    board = problem.board()
    control = settings.limit
    limit = chess.engine.Limit(time=control.movetime_s, nodes=control.nodes, depth=control.depth)
    game = time.perf_counter_ns()
    allowed_s = settings.timeout_s + (control.movetime_s or 0.0)
    answer = await engine.play(board, limit, game, allowed_s, first_move=True)
    if answer.move is None or not board.is_legal(answer.move):
        return Attempt(problem, f"{answer.move}?", False, 0, answer.seconds, 0, True)
    return Attempt(
        problem,
        board.san(answer.move),
        problem.is_solved(answer.move, answer.search_info.mate),
        problem.points.get(answer.move, 0),
        answer.seconds,
        answer.search_info.nodes or 0,
    )
