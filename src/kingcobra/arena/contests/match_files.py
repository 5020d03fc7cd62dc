# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of a match: a PGN, and beside it a state file from which the match can be resumed.

Each line of the state file is a JSON object: first the settings, then every finished game with the
length of the PGN after it. Lines that a killed match wrote in part are cut off on resuming."""

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from kingcobra.arena.games.game_record import GameRecord
from kingcobra.kernel.host import try_lock

STATE_SUFFIX = ".state"
ERRORS_SUFFIX = ".errors"
PGN_LENGTH = "pgn_bytes"


class StateError(ValueError):
    """Files with which the match cannot begin or continue."""


@dataclass(frozen=True, repr=False)
class SavedMatch:
    """What a state file holds: the settings, the games in the order in which they ended, and the
    length of its complete lines and of the PGN up to the last of these games."""

    settings: dict[str, Any]
    records: list[GameRecord]
    state_bytes: int
    pgn_bytes: int

    def __repr__(self) -> str:
        players = dict.fromkeys(name for game in self.records for name in (game.white, game.black))
        return f"<SavedMatch of {len(self.records)} games: {', '.join(players) or 'no players'}>"


def state_path_of(pgn: Path) -> Path:
    """Beside the PGN."""
    return pgn.with_name(pgn.name + STATE_SUFFIX)


def read_state(path: Path) -> SavedMatch:
    """The contents of a state file, without an incomplete line at its end. StateError for any other
    line that cannot be read."""
    settings: dict[str, Any] = {}
    records: list[GameRecord] = []
    whole = pgn_length = 0
    for number, line in enumerate(path.read_bytes().splitlines(keepends=True), start=1):
        if not line.endswith(b"\n"):
            break
        try:
            values: dict[str, Any] = dict(json.loads(line))
            if number == 1:
                settings = values
            else:
                pgn_length = int(values.pop(PGN_LENGTH))
                records.append(GameRecord(**values))
        except (KeyError, TypeError, ValueError):
            what = "game" if number > 1 else "match"
            raise StateError(f"{path}, line {number}: not a record of a {what}") from None
        whole += len(line)
    if whole == 0:
        raise StateError(f"{path} holds no settings")
    return SavedMatch(settings, records, whole, pgn_length)


class MatchFiles:
    """Writes every game to both files as it ends. Without a path nothing is written."""

    def __init__(self, pgn_path: Path | None, settings: dict[str, Any]) -> None:
        self._pgn_path = pgn_path
        self._settings = json.loads(json.dumps(settings))
        self._pgn: TextIO | None = None
        self._state: TextIO | None = None
        self.errors_path: Path | None = None
        """Where errors have been kept; None if there were none."""

    @property
    def _state_path(self) -> Path:
        assert self._pgn_path is not None
        return state_path_of(self._pgn_path)

    @property
    def _errors_beside(self) -> Path:
        assert self._pgn_path is not None
        return self._pgn_path.with_name(self._pgn_path.name + ERRORS_SUFFIX)

    def begin(self, overwrite: bool) -> list[GameRecord]:
        """Creates the files; there are no games yet. StateError for existing files that may not be
        overwritten."""
        if self._pgn_path is None:
            return []
        for path in (self._pgn_path, self._state_path):
            if path.is_dir():
                raise StateError(f"{path} is a folder, not a file")
            if path.exists() and not overwrite:
                raise StateError(f"{path} exists; --resume continues it, --overwrite replaces it")
        with self._opened():
            self._clear(overwrite)
        return []

    def _clear(self, errors_too: bool) -> None:
        """Empties the open files but for the settings, and removes the errors of an earlier
        match."""
        for file in (self._pgn, self._state):
            assert file is not None
            file.truncate(0)
        if errors_too and self._errors_beside.is_file():
            self._errors_beside.unlink()
        self._write_state(self._settings)

    def resume(self) -> list[GameRecord]:
        """The games already played; new ones are appended. StateError if the settings differ."""
        if self._pgn_path is None:
            raise StateError("--resume needs --pgn: the match is resumed from that file")
        if not self._state_path.exists():
            raise StateError(f"{self._state_path} is missing: there is no match to resume")
        pgn_size = self._pgn_path.stat().st_size
        with self._opened():
            return self._read_games(pgn_size)

    def _read_games(self, pgn_size: int) -> list[GameRecord]:
        """The games of the open files; what was written in part is cut off."""
        saved = read_state(self._state_path)
        self._check_settings(saved.settings)
        if pgn_size < saved.pgn_bytes:
            raise StateError(f"{self._pgn_path} is shorter than its state file says")
        assert self._pgn is not None
        assert self._state is not None
        self._pgn.truncate(saved.pgn_bytes)
        self._state.truncate(saved.state_bytes)
        return saved.records

    @contextmanager
    def _opened(self) -> Iterator[None]:
        """Opens both files for appending. StateError if another match uses them: two at once would
        corrupt them. Closes them if the block fails; otherwise a second try in this process would
        find them in use."""
        assert self._pgn_path is not None
        try:
            self._state = self._state_path.open("a", encoding="utf-8")
            if not _lock(self._state):
                raise StateError(f"{self._state_path} is in use by a match in progress")
            self._pgn = self._pgn_path.open("a", encoding="utf-8")
            yield
        except BaseException:
            self.close()
            raise

    def _check_settings(self, saved: dict[str, Any]) -> None:
        for difference in _differences("", saved, self._settings):
            raise StateError(f"cannot resume: {difference}")

    def add(self, record: GameRecord, pgn: str) -> None:
        """Writes the game first, then its line in the state file."""
        if self._pgn is None:
            return
        self._pgn.write(pgn)
        self._pgn.flush()
        self._write_state({**record.as_dict(), PGN_LENGTH: os.fstat(self._pgn.fileno()).st_size})

    def keep_error(self, text: str) -> Path:
        """Appends the text to the file of errors and returns its path: beside the PGN, or without a
        PGN a new file among the temporary ones, which is not removed."""
        if self.errors_path is None:
            if self._pgn_path is not None:
                self.errors_path = self._errors_beside
            else:
                number, name = tempfile.mkstemp(ERRORS_SUFFIX, "kingcobra-")
                os.close(number)
                self.errors_path = Path(name)
        # File names that are not UTF-8 cannot be written as they are.
        with self.errors_path.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
        return self.errors_path

    def _write_state(self, values: dict[str, Any]) -> None:
        assert self._state is not None
        self._state.write(json.dumps(values) + "\n")
        self._state.flush()

    def close(self) -> None:
        for file in (self._pgn, self._state):
            if file is not None:
                file.close()


class Difference(NamedTuple):
    """A setting such as `rules.margin_s` that has changed."""

    name: str
    before: Any
    now: Any

    def __str__(self) -> str:
        before, now = ("none" if value in (None, "") else value for value in self[1:])
        return f"{self.name} was {before}, is now {now}"


def _differences(name: str, before: Any, now: Any) -> Iterator[Difference]:
    """The settings that differ; a setting that one side does not have is None."""
    if isinstance(before, dict) and isinstance(now, dict):
        for key in sorted(before.keys() | now.keys()):
            inner = f"{name}.{key}" if name else key
            yield from _differences(inner, before.get(key), now.get(key))
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for number, (one, other) in enumerate(zip(before, now, strict=True), start=1):
            yield from _differences(f"{name} {number}", one, other)
    elif before != now:
        yield Difference(name, before, now)


def _lock(file: TextIO) -> bool:
    """Whether this process alone writes the file from now on, until it is closed; also True where
    the file system has no locks."""
    try:
        return try_lock(file)
    except OSError:
        return True
