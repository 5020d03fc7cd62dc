# SPDX-License-Identifier: GPL-3.0-or-later
"""UCI and XBoard as python-chess implements them, and what a match needs besides: a clock that is
read the moment a line is sent or arrives, a filter that drops unneeded lines before they are
parsed, and a check for error messages."""

import difflib
import time
from collections.abc import Mapping, Sequence

import chess.engine

from kingcobra.arena.engines.answers import SearchInfo, parse_info
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
"""Ten hours for a game. Some engines keep a clock even where only a depth limits them: without
this, Fairy-Max assumes that its time is over, others assume five minutes. It must come before the
depth, since Phalanx obeys the later of the two."""
MOVETIME_WORD = "st"
REFUSED_RESULT = b"Error (unknown command): result"
"""What an engine says that does not want to hear how a game ended, perhaps when the next one has
begun. python-chess would take it for a complaint about the move."""
FEATURE_TIMEOUT_S = 20.0
SWITCHES = ("true", "false")


class OptionError(chess.engine.EngineError):
    """An option that the engine does not have, or a value that it does not take."""


class EngineProtocol(chess.engine.Protocol):
    """The times of the last `go` and of its answer, and the scores printed in between."""

    ANSWER: bytes
    """The first word of the line that has the move."""
    ERROR_WORDS: tuple[bytes, ...]
    """Words of a line that rejects a command."""
    OPTION_ERROR_WORDS: tuple[bytes, ...]
    """Words of a line that says why an option keeps its value."""

    def __init__(self) -> None:
        super().__init__()
        self.asked_at = 0.0
        self.answered_at: float | None = None
        self.exact_line = b""
        self.bound_line = b""
        self.stderr_tail = b""
        self._partial = b""
        self._error_words: tuple[bytes, ...] = ()
        self._first_error = b""

    def watch_for_errors(self, words: tuple[bytes, ...]) -> None:
        """From now on the first line with one of these words is kept as an error."""
        self._error_words, self._first_error = words, b""

    async def reported_error(self) -> bytes:
        """Waits until the engine has processed all commands; its first error message since
        `watch_for_errors`, empty if none."""
        await self.ping()
        self._error_words = ()
        return self._first_error

    async def send_lines(self, lines: Sequence[str]) -> bytes:
        """The first error message in reply to the lines, empty if none."""
        self.watch_for_errors(self.ERROR_WORDS)
        for line in lines:
            self.send_line(line)
        return await self.reported_error()

    async def set_listed(self, options: Mapping[str, str]) -> None:
        """Sets options that the engine lists. OptionError for an option that is not listed, a value
        of the wrong type, and an error message of the engine: with a network that it did not find
        it would play without one."""
        for name, value in options.items():
            checked = self._checked(name, value)
            self.watch_for_errors(self.OPTION_ERROR_WORDS)
            try:
                await self.configure({name: checked})
            except chess.engine.EngineTerminatedError:
                raise
            except chess.engine.EngineError as error:
                raise OptionError(f"option {name}={value}: {error}") from None
            self._require_no_error(await self.reported_error())

    def _checked(self, name: str, value: str) -> str:
        """The value as python-chess expects it: it would read `off`, `0` and `False` as true."""
        if name not in self.options:
            listed = sorted(self.options)
            near = difflib.get_close_matches(name, listed)
            hint = f"did you mean {' or '.join(near)}?" if near else f"it has {', '.join(listed)}"
            raise OptionError(f"has no option {name}; {hint}")
        if self.options[name].type != "check":
            return value
        if value.lower() not in SWITCHES:
            raise OptionError(f"option {name}={value}: expected true or false")
        return value.lower()

    def _require_no_error(self, error: bytes) -> None:
        if error:
            raise OptionError(error.decode(errors="replace").strip())

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
            self.stderr_tail = (self.stderr_tail + raw)[-STDERR_KEPT:]
            return
        *lines, self._partial = (self._partial + raw).split(LINE_BREAK)
        if len(self._partial) > LONGEST_LINE:
            self._partial = b""
        wanted = [line for line in lines if not self._is_error(line) and self._is_relevant(line)]
        if self.answered_at is None and any(_first_word(line) == self.ANSWER for line in wanted):
            self.answered_at = arrived
        if wanted:
            clean = [
                self._adapted(line).decode(errors="replace").encode() + LINE_BREAK
                for line in wanted
            ]
            super().pipe_data_received(fd, b"".join(clean))

    def _is_error(self, line: bytes) -> bool:
        is_refusal = any(word in line for word in self._error_words)
        if is_refusal:
            self._first_error = self._first_error or line
        return is_refusal

    def _is_relevant(self, line: bytes) -> bool:
        """Whether python-chess needs the line. Lines with scores are kept here instead."""
        raise NotImplementedError

    def _adapted(self, line: bytes) -> bytes:
        """The line as python-chess gets it."""
        return line

    def search_info(self) -> SearchInfo:
        """The last score printed since `go`."""
        return parse_info((self.exact_line or self.bound_line).decode(errors="replace"))


