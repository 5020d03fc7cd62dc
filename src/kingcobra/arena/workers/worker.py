# SPDX-License-Identifier: GPL-3.0-or-later
"""A process that plays one game after another. Each has its own event loop, so that one game's
work is never on another game's clock."""

import asyncio
import contextlib
import signal
import time
import traceback
from dataclasses import dataclass
from multiprocessing.connection import Connection

import chess
import chess.syzygy

from kingcobra.arena.engines.answers import EngineFault, Fault
from kingcobra.arena.engines.engine_process import EngineProcess
from kingcobra.arena.engines.engine_spec import EngineSpec
from kingcobra.arena.games.adjudication import open_tables
from kingcobra.arena.games.game import Ending, Game, GameTask, Rules
from kingcobra.arena.games.game_record import GameRecord, pgn_of, record_of


@dataclass(frozen=True)
class Failure:
    """A fault of the arena's own, not of an engine: a line for the user, and all of it for who
    mends it. Both are text, since not every exception can be sent to another process."""

    summary: str
    traceback: str

    @classmethod
    def of(cls, error: Exception) -> "Failure":
        summary = " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")
        return cls(summary, "".join(traceback.format_exception(error)))


class Table:
    """Where games are played: keeps engines for the next game if they play in it, too, and starts
    them anew after a fault."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._tables: chess.syzygy.Tablebase | None = open_tables(rules.syzygy)
        self._engines: dict[str, EngineProcess] = {}

    async def play(self, task: GameTask) -> tuple[GameRecord, str]:
        """The record of the game and its PGN. A fault of an engine ends the game, never this."""
        await self._dismiss_all_but(task.white.name, task.black.name)
        started = time.perf_counter()
        game = Game(task, self._rules, self._tables)
        ending = await self._play(task, game)
        record = record_of(task, game, ending, time.perf_counter() - started)
        await self._tidy(task, ending)
        return record, pgn_of(task, game, ending, self._rules.time_control)

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

    async def _dismiss_all_but(self, *players: str) -> None:
        """In a tournament the others would hold their hash tables, and some engines never rest."""
        others = self._engines.keys() - players
        await asyncio.gather(*(self._engines.pop(name).close() for name in others))

    async def _engine(self, spec: EngineSpec) -> EngineProcess:
        engine = self._engines.get(spec.name)
        if engine is not None and engine.spec != spec:
            if engine.can_become(spec):
                await engine.become(spec)
            else:
                await self._engines.pop(spec.name).close()
        if spec.name not in self._engines:
            engine = await EngineProcess.start(spec, self._rules.stop_timeout_s)
            self._engines[spec.name] = engine
            await engine.accepts(spec.time_control or self._rules.time_control)
        return self._engines[spec.name]

    async def _tidy(self, task: GameTask, ending: Ending) -> None:
        """Closes what cannot be trusted with another game. An engine that only lost on time can."""
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
    the middle of a game; the interrupt key is the parent's business, who has put it off till now.
    What it cannot cope with is its last answer, as a Failure."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    try:
        with contextlib.suppress(asyncio.CancelledError):
            asyncio.run(_serve(connection, rules))
    except Exception as error:
        with contextlib.suppress(OSError):
            connection.send(Failure.of(error))


async def _serve(connection: Connection, rules: Rules) -> None:
    table = Table(rules)
    playing = asyncio.create_task(_play_what_comes(connection, table))

    def leave() -> None:
        # Once only: a game that is called off has engines to close, and so has the end of this.
        if not playing.cancelling():
            playing.cancel()

    with contextlib.suppress(NotImplementedError):
        # Where there are no such signals, ends of the connection have to do.
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, leave)
    await asyncio.wait([playing])
    await table.close()
    playing.result()


async def _play_what_comes(connection: Connection, table: Table) -> None:
    while (task := await _next_task(connection)) is not None:
        answer = await table.play(task)
        with contextlib.suppress(ConnectionError):
            # Nobody there: the next task is the end of the connection.
            connection.send(answer)


async def _next_task(connection: Connection) -> GameTask | None:
    """None also at the end of the connection. Waits without holding up the event loop, so that
    SIGTERM is heard."""
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
