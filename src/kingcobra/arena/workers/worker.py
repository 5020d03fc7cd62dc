# SPDX-License-Identifier: GPL-3.0-or-later
"""A process that plays one game after another. Each worker has its own event loop, so the work for
one game never delays the clock of another."""

import asyncio
import contextlib
import signal
import time
import traceback
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import NamedTuple

import chess

from kingcobra.arena.engines.answers import EngineFault, Fault
from kingcobra.arena.engines.engine_process import EngineProcess
from kingcobra.arena.engines.engine_spec import EngineSpec
from kingcobra.arena.games.adjudication import open_tables
from kingcobra.arena.games.game import Ending, Game, GameTask, Rules
from kingcobra.arena.games.game_record import GameRecord, pgn_of, record_of


@dataclass(frozen=True)
class Failure:
    """An error of the arena itself, not of an engine: a line for the user, and the traceback. Both
    are text, since not every exception can be sent to another process."""

    summary: str
    traceback: str

    @classmethod
    def of(cls, error: Exception) -> "Failure":
        summary = " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")
        return cls(summary, "".join(traceback.format_exception(error)))


class PlayedGame(NamedTuple):
    """A game that was played, and its PGN."""

    record: GameRecord
    pgn: str


class GamePlayer:
    """Plays games. Engines that also play in the next game are kept running; after a fault they
    are started again."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._tables = open_tables(rules.syzygy)
        self._engines: dict[str, EngineProcess] = {}

    async def play(self, task: GameTask) -> PlayedGame:
        """An engine that fails loses the game; this method raises nothing for it."""
        await self._close_all_but(task.white.name, task.black.name)
        started = time.perf_counter()
        game = Game(task, self._rules, self._tables)
        ending = await self._play(task, game)
        record = record_of(task, game, ending, time.perf_counter() - started)
        await self._close_failed(task, ending)
        return PlayedGame(record, pgn_of(task, game, ending, self._rules.time_control))

    async def _play(self, task: GameTask, game: Game) -> Ending:
        players: dict[chess.Color, EngineProcess] = {}
        for side, spec in ((chess.WHITE, task.white), (chess.BLACK, task.black)):
            try:
                players[side] = await self._engine(spec)
            except EngineFault as fault:
                name = chess.COLOR_NAMES[side].capitalize()
                return Ending(not side, f"{name}: {fault}", fault.fault, side)
        ending = await game.play(players)
        for engine in players.values():
            if ending.fault is None:
                await engine.end_game(game.board, ending.winner, ending.reason)
        return ending

    async def _close_all_but(self, *players: str) -> None:
        """Other engines of a tournament would keep their hash tables, and some use CPU time when
        idle."""
        others = self._engines.keys() - players
        await asyncio.gather(*(self._engines.pop(name).close() for name in others))

    async def _engine(self, spec: EngineSpec) -> EngineProcess:
        engine = self._engines.get(spec.name)
        if engine is not None and engine.spec != spec:
            if engine.can_reconfigure(spec):
                await engine.reconfigure(spec)
            else:
                await self._engines.pop(spec.name).close()
        if spec.name not in self._engines:
            engine = await EngineProcess.start(spec, self._rules.stop_timeout_s)
            self._engines[spec.name] = engine
            await engine.accepts(spec.time_control or self._rules.time_control)
        return self._engines[spec.name]

    async def _close_failed(self, task: GameTask, ending: Ending) -> None:
        """Closes engines that failed, unless they only lost on time, and those that restart for
        every game."""
        for side, spec in ((chess.WHITE, task.white), (chess.BLACK, task.black)):
            failed = side == ending.culprit and ending.fault is not Fault.TIME
            if failed or spec.restart:
                engine = self._engines.pop(spec.name, None)
                if engine is not None:
                    await engine.close()

    async def close(self) -> None:
        await asyncio.gather(*(engine.close() for engine in self._engines.values()))
        self._engines.clear()


def worker_main(connection: Connection, rules: Rules) -> None:
    """Plays every task that arrives, until None or the end of the connection. SIGTERM ends it in
    the middle of a game; the interrupt key, which the parent has blocked until now, is ignored: the
    parent handles it. An exception is sent as a Failure, and ends the worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    try:
        with contextlib.suppress(asyncio.CancelledError):
            asyncio.run(_serve(connection, rules))
    except Exception as error:
        with contextlib.suppress(OSError):
            connection.send(Failure.of(error))


async def _serve(connection: Connection, rules: Rules) -> None:
    player = GamePlayer(rules)
    playing = asyncio.create_task(_play_tasks(connection, player))

    def cancel() -> None:
        # Once only: a second cancellation would interrupt the closing of the engines.
        if not playing.cancelling():
            playing.cancel()

    with contextlib.suppress(NotImplementedError):
        # Without such signals, the end of the connection ends the worker.
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, cancel)
    await asyncio.wait([playing])
    await player.close()
    playing.result()


async def _play_tasks(connection: Connection, player: GamePlayer) -> None:
    while (task := await _next_task(connection)) is not None:
        answer = await player.play(task)
        with contextlib.suppress(ConnectionError):
            # The parent has ended: the next task is the end of the connection.
            connection.send(answer)


async def _next_task(connection: Connection) -> GameTask | None:
    """None also at the end of the connection. Waits without blocking the event loop, so that
    SIGTERM is handled."""
    arrived = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_reader(connection.fileno(), arrived.set)
    try:
        await arrived.wait()
    finally:
        loop.remove_reader(connection.fileno())
    try:
        task: GameTask | None = connection.recv()
    except (EOFError, ConnectionError):
        return None
    return task
