# SPDX-License-Identifier: GPL-3.0-or-later
"""An engine's process, from its start to its end.

Timeouts use asyncio.timeout: before Python 3.12 asyncio.wait_for loses a cancellation that comes in
the same moment as the result, and a worker that was told to stop would play on."""

import asyncio
import contextlib
import logging
import os
import signal
import time
from collections.abc import Awaitable, Mapping
from dataclasses import replace
from typing import Any

import chess
import chess.engine

from kingcobra.arena.engines.answers import Answer, EngineFault, Fault, SearchInfo
from kingcobra.arena.engines.engine_spec import EngineSpec
from kingcobra.arena.engines.protocols import (
    EngineProtocol,
    OptionError,
    UciProtocol,
    XBoardProtocol,
)
from kingcobra.arena.engines.time_control import TimeControl
from kingcobra.core.search.tunables import TUNABLES
from kingcobra.errors import line_of

GREETING_TIMEOUT_S = 60.0
"""For the answer to `uci` or `xboard`, which needs no work."""
START_TIMEOUT_S = 120.0
"""For options and `isready`; a first start may have to compile something."""
STOP_TIMEOUT_S = 5.0
"""For an engine that is over its time to obey `stop`; after that it counts as hung."""
QUIT_TIMEOUT_S = 2.0
TIMER_SLACK_S = 0.05
"""Added to the time allowed, so that the clock decides about time losses, not the timer."""

TUNABLE_NAMES = frozenset(tunable.name for tunable in TUNABLES)
"""Options that Kingcobra has but does not list."""


