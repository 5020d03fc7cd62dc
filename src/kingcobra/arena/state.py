# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of a match: a PGN, and beside it a state file from which the match can be resumed.

The state file has one JSON object in a line: first the settings, then each finished game with the
length of the PGN after it. What a killed match left half-written is cut off on resuming."""

import json
import os
from pathlib import Path
from typing import Any, TextIO

from kingcobra.arena.record import GameRecord

STATE_SUFFIX = ".state"
PGN_LENGTH = "pgn_bytes"


class StateError(ValueError):
    """Files that the match cannot begin or go on with."""


class MatchFiles:
    """Writes every game to both files as it ends. Without a path nothing is written."""

    def __init__(self, pgn_path: Path | None, settings: dict[str, Any]) -> None:
        self._pgn_path = pgn_path
        self._settings = json.loads(json.dumps(settings))
        self._pgn: TextIO | None = None
        self._state: TextIO | None = None

    @property
    def _state_path(self) -> Path:
        assert self._pgn_path is not None
        return self._pgn_path.with_name(self._pgn_path.name + STATE_SUFFIX)

    def begin(self, overwrite: bool) -> None:
        """Fresh files. Existing ones are an error unless they may be overwritten."""
        if self._pgn_path is None:
            return
        for path in (self._pgn_path, self._state_path):
            if path.exists() and not overwrite:
                raise StateError(f"{path} exists; --resume goes on with it, --overwrite drops it")
        self._pgn = self._pgn_path.open("w", encoding="utf-8")
        self._state = self._state_path.open("w", encoding="utf-8")
        self._write_state(self._settings)

    def resume(self) -> list[GameRecord]:
        """The games already played; goes on behind them. StateError where the settings differ."""
        if self._pgn_path is None:
            raise StateError("--resume needs --pgn: the match is resumed from that file")
        if not self._state_path.exists():
            raise StateError(f"{self._state_path} is missing: there is no match to resume")
        whole, records, pgn_length = self._read_state()
        with self._state_path.open("r+b") as state:
            state.truncate(whole)
        with self._pgn_path.open("a+b") as pgn:
            if pgn.seek(0, os.SEEK_END) < pgn_length:
                raise StateError(f"{self._pgn_path} is shorter than its state file says")
            pgn.truncate(pgn_length)
        self._pgn = self._pgn_path.open("a", encoding="utf-8")
        self._state = self._state_path.open("a", encoding="utf-8")
        return records

    def _read_state(self) -> tuple[int, list[GameRecord], int]:
        """Length of the whole lines, their games, and the length of the PGN after the last."""
        records: list[GameRecord] = []
        whole = pgn_length = 0
        lines = self._state_path.read_bytes().splitlines(keepends=True)
        for number, line in enumerate(lines, start=1):
            if not line.endswith(b"\n"):
                break
            try:
                values = json.loads(line)
                if number == 1:
                    self._check_settings(values)
                else:
                    pgn_length = values.pop(PGN_LENGTH)
                    records.append(GameRecord(**values))
            except (KeyError, TypeError, json.JSONDecodeError) as error:
                raise StateError(f"{self._state_path}, line {number}: {error}") from None
            whole += len(line)
        if whole == 0:
            raise StateError(f"{self._state_path} holds no settings")
        return whole, records, pgn_length

    def _check_settings(self, saved: dict[str, Any]) -> None:
        for key in sorted(saved.keys() | self._settings.keys()):
            if saved.get(key) != self._settings.get(key):
                raise StateError(
                    f"cannot resume: {key} was {saved.get(key)}, is now {self._settings.get(key)}"
                )

    def add(self, record: GameRecord, pgn: str) -> None:
        """The game first, then the line that vouches for it."""
        if self._pgn is None:
            return
        self._pgn.write(pgn)
        self._pgn.flush()
        self._write_state({**record.as_dict(), PGN_LENGTH: os.fstat(self._pgn.fileno()).st_size})

    def _write_state(self, values: dict[str, Any]) -> None:
        assert self._state is not None
        self._state.write(json.dumps(values) + "\n")
        self._state.flush()

    def close(self) -> None:
        for file in (self._pgn, self._state):
            if file is not None:
                file.close()
