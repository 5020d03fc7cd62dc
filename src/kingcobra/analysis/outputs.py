# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that a run writes, game by game: PGN and lines of JSON. A file has its name only when it is
complete."""

import json
import os
from pathlib import Path
from typing import IO, Any, Protocol

from kingcobra.analysis.ordered_run import FinishedGame
from kingcobra.analysis.records import AnnotatedGame

PART_SUFFIX = ".part"


class Output(Protocol):
    """Something that games are written to, in their order."""

    def add(self, number: int, finished: FinishedGame, record: AnnotatedGame | None) -> None:
        """The next game and its number in the run; without a record it is broken."""

    def finish(self) -> None:
        """All games are there."""

    def abandon(self) -> None:
        """No more games will come; what there is is not kept."""


def part_of(path: Path) -> Path:
    """Where a file is written before it is complete."""
    return path.with_name(path.name + PART_SUFFIX)


class TextFile:
    """A text file that appears when it is complete."""

    def __init__(self, path: Path) -> None:
        """May raise OSError."""
        self.path = path
        self._part = part_of(path)
        self.file: IO[str] = self._part.open("w", encoding="utf-8", newline="")

    def finish(self) -> None:
        """Gives the file its name, once its bytes are on the disk."""
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()
        self._part.replace(self.path)

    def abandon(self) -> None:
        """Removes it."""
        self.file.close()
        self._part.unlink(missing_ok=True)


class PgnOutput:
    """The annotated games; broken ones are left out."""

    def __init__(self, path: Path | None, stream: IO[str]) -> None:
        """Without a path, games go to the stream as they come."""
        self._text = TextFile(path) if path else None
        self._file = self._text.file if self._text else stream

    def add(self, _number: int, _finished: FinishedGame, record: AnnotatedGame | None) -> None:
        if record is not None:
            self._file.write(encodable(record.pgn) + "\n")

    def finish(self) -> None:
        if self._text:
            self._text.finish()
        else:
            self._file.flush()

    def abandon(self) -> None:
        if self._text:
            self._text.abandon()


class JsonOutput:
    """A line of JSON for each game; a broken game has its error there."""

    def __init__(self, path: Path) -> None:
        self._text = TextFile(path)

    def add(self, number: int, finished: FinishedGame, record: AnnotatedGame | None) -> None:
        game, outcome = finished
        about: dict[str, Any] = {"game": number, "file": game.path.name, "line": game.line}
        if record is None:
            about["error"] = outcome.error
        else:
            about |= record.as_json()
        self._text.file.write(encodable(json.dumps(about, ensure_ascii=False)) + "\n")

    def finish(self) -> None:
        self._text.finish()

    def abandon(self) -> None:
        self._text.abandon()


def encodable(text: str) -> str:
    """Text that UTF-8 can write: what is no character becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")
