# SPDX-License-Identifier: GPL-3.0-or-later
"""Both protocols as python-chess speaks them, with what a match needs besides: a clock that is read
the moment a line leaves or arrives, a filter that makes chatter cheap, and an ear for refusals."""

import difflib
import time
from collections.abc import Mapping, Sequence

import chess.engine

from kingcobra.arena.engines.answers import Thought, parse_info
from kingcobra.arena.engines.time_control import TimeControl

STDOUT = 1
LONGEST_LINE = 1 << 20
STDERR_KEPT = 400
UCI_WORDS = (b"bestmove", b"readyok", b"uciok", b"id", b"option")
LINE_BREAK = b"\n"
SETBOARD, NO_SETBOARD = b"setboard=1", b"setboard=0"
DEPTH_WORDS = ("sd", "depth")
"""The protocol's word for a limit of depth, and what some engines call it."""
AMPLE_TIME = "level 0 600 0"
"""Ten hours for a game. Engines may have a clock of their own even where only a depth shall limit
them: Fairy-Max, told of none, thinks that its time is over, others that it is five minutes. Has to
come before the depth, since to Phalanx the later of the two is what holds."""
MOVETIME_WORD = "st"
FEATURE_TIMEOUT_S = 20.0
SWITCHES = ("true", "false")


class OptionRefused(chess.engine.EngineError):
    """An option that the engine does not have, or a value that it does not take."""


class EngineProtocol(chess.engine.Protocol):
    """When the last question was asked and answered, and what was said in between."""

    ANSWER: bytes
    """The first word of the line that has the move."""
    REFUSALS: tuple[bytes, ...]
    """Words of a line that speaks against what the engine was told last."""
    OPTION_REFUSALS: tuple[bytes, ...]
    """Words of a line that says why an option keeps the value before."""

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

    async def set_listed(self, options: Mapping[str, str]) -> None:
        """Sets options that the engine lists. OptionRefused where it does not, where the value is
        of the wrong kind, and where the engine says so: a match with a network that was not found
        would be one without it."""
        for name, value in options.items():
            checked = self._checked(name, value)
            self.heed(self.OPTION_REFUSALS)
            try:
                await self.configure({name: checked})
            except chess.engine.EngineTerminatedError:
                raise
            except chess.engine.EngineError as error:
                raise OptionRefused(f"option {name}={value}: {error}") from None
            self._require_obedience(await self.refusal())

    def _checked(self, name: str, value: str) -> str:
        """The value as python-chess takes it, which would read `off`, `0` and `False` as true."""
        if name not in self.options:
            listed = sorted(self.options)
            near = difflib.get_close_matches(name, listed)
            hint = f"did you mean {' or '.join(near)}?" if near else f"it has {', '.join(listed)}"
            raise OptionRefused(f"has no option {name}; {hint}")
        if self.options[name].type != "check":
            return value
        if value.lower() not in SWITCHES:
            raise OptionRefused(f"option {name}={value}: expected true or false")
        return value.lower()

    def _require_obedience(self, refusal: bytes) -> None:
        if refusal:
            raise OptionRefused(refusal.decode(errors="replace").strip())

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
        if self.answered_at is None and any(_first_word(line) == self.ANSWER for line in wanted):
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


class UciProtocol(EngineProtocol, chess.engine.UciProtocol):
    ANSWER = b"bestmove"
    REFUSALS = (b"option",)
    OPTION_REFUSALS = (b"info string error",)
    """As Kingcobra begins."""

    async def set_unlisted(self, options: Mapping[str, str]) -> None:
        """Sets options that the engine has but does not list, which python-chess refuses to.
        OptionRefused where the engine says anything about an option in reply."""
        self._require_obedience(
            await self.refusal_of(
                [f"setoption name {name} value {value}" for name, value in options.items()]
            )
        )

    def _wants(self, line: bytes) -> bool:
        if line.startswith(b"info "):
            is_best = b" multipv " not in line or b" multipv 1 " in line
            if b" score " in line and is_best and not line.startswith(b"info string"):
                if b" lowerbound" in line or b" upperbound" in line:
                    self.bound_line = line
                else:
                    self.exact_line = line
            return False
        return line.lstrip().startswith(UCI_WORDS)


class XBoardProtocol(EngineProtocol, chess.engine.XBoardProtocol):
    ANSWER = b"move"
    REFUSALS = (b"Illegal move", b"Error", b"unknown command")
    OPTION_REFUSALS = REFUSALS

    def __init__(self) -> None:
        super().__init__()
        self.sets_up_positions = False
        self._depth_word = DEPTH_WORDS[0]

    async def initialize(self) -> None:
        """python-chess takes an engine that has not told its features after two seconds for one
        without any, and on a busy machine some have not even started by then. It also refuses one
        without `setboard` outright, which from the starting position can play none the less."""
        last_call = self.loop.call_later(FEATURE_TIMEOUT_S, self._make_heard, b"feature done=1")
        self.loop.call_soon(self._make_heard, b"feature done=0 " + SETBOARD)
        try:
            await super().initialize()
        finally:
            last_call.cancel()

    def _make_heard(self, line: bytes) -> None:
        """As if the engine had said it."""
        chess.engine.Protocol.pipe_data_received(self, STDOUT, line + LINE_BREAK)

    async def accepts(self, control: TimeControl) -> bool:
        """Whether the engine can be limited so. No feature tells which word for a depth it knows,
        so that is tried out, and the word that worked is used from now on. Times for a move are in
        whole seconds: of half a one, many engines read nothing."""
        if control.nodes is not None:
            return bool(self.features.get("nps", True)) and not await self.refusal_of(["nps 0"])
        if control.movetime_s is not None:
            return control.movetime_s.is_integer()
        if control.depth is None:
            return True
        for word in DEPTH_WORDS:
            self._depth_word = word
            if not await self.refusal_of([f"{DEPTH_WORDS[0]} {control.depth}"]):
                return True
        return False

    def send_line(self, line: str) -> None:
        word, separator, value = line.partition(" ")
        if word == DEPTH_WORDS[0] and separator:
            super().send_line(AMPLE_TIME)
            line = f"{self._depth_word} {value}"
        elif word == MOVETIME_WORD:
            line = f"{MOVETIME_WORD} {float(value):.0f}"
        super().send_line(line)

    def _wants(self, line: bytes) -> bool:
        return bool(line.strip()) and not line.startswith(b"#")

    def _translated(self, line: bytes) -> bytes:
        """`sets_up_positions` keeps what the engine says about that, since python-chess has been
        told otherwise."""
        if not line.startswith(b"feature "):
            return line
        if SETBOARD in line:
            self.sets_up_positions = True
        return line.replace(NO_SETBOARD, SETBOARD)


def _first_word(line: bytes) -> bytes:
    return line.split(maxsplit=1)[0] if line.strip() else b""
