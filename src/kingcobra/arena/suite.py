# SPDX-License-Identifier: GPL-3.0-or-later
"""Running test positions through an engine."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import chess.engine

from kingcobra.arena.answers import EngineFault, Fault
from kingcobra.arena.engine_spec import EngineSpec
from kingcobra.arena.epd import Problem
from kingcobra.arena.pipes import EngineProcess
from kingcobra.arena.time_control import TimeControl


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


async def run_suite(
    spec: EngineSpec,
    problems: Sequence[Problem],
    control: TimeControl,
    patience_s: float,
    concurrency: int,
    report: Callable[[int], None] = lambda _done: None,
) -> list[Attempt]:
    """Every problem as a game of its own, in the order given, on `concurrency` processes. A fault
    of the engine fails the problem; the engine is started anew."""
    waiting = list(reversed(list(enumerate(problems))))
    attempts: dict[int, Attempt] = {}

    async def work() -> None:
        engine: EngineProcess | None = None
        try:
            while waiting:
                number, problem = waiting.pop()
                try:
                    engine = engine or await _started(spec, control)
                    attempts[number] = await _attempt(engine, problem, control, patience_s)
                except EngineFault as fault:
                    attempts[number] = Attempt(problem, str(fault), False, 0, 0.0, 0, True)
                    if engine is not None:
                        await engine.close()
                    engine = None
                report(len(attempts))
        finally:
            if engine is not None:
                await engine.close()

    async with asyncio.TaskGroup() as group:
        for _ in range(min(concurrency, len(problems))):
            group.create_task(work())
    return [attempts[number] for number in range(len(problems))]


async def _started(spec: EngineSpec, control: TimeControl) -> EngineProcess:
    engine = await EngineProcess.start(spec)
    if not await engine.accepts(control):
        await engine.close()
        raise EngineFault(Fault.ILLEGAL, f"{spec.name} cannot be limited by {control.limit}")
    return engine


async def _attempt(
    engine: EngineProcess, problem: Problem, control: TimeControl, patience_s: float
) -> Attempt:
    board = problem.board()
    limit = chess.engine.Limit(time=control.movetime_s, nodes=control.nodes, depth=control.depth)
    game = time.perf_counter_ns()
    allowed_s = patience_s + (control.movetime_s or 0.0)
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
