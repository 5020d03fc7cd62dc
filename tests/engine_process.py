# SPDX-License-Identifier: GPL-3.0-or-later
"""An engine as a GUI sees it: a process, lines in, lines out."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO

from tests.processes import PATIENCE_S

# For tests that are about something else, and need its numbers or its speed without an object.
CLASSICAL = "setoption name Evaluation value classical"


class EngineProcess:
    """A running engine. Threads collect its output and its errors, so nothing ever blocks it."""

    def __init__(
        self,
        *arguments: str,
        environment: dict[str, str] | None = None,
        python=(),
        folder: Path | None = None,
    ):
        self.process = subprocess.Popen(
            [sys.executable, *python, "-m", "kingcobra", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | (environment or {}),
            cwd=folder,
        )
        self.output: list[str] = []
        self.errors: list[str] = []
        self._changed = threading.Condition()
        self._read_to = 0
        self._readers = [
            threading.Thread(target=self._collect, args=arguments, daemon=True)
            for arguments in (
                (self.process.stdout, self.output),
                (self.process.stderr, self.errors),
            )
        ]
        for reader in self._readers:
            reader.start()

    @property
    def pid(self) -> int:
        return self.process.pid

    def _collect(self, stream: IO[bytes], lines: list[str]) -> None:
        for raw in stream:
            with self._changed:
                lines.append(raw.decode().rstrip("\n"))
                self._changed.notify_all()
        with self._changed:
            self._changed.notify_all()

    def send(self, *lines: str | bytes) -> None:
        """Types lines; bytes go as they are."""
        for line in lines:
            self.process.stdin.write(line if isinstance(line, bytes) else line.encode() + b"\n")
        self.process.stdin.flush()

    def wait_for(self, text: str) -> list[str]:
        """The output since the last call, up to and with the first line that starts so."""
        return self._wait(self.output, lambda line: line.startswith(text), text)

    def wait_for_error(self, text: str) -> None:
        """Until a line of stderr contains the text."""
        with self._changed:
            found = self._changed.wait_for(
                lambda: any(text in line for line in self.errors), PATIENCE_S
            )
        assert found, f"{text!r} never came on stderr: {self.errors}"

    def _wait(self, lines: list[str], matches: Callable[[str], bool], wanted: str) -> list[str]:
        begin = end = self._read_to
        with self._changed:
            while True:
                while end < len(lines):
                    end += 1
                    if matches(lines[end - 1]):
                        self._read_to = end
                        return lines[begin:end]
                alive = self.process.poll() is None or self._readers[0].is_alive()
                assert alive, f"ended without {wanted!r}: {lines[begin:]} {self.errors}"
                assert self._changed.wait(PATIENCE_S), f"no {wanted!r}: {lines[begin:]}"

    def ask(self, *commands: str | bytes) -> list[str]:
        """The engine's output after the commands, without empty lines."""
        self.send(*commands, "isready")
        return [line for line in self.wait_for("readyok")[:-1] if line]

    def perft(self, depth: int) -> int:
        """The sum that `go perft` prints."""
        self.send(f"go perft {depth}")
        return int(self.wait_for("Nodes searched: ")[-1].split()[-1])

    def fen(self) -> str:
        """The position as `d` shows it."""
        return self.field("Fen")

    def field(self, name: str) -> str:
        """One of the lines below the board that `d` prints."""
        lines = [line for line in self.ask("d") if line.startswith(f"{name}:")]
        assert len(lines) == 1, lines
        return lines[0].removeprefix(f"{name}:").strip()

    def end(self) -> int:
        """Closes the input; the exit code once the engine has ended and all output is collected."""
        if not self.process.stdin.closed:
            self.process.stdin.close()
        return self.wait()

    def wait(self) -> int:
        """The exit code of an engine that ends by itself."""
        code = self.process.wait(PATIENCE_S)
        for reader in self._readers:
            reader.join(PATIENCE_S)
        return code

    def dispose(self) -> None:
        """Kills the engine if it still runs, and closes its streams."""
        if self.process.poll() is None:
            self.process.kill()
        self.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except BrokenPipeError:
                continue
