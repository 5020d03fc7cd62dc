# SPDX-License-Identifier: GPL-3.0-or-later
"""An engine's process and the talk with it. python-chess speaks the protocols; this room adds a
clock that is read the moment a line leaves or arrives, and a filter that makes chatter cheap."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import chess
import chess.engine

from kingcobra.arena.answers import Answer, EngineFault, Fault, Thought, parse_info
from kingcobra.arena.engine_spec import EngineSpec
from kingcobra.arena.time_control import TimeControl
from kingcobra.search.tunables import TUNABLES

START_PATIENCE_S = 120.0
"""For `uci`/`xboard`, options and `isready`; a first start may have to compile something."""
STOP_PATIENCE_S = 5.0
"""How long an engine that is over its time may take to obey `stop` before it counts as hung."""
QUIT_PATIENCE_S = 2.0
TIMER_SLACK_S = 0.05
"""Waited beyond the time allowed, so that the verdict is the clock's, not the timer's."""

STDOUT = 1
LONGEST_LINE = 1 << 20
STDERR_KEPT = 400
UCI_WORDS = (b"bestmove", b"readyok", b"uciok", b"id", b"option")
LINE_BREAK = b"\n"
NO_SETBOARD = b"setboard=0"
DEPTH_WORDS = ("sd", "depth")
"""The protocol's word for a limit of depth, and what some engines call it."""
TUNABLE_NAMES = frozenset(tunable.name for tunable in TUNABLES)
"""Options that Kingcobra has but does not list."""


class _Watched(chess.engine.Protocol):
    """When the last question was asked and answered, and what was said in between."""

    ANSWER: bytes
    REFUSALS: tuple[bytes, ...]
    """Words of a line that speaks against what the engine was told last."""

    def __init__(self) -> None:
        super().__init__()
        self.asked_at = 0.0
        self.answered_at: float | None = None
        self.exact_line = b""
        self.bound_line = b""
        self.complaint = b""
        self._partial = b""
        self._heeded: tuple[bytes, ...] = ()
        self._refusal = b""

    def heed(self, words: tuple[bytes, ...]) -> None:
        """From now on a line with one of these words speaks against what the engine was told."""
        self._heeded, self._refusal = words, b""

    async def refusal(self) -> bytes:
        """Waits until the engine has obeyed; the first line that it said against that since
        `heed`, empty if none."""
        await self.ping()
        self._heeded = ()
        return self._refusal

    async def refusal_of(self, lines: Sequence[str]) -> bytes:
        """Sends the lines; what the engine said against them, empty if nothing."""
        self.heed(self.REFUSALS)
        for line in lines:
            self.send_line(line)
        return await self.refusal()

    def send_line(self, line: str) -> None:
        if line == "go" or line.startswith("go "):
            self.answered_at = None
            self.exact_line = self.bound_line = b""
            self.asked_at = time.perf_counter()
        super().send_line(line)

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        arrived = time.perf_counter()
        raw = data if isinstance(data, bytes) else data.encode()
        if fd != STDOUT:
            self.complaint = (self.complaint + raw)[-STDERR_KEPT:]
            return
        *lines, self._partial = (self._partial + raw).split(LINE_BREAK)
        if len(self._partial) > LONGEST_LINE:
            self._partial = b""
        wanted = [line for line in lines if not self._is_refusal(line) and self._wants(line)]
        if self.answered_at is None and any(line.startswith(self.ANSWER) for line in wanted):
            self.answered_at = arrived
        if wanted:
            clean = [
                self._translated(line).decode(errors="replace").encode() + LINE_BREAK
                for line in wanted
            ]
            super().pipe_data_received(fd, b"".join(clean))

    def _is_refusal(self, line: bytes) -> bool:
        is_refusal = any(word in line for word in self._heeded)
        if is_refusal:
            self._refusal = self._refusal or line
        return is_refusal

    def _wants(self, line: bytes) -> bool:
        """Whether python-chess shall see the line. May keep it for itself."""
        raise NotImplementedError

    def _translated(self, line: bytes) -> bytes:
        """The line as python-chess shall see it."""
        return line

    def thought(self) -> Thought:
        """What the engine said since the last `go`."""
        return parse_info((self.exact_line or self.bound_line).decode(errors="replace"))


