# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of games, one game at a time: a database needs no more memory than its largest game."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import NamedTuple, TextIO, cast

import chess.pgn

# Longer games are not games; nobody's memory should have to hold them.
MOST_GAME_CHARACTERS = 4 << 20
MOST_LINE_CHARACTERS = 1 << 20
BYTE_ORDER_MARK = "\ufeff".encode().decode("latin-1")


class GameText(NamedTuple):
    """A game as it stands in a file: its number there, the line it begins at, and its text. The
    text of a game that is too long is empty."""

    path: Path
    number: int
    line: int
    text: str

    @property
    def place(self) -> str:
        """Where it stands, for messages."""
        return f"{self.path}: game {self.number}, line {self.line}"


class _RecordingLines:
    """Lines of a file for python-chess, which are kept for the game they belong to."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._kept: list[str] = []
        self._size = 0
        self._ends_line = True
        self.read_lines = 0
        self.first_line = 1

    def readline(self) -> str:
        """The next line; one that is too long comes in pieces."""
        line = self._file.readline(MOST_LINE_CHARACTERS)
        if self._ends_line:
            self.read_lines += 1
            line = line.removeprefix(BYTE_ORDER_MARK)
        self._ends_line = line.endswith("\n")
        if not self._kept:
            if not line or line.isspace():
                return line
            self.first_line = self.read_lines
        self._size += len(line)
        if self._size <= MOST_GAME_CHARACTERS:
            self._kept.append(line)
        return line

    def take(self) -> str:
        """The text since the last call; empty if it was too long."""
        text = "".join(self._kept) if self._size <= MOST_GAME_CHARACTERS else ""
        self._kept, self._size = [], 0
        return text


def read_game_texts(path: Path) -> Iterator[GameText]:
    """The games of a PGN file, as python-chess tells them apart. May raise OSError."""
    is_wide = _is_utf_16(path)
    # One character for each byte, so that nothing is lost before the encoding is known.
    with path.open(encoding="utf-16" if is_wide else "latin-1", errors="replace") as file:
        lines = _RecordingLines(file)
        number = 0
        while chess.pgn.skip_game(cast(TextIO, lines)):
            number += 1
            text = lines.take()
            yield GameText(path, number, lines.first_line, text if is_wide else decoded(text))


def games_of_text(text: str) -> Iterator[str]:
    """The games of a text, as python-chess tells them apart; one that is too long is empty."""
    lines = _RecordingLines(StringIO(text.removeprefix("\ufeff")))
    while chess.pgn.skip_game(cast(TextIO, lines)):
        yield lines.take()


def _is_utf_16(path: Path) -> bool:
    """As PowerShell writes files; the mark at the beginning tells."""
    with path.open("rb") as file:
        return file.read(len(BOM_UTF16_LE)) in (BOM_UTF16_LE, BOM_UTF16_BE)


def decoded(text: str) -> str:
    """Bytes that came as Latin-1 characters: UTF-8 if they are that, else old Windows text."""
    data = text.encode("latin-1")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")
