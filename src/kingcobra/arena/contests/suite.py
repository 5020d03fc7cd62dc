# SPDX-License-Identifier: GPL-3.0-or-later
"""Running test positions through an engine."""

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
    """What the engine made of a problem. `move` is SAN, or what went wrong."""

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
class Trial:
    """Who tries the problems, for how long each, and how many at once."""

    engine: EngineSpec
    limit: TimeControl
    timeout_s: float
    concurrency: int


async def run_suite(
    trial: Trial,
    problems: Sequence[Problem],
    attempts: list[Attempt],
    report: Callable[[int], None] = lambda _done: None,
) -> None:
    """Every problem as a game of its own. `attempts` are added in the order of the problems, also
    where it is interrupted. A fault of the engine fails the problem; the engine is started anew."""
    waiting = list(reversed(list(enumerate(problems))))
    done: dict[int, Attempt] = {}

    async def work() -> None:
        engine: EngineProcess | None = None
        try:
            while waiting:
                number, problem = waiting.pop()
                try:
                    engine = engine or await _started(trial)
                    done[number] = await _attempt(engine, problem, trial)
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
            for _ in range(min(trial.concurrency, len(problems))):
                group.create_task(work())
    finally:
        attempts.extend(done[number] for number in sorted(done))


async def _started(trial: Trial) -> EngineProcess:
    engine = await EngineProcess.start(trial.engine)
    try:
        await engine.accepts(trial.limit)
    except BaseException:
        await engine.close()
        raise
    return engine


async def _attempt(engine: EngineProcess, problem: Problem, trial: Trial) -> Attempt:
    board = problem.board()
    control = trial.limit
    limit = chess.engine.Limit(time=control.movetime_s, nodes=control.nodes, depth=control.depth)
    game = time.perf_counter_ns()
    allowed_s = trial.timeout_s + (control.movetime_s or 0.0)
    answer = await engine.play(board, limit, game, allowed_s, first_move=True)
    if answer.move is None or not board.is_legal(answer.move):
        return Attempt(problem, f"{answer.move}?", False, 0, answer.seconds, 0, True)
    return Attempt(
        problem,
        board.san(answer.move),
        problem.is_solved(answer.move, answer.thought.mate),
        problem.points.get(answer.move, 0),
        answer.seconds,
        answer.thought.nodes or 0,
    )