class _WatchedUci(_Watched, chess.engine.UciProtocol):
    ANSWER = b"bestmove"
    REFUSALS = (b"option",)
    ERRORS = (b"info string error",)
    """How Kingcobra begins to say why it keeps the value before."""

    async def set_listed(self, options: Mapping[str, str]) -> None:
        """Sets options as python-chess does. EngineError also where the engine calls one an error:
        a match with a network that was not found would be one without it."""
        self.heed(self.ERRORS)
        await self.configure(options)
        self._require_obedience(await self.refusal())

    async def set_unlisted(self, options: Mapping[str, str]) -> None:
        """Sets options that the engine has but does not list, which python-chess refuses to.
        EngineError where the engine says anything about an option in reply."""
        self._require_obedience(
            await self.refusal_of(
                [f"setoption name {name} value {value}" for name, value in options.items()]
            )
        )

    def _require_obedience(self, refusal: bytes) -> None:
        if refusal:
            raise chess.engine.EngineError(refusal.decode(errors="replace").strip())

    def _wants(self, line: bytes) -> bool:
        if line.startswith(b"info "):
            if b" score " in line and (b" multipv " not in line or b" multipv 1 " in line):
                if b" lowerbound" in line or b" upperbound" in line:
                    self.bound_line = line
                else:
                    self.exact_line = line
            return False
        return line.lstrip().startswith(UCI_WORDS)


class _WatchedXBoard(_Watched, chess.engine.XBoardProtocol):
    ANSWER = b"move "
    REFUSALS = (b"Illegal move", b"Error", b"unknown command")

    def __init__(self) -> None:
        super().__init__()
        self.sets_up_positions = True
        self._depth_word = DEPTH_WORDS[0]

    async def accepts(self, control: TimeControl) -> bool:
        """Whether the engine can be limited so. No feature tells which word for a depth it knows,
        so that is tried out, and the word that worked is used from now on."""
        if control.nodes is not None:
            return bool(self.features.get("nps", True)) and not await self.refusal_of(["nps 0"])
        if control.depth is None:
            return True
        for word in DEPTH_WORDS:
            self._depth_word = word
            if not await self.refusal_of([f"{DEPTH_WORDS[0]} {control.depth}"]):
                return True
        return False

    def send_line(self, line: str) -> None:
        word, separator, depth = line.partition(" ")
        if word == DEPTH_WORDS[0] and separator:
            line = f"{self._depth_word} {depth}"
        super().send_line(line)

    def _wants(self, line: bytes) -> bool:
        return bool(line.strip()) and not line.startswith(b"#")

    def _translated(self, line: bytes) -> bytes:
        """python-chess refuses an engine without `setboard` outright. From the starting position
        it can play none the less, and `sets_up_positions` says that it can only that."""
        if line.startswith(b"feature ") and NO_SETBOARD in line:
            self.sets_up_positions = False
            return line.replace(NO_SETBOARD, b"setboard=1")
        return line