class EngineProcess:
    """A running engine. Every method but close raises EngineFault when the engine fails."""

    def __init__(
        self, spec: EngineSpec, transport: Any, protocol: EngineProtocol, stop_timeout_s: float
    ) -> None:
        self.spec = spec
        self._stop_timeout_s = stop_timeout_s
        self._is_hung = False
        self._transport = transport
        self._protocol = protocol

    @classmethod
    async def start(
        cls, spec: EngineSpec, stop_timeout_s: float = STOP_TIMEOUT_S
    ) -> "EngineProcess":
        """Ready to play, its options set. An unknown option or a missing program is a fault."""
        logging.getLogger("chess.engine").setLevel(logging.CRITICAL)
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)
        kind = UciProtocol if spec.protocol == "uci" else XBoardProtocol
        try:
            transport, protocol = await kind.popen(
                list(spec.command), setpgrp=True, cwd=spec.directory
            )
        except OSError as error:
            raise EngineFault(Fault.CRASH, f"does not start: {line_of(error)}") from None
        engine = cls(spec, transport, protocol, stop_timeout_s)
        try:
            await engine._prepare()
        except BaseException:
            # Also if the start was cancelled: nothing else knows this process.
            await engine.close()
            raise
        return engine

    async def _prepare(self) -> None:
        late = f"does not speak {self.spec.protocol}: no answer in {GREETING_TIMEOUT_S:.0f} s"
        try:
            async with asyncio.timeout(GREETING_TIMEOUT_S):
                await self._protocol.initialize()
            late = f"was not ready in {START_TIMEOUT_S:.0f} s"
            async with asyncio.timeout(START_TIMEOUT_S):
                await self._configure(self.spec.options)
                await self._protocol.ping()
        except TimeoutError:
            self._is_hung = True
            raise EngineFault(Fault.HANG, f"{late}{self._stderr_text()}") from None
        except OptionError as error:
            raise EngineFault(Fault.CRASH, str(error)) from None
        except chess.engine.EngineError as error:
            detail = f"does not start: {error}{self._stderr_text()}"
            raise EngineFault(Fault.CRASH, detail) from None

    async def _configure(self, options: Mapping[str, str]) -> None:
        protocol = self._protocol
        if not isinstance(protocol, UciProtocol):
            await protocol.set_listed(options)
            return
        unlisted = TUNABLE_NAMES.difference(protocol.options)
        await protocol.set_listed(
            {name: value for name, value in options.items() if name not in unlisted}
        )
        hidden = {name: value for name, value in options.items() if name in unlisted}
        if hidden:
            await protocol.set_unlisted(hidden)

    async def accepts(self, control: TimeControl) -> bool:
        """Whether the engine supports this limit; to be called once before the first move. UCI
        engines are assumed to support all."""
        if not isinstance(self._protocol, XBoardProtocol):
            return True
        try:
            async with asyncio.timeout(START_TIMEOUT_S):
                return await self._protocol.accepts(control)
        except TimeoutError:
            self._is_hung = True
            raise EngineFault(Fault.HANG, "no answer to ping") from None
        except chess.engine.EngineError as error:
            raise EngineFault(Fault.CRASH, f"{error}{self._stderr_text()}") from None

    def can_reconfigure(self, spec: EngineSpec) -> bool:
        """Whether only values of the same options differ."""
        same_names = self.spec.options.keys() == spec.options.keys()
        return same_names and replace(self.spec, options=spec.options) == spec

    async def reconfigure(self, spec: EngineSpec) -> None:
        """Sets the options of a description for which `can_reconfigure` is true."""
        before, self.spec = self.spec.options, spec
        changed = {
            name: value
            for name, value in spec.options.items()
            if name in TUNABLE_NAMES or value != before[name]
        }
        try:
            async with asyncio.timeout(START_TIMEOUT_S):
                await self._configure(changed)
        except TimeoutError:
            self._is_hung = True
            raise EngineFault(Fault.HANG, "no answer to setoption") from None
        except chess.engine.EngineError as error:
            raise EngineFault(Fault.CRASH, f"{error}{self._stderr_text()}") from None

    @property
    def reported_name(self) -> str:
        return self._protocol.id.get("name", self.spec.name)

    @property
    def plays_chess960(self) -> bool:
        if isinstance(self._protocol, chess.engine.XBoardProtocol):
            return "fischerandom" in str(self._protocol.features.get("variants", ""))
        return "UCI_Chess960" in self._protocol.options

    @property
    def sets_up_positions(self) -> bool:
        """Whether a game may start elsewhere than in the starting position."""
        return getattr(self._protocol, "sets_up_positions", True)

    async def play(
        self,
        board: chess.Board,
        limit: chess.engine.Limit,
        game: object,
        timeout_s: float,
        first_move: bool,
    ) -> Answer:
        """The engine's move, legal or None, and how long it took. `timeout_s` after `go` the engine
        is stopped: a time loss if it obeys, else a hang. Before the first move of a game it also
        has time to get ready, which is not on the clock."""
        info = chess.engine.INFO_NONE if self.spec.protocol == "uci" else chess.engine.INFO_SCORE
        timeout_s += TIMER_SLACK_S + (START_TIMEOUT_S if first_move else 0)
        try:
            async with asyncio.timeout(timeout_s):
                result = await self._protocol.play(board, limit, game=game, info=info)
        except TimeoutError:
            raise await self._overdue_fault(timeout_s) from None
        except chess.engine.EngineTerminatedError as error:
            raise EngineFault(Fault.CRASH, f"{error}{self._stderr_text()}") from None
        except chess.engine.EngineError as error:
            raise EngineFault(Fault.ILLEGAL, str(error)) from None
        answered_at = self._protocol.answered_at or time.perf_counter()
        search_info = self._protocol.search_info() if info == 0 else _search_info_of(result.info)
        seconds = answered_at - self._protocol.asked_at
        return Answer(result.move, seconds, search_info, result.resigned)

    async def _overdue_fault(self, timeout_s: float) -> EngineFault:
        try:
            async with asyncio.timeout(self._stop_timeout_s):
                await self._protocol.ping()
        except TimeoutError:
            self._is_hung = True
            return EngineFault(Fault.HANG, f"no move and no answer, {timeout_s:.1f} s after go")
        except chess.engine.EngineError as error:
            return EngineFault(Fault.CRASH, f"{error}{self._stderr_text()}")
        return EngineFault(Fault.TIME, f"no move within {timeout_s:.2f} s")

    async def end_game(self, board: chess.Board, winner: chess.Color | None, reason: str) -> None:
        """Sends the result to an XBoard engine; UCI has no command for it."""
        with contextlib.suppress(TimeoutError, chess.engine.EngineError, ValueError):
            async with asyncio.timeout(self._stop_timeout_s):
                await self._protocol.send_game_result(board, winner, reason)

    def _stderr_text(self) -> str:
        lines = self._protocol.stderr_tail.decode(errors="replace").strip().splitlines()
        return f" ({lines[-1].strip()})" if lines else ""

    async def close(self) -> None:
        """Sends `quit`, and kills the process if it does not end or is hung. Raises nothing but a
        cancellation of its own, which kills the process at once."""
        try:
            if not self._is_hung:
                await self._wait_for_end(self._protocol.quit())
            if self._transport.get_returncode() is None:
                self._kill()
                await self._wait_for_end(asyncio.shield(self._protocol.returncode))
        finally:
            if self._transport.get_returncode() is None:
                self._kill()
            self._transport.close()

    async def _wait_for_end(self, end: Awaitable[object]) -> None:
        with contextlib.suppress(Exception):
            async with asyncio.timeout(QUIT_TIMEOUT_S):
                await end

    def _kill(self) -> None:
        """The process and its children: the command may be a script that starts the engine, and
        the two share a process group."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._transport.get_pid(), signal.SIGKILL)
            else:
                self._transport.kill()


def _search_info_of(info: chess.engine.InfoDict) -> SearchInfo:
    score = info.get("score")
    return SearchInfo(
        cp=score.relative.score() if score else None,
        mate=score.relative.mate() if score else None,
        depth=info.get("depth"),
        nodes=info.get("nodes"),
    )
