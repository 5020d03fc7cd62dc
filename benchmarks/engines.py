# SPDX-License-Identifier: GPL-3.0-or-later
"""A UCI engine as a child process, and where to find the peer."""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from kingcobra.errors import reason_of

KINGCOBRA = (sys.executable, "-m", "kingcobra")
PEER = "stockfish"
PEER_IS_MISSING = "no stockfish found; on Debian: apt install stockfish"
# Debian installs games in folders that are not on every PATH.
GAMES_FOLDERS = ("/usr/games", "/usr/local/games")
PERFT_RESULT = "Nodes searched: "


class EngineFailed(Exception):
    """The engine did not answer as expected; the message has the command."""


def find_peer() -> str | None:
    """The path of the peer's program; None where it is not installed."""
    found = shutil.which(PEER)
    for folder in GAMES_FOLDERS:
        found = found or shutil.which(PEER, path=folder)
    return found


class Engine:
    """A running engine. Leaving the `with` block ends it."""

    def __init__(self, command: Sequence[str | Path]) -> None:
        self._command = command
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def __enter__(self) -> "Engine":
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.communicate()

    def request(self, commands: str, answer: str) -> str:
        """Sends commands and reads until a line begins with the answer; returns that line."""
        return self.request_lines(commands, answer)[-1]

    def request_lines(self, commands: str, answer: str) -> list[str]:
        """Like `request`, but returns all lines."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(commands.encode() + b"\n")
            self.process.stdin.flush()
        except OSError as error:
            raise EngineFailed(f"{self._command}: {reason_of(error)} at {commands!r}") from error
        lines = []
        for line in self.process.stdout:
            lines.append(line.decode().strip())
            if lines[-1].startswith(answer):
                return lines
        raise EngineFailed(f"{self._command}: ended at {commands!r}, expected {answer!r}")

    def perft(self, depth: int) -> int:
        """Leaves below the position that was set last."""
        line = self.request(f"go perft {depth}", PERFT_RESULT)
        return int(line.removeprefix(PERFT_RESULT))