class UciProtocol(EngineProtocol, chess.engine.UciProtocol):
    ANSWER = b"bestmove"
    ERROR_WORDS = (b"option",)
    OPTION_ERROR_WORDS = (b"info string error",)
    """How Kingcobra's error messages begin."""

    async def set_unlisted(self, options: Mapping[str, str]) -> None:
        """Sets options that the engine has but does not list, which python-chess refuses to do.
        OptionError if the reply mentions an option."""
        self._require_no_error(
            await self.send_lines(
                [f"setoption name {name} value {value}" for name, value in options.items()]
            )
        )

    def _is_relevant(self, line: bytes) -> bool:
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
    ERROR_WORDS = (b"Illegal move", b"Error", b"unknown command")
    OPTION_ERROR_WORDS = ERROR_WORDS

    def __init__(self) -> None:
        super().__init__()
        self.sets_up_positions = False
        self._depth_word = DEPTH_WORDS[0]

    async def initialize(self) -> None:
        """python-chess waits two seconds for an engine's features, and on a busy machine some have
        not even started by then. It also rejects engines without `setboard`, which can still play
        from the starting position."""
        last_call = self.loop.call_later(FEATURE_TIMEOUT_S, self._inject, b"feature done=1")
        self.loop.call_soon(self._inject, b"feature done=0 " + SETBOARD)
        try:
            await super().initialize()
        finally:
            last_call.cancel()

    def _inject(self, line: bytes) -> None:
        """Hands a line to python-chess as if the engine had printed it."""
        chess.engine.Protocol.pipe_data_received(self, STDOUT, line + LINE_BREAK)

    async def accepts(self, control: TimeControl) -> bool:
        """Whether the engine supports this limit. No feature says which word for a depth it knows,
        so both are tried, and the one that works is used from now on. Times for a move are in whole
        seconds: many engines cannot read fractions."""
        if control.nodes is not None:
            return bool(self.features.get("nps", True)) and not await self.send_lines(["nps 0"])
        if control.movetime_s is not None:
            return control.movetime_s.is_integer()
        if control.depth is None:
            return True
        for word in DEPTH_WORDS:
            self._depth_word = word
            if not await self.send_lines([f"{DEPTH_WORDS[0]} {control.depth}"]):
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

    def _is_relevant(self, line: bytes) -> bool:
        stripped = line.strip()
        return bool(stripped) and not stripped.startswith((b"#", REFUSED_RESULT))

    def _adapted(self, line: bytes) -> bytes:
        """python-chess always reads `setboard=1`; the engine's own value is `sets_up_positions`."""
        if not line.startswith(b"feature "):
            return line
        if SETBOARD in line:
            self.sets_up_positions = True
        return line.replace(NO_SETBOARD, SETBOARD)


def _first_word(line: bytes) -> bytes:
    return line.split(maxsplit=1)[0] if line.strip() else b""
