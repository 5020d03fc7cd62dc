# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether engines can do what is asked of them, found out before the first game."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import chess

from kingcobra.arena.engines.answers import EngineFault
from kingcobra.arena.engines.engine_process import EngineProcess
from kingcobra.arena.engines.engine_spec import EngineSpec
from kingcobra.arena.engines.time_control import TimeControl
from kingcobra.arena.games.game import Rules
from kingcobra.arena.games.openings import Opening


class UnfitEngine(ValueError):
    """An engine that cannot play, and why."""


@dataclass(frozen=True)
class Demands:
    """What every engine must be able to do; `control` is for those that have none of their own."""

    control: TimeControl
    chess960: bool = False
    setup: bool = False

    @classmethod
    def of(cls, rules: Rules, openings: Sequence[Opening]) -> "Demands":
        """To play from these openings, all of which it may meet."""
        setup = any(opening.fen != chess.STARTING_FEN for opening in openings)
        return cls(rules.time_control, rules.chess960, setup)


@dataclass(frozen=True)
class EngineFacts:
    """What an engine says about itself."""

    name: str
    reported_name: str
    sets_up_positions: bool


def check_engines(engines: Sequence[EngineSpec], demands: Demands) -> list[EngineFacts]:
    """Starts every engine once; UnfitEngine for the first that fails or cannot do it. Also where
    the caller's thread has an event loop at work, as a notebook's has."""

    async def check() -> list[EngineFacts]:
        return [await _facts(spec, demands) for spec in engines]

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(check())
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(lambda: asyncio.run(check())).result()


async def _facts(spec: EngineSpec, demands: Demands) -> EngineFacts:
    try:
        engine = await EngineProcess.start(spec)
        try:
            lack = await _lack(engine, demands)
        finally:
            await engine.close()
    except EngineFault as fault:
        raise UnfitEngine(f"{spec.name}: {fault.detail}") from None
    if lack is not None:
        raise UnfitEngine(f"{spec.name} {lack}")
    return EngineFacts(spec.name, engine.reported_name, engine.sets_up_positions)


async def _lack(engine: EngineProcess, demands: Demands) -> str | None:
    """What the engine cannot do of what is asked for; None if it can do all of it."""
    if demands.chess960 and not engine.plays_chess960:
        return "does not play Chess960"
    if demands.setup and not engine.sets_up_positions:
        return (
            "cannot set up positions: take a PGN book of games from the start, or add one for it"
            " with --move-book"
        )
    control = engine.spec.time_control or demands.control
    if not await engine.accepts(control):
        return f"cannot be limited by {control.limit}"
    return None
