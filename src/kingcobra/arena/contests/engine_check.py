# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks before the first game that the engines can play it."""

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


class UnsuitableEngine(ValueError):
    """An engine that cannot play, and why not."""


@dataclass(frozen=True)
class Requirements:
    """What every engine must support; `control` is for engines without one of their own."""

    control: TimeControl
    chess960: bool = False
    setup: bool = False

    @classmethod
    def of(cls, rules: Rules, openings: Sequence[Opening]) -> "Requirements":
        """What games from these openings require."""
        setup = any(opening.fen != chess.STARTING_FEN for opening in openings)
        return cls(rules.time_control, rules.chess960, setup)


@dataclass(frozen=True)
class EngineFacts:
    """What an engine reports about itself."""

    name: str
    reported_name: str
    sets_up_positions: bool


def check_engines(engines: Sequence[EngineSpec], requirements: Requirements) -> list[EngineFacts]:
    """Starts every engine once; UnsuitableEngine for the first that fails or lacks a feature. Works
    also in a thread with a running event loop, as in a notebook."""

    async def check() -> list[EngineFacts]:
        return [await _facts(spec, requirements) for spec in engines]

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(check())
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(lambda: asyncio.run(check())).result()


async def _facts(spec: EngineSpec, requirements: Requirements) -> EngineFacts:
    try:
        engine = await EngineProcess.start(spec)
        try:
            lacking = await _missing_feature(engine, requirements)
        finally:
            await engine.close()
    except EngineFault as fault:
        raise UnsuitableEngine(f"{spec.name}: {fault.detail}") from None
    if lacking is not None:
        raise UnsuitableEngine(f"{spec.name} {lacking}")
    return EngineFacts(spec.name, engine.reported_name, engine.sets_up_positions)


async def _missing_feature(engine: EngineProcess, requirements: Requirements) -> str | None:
    """What the engine lacks, in words; None if nothing."""
    if requirements.chess960 and not engine.plays_chess960:
        return "does not play Chess960"
    if requirements.setup and not engine.sets_up_positions:
        return (
            "cannot set up positions: take a PGN book of games from the start, or add one for it"
            " with --move-book"
        )
    control = engine.spec.time_control or requirements.control
    if not await engine.accepts(control):
        return f"cannot be limited by {control.limit}"
    return None