class EngineProcess:
    """A running engine. Every method but close raises EngineFault when the engine fails."""

    def __init__(
        self, spec: EngineSpec, transport: Any, protocol: _Watched, stop_patience_s: float
    ) -> None:
        self.spec = spec
        self._stop_patience_s = stop_patience_s
        self._is_hung = False
        self._transport = transport
        self._protocol = protocol

    @classmethod
    async def start(
        cls, spec: EngineSpec, stop_patience_s: float = STOP_PATIENCE_S
    ) -> "EngineProcess":
        """Ready to play, its options set. An unknown option or a missing program is a fault."""
        logging.getLogger("chess.engine").setLevel(logging.CRITICAL)
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)
        kind = _WatchedUci if spec.protocol == "uci" else _WatchedXBoard
        try:
            transport, protocol = await kind.popen(
                list(spec.command), setpgrp=True, cwd=spec.directory
            )
        except OSError as error:
            raise EngineFault(Fault.CRASH, f"{spec.name} does not start: {error}") from None
        engine = cls(spec, transport, protocol, stop_patience_s)
        try:
            await asyncio.wait_for(engine._prepare(), START_PATIENCE_S)
        except TimeoutError:
            await engine.close()
            raise EngineFault(
                Fault.HANG, f"{spec.name} was not ready in {START_PATIENCE_S:.0f} s"
            ) from None
        except chess.engine.EngineError as error:
            await engine.close()
            raise EngineFault(Fault.CRASH, f"{spec.name}: {error}{engine._last_words()}") from None
        return engine

    async def _prepare(self) -> None:
        await self._protocol.initialize()
        await self._configure()
        await self._protocol.ping()

    async def _configure(self) -> None:
        protocol, options = self._protocol, self.spec.options
        if not isinstance(protocol, _WatchedUci):
            await protocol.configure(options)
            return
        unlisted = TUNABLE_NAMES.difference(protocol.options)
        await protocol.set_listed(
            {name: value for name, value in options.items() if name not in unlisted}
        )
        hidden = {name: value for name, value in options.items() if name in unlisted}
        if hidden:
            await protocol.set_unlisted(hidden)

    async def accepts(self, control: TimeControl) -> bool:
        """Whether the engine can be limited so; to be asked once before the first move. Any UCI
        engine is taken at its word."""
        if not isinstance(self._protocol, _WatchedXBoard):
            return True
        try:
            return await asyncio.wait_for(self._protocol.accepts(control), START_PATIENCE_S)
        except TimeoutError:
            self._is_hung = True
            raise EngineFault(Fault.HANG, "no answer to ping") from None
        except chess.engine.EngineError as error:
            raise EngineFault(Fault.CRASH, f"{error}{self._last_words()}") from None

    def can_become(self, spec: EngineSpec) -> bool:
        """Whether nothing but values of the same options differs."""
        same_names = self.spec.options.keys() == spec.options.keys()
        return same_names and replace(self.spec, options=spec.options) == spec

    async def become(self, spec: EngineSpec) -> None:
        """Takes over the values of that description, which `can_become` has approved of."""
        self.spec = spec
        try:
            await asyncio.wait_for(self._configure(), START_PATIENCE_S)
        except TimeoutError:
            self._is_hung = True
            raise EngineFault(Fault.HANG, "no answer to setoption") from None
        except chess.engine.EngineError as error:
            raise EngineFault(Fault.CRASH, f"{error}{self._last_words()}") from None

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
        patience_s: float,
        first_move: bool,
    ) -> Answer:
        """The engine's move, legal or None, and when it came. `patience_s` after `go` the engine
        is stopped: then a time loss if it obeys, else a hang. On the first move of a game the
        engine may besides take its time to get ready, which is not on the clock."""
        info = chess.engine.INFO_NONE if self.spec.protocol == "uci" else chess.engine.INFO_SCORE
        patience_s += TIMER_SLACK_S + (START_PATIENCE_S if first_move else 0)
        try:
            result = await asyncio.wait_for(
                self._protocol.play(board, limit, game=game, info=info), patience_s
            )
        except TimeoutError:
            raise await self._overdue(patience_s) from None
        except chess.engine.EngineTerminatedError as error:
            raise EngineFault(Fault.CRASH, f"{error}{self._last_words()}") from None
        except chess.engine.EngineError as error:
            raise EngineFault(Fault.ILLEGAL, str(error)) from None
        answered_at = self._protocol.answered_at or time.perf_counter()
        thought = self._protocol.thought() if info == 0 else _thought_of(result.info)
        seconds = answered_at - self._protocol.asked_at
        return Answer(result.move, seconds, thought, result.resigned)

    async def _overdue(self, patience_s: float) -> EngineFault:
        try:
            await asyncio.wait_for(self._protocol.ping(), self._stop_patience_s)
        except TimeoutError:
            self._is_hung = True
            return EngineFault(Fault.HANG, f"no move and no word, {patience_s:.1f} s after go")
        except chess.engine.EngineError as error:
            return EngineFault(Fault.CRASH, f"{error}{self._last_words()}")
        return EngineFault(Fault.TIME, f"no move within {patience_s:.2f} s")

    async def end_game(self, board: chess.Board) -> None:
        """Tells an XBoard engine that the game is over; UCI has no word for it."""
        with contextlib.suppress(TimeoutError, chess.engine.EngineError, ValueError):
            await asyncio.wait_for(self._protocol.send_game_result(board), self._stop_patience_s)

    def _last_words(self) -> str:
        lines = self._protocol.complaint.decode(errors="replace").strip().splitlines()
        return f" ({lines[-1].strip()})" if lines else ""

    async def close(self) -> None:
        """Asks the process to leave, and kills it if it does not or is hung. Never raises."""
        if not self._is_hung:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(self._protocol.quit(), QUIT_PATIENCE_S)
        if self._transport.get_returncode() is None:
            with contextlib.suppress(ProcessLookupError):
                self._transport.kill()
            with contextlib.suppress(Exception):
                await asyncio.wait_for(asyncio.shield(self._protocol.returncode), QUIT_PATIENCE_S)
        self._transport.close()


def _thought_of(info: chess.engine.InfoDict) -> Thought:
    score = info.get("score")
    return Thought(
        cp=score.relative.score() if score else None,
        mate=score.relative.mate() if score else None,
        depth=info.get("depth"),
        nodes=info.get("nodes"),
    )
