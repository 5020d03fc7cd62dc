# SPDX-License-Identifier: GPL-3.0-or-later
"""The file that a growing book is resumed from: a line for its settings, one for each search."""

import json
from pathlib import Path
from typing import Any

from kingcobra.books.growing import Expansion, ScoredMove
from kingcobra.engine.opening_book import BookError

FORMAT = "kingcobra-growth-1"


class GrowthFile:
    """Expansions on disk, each written as soon as it is there: a killed run loses none but the
    one whose line it was writing."""

    def __init__(self, path: Path, settings: dict[str, Any]) -> None:
        self.path = path
        self.expansions: list[Expansion] = []
        self.skipped_lines = 0
        if path.exists() and path.stat().st_size:
            self._read(settings)
        else:
            path.write_text(json.dumps({"format": FORMAT, "settings": settings}) + "\n")
        self._file = path.open("a", encoding="utf-8")

    def append(self, expansion: Expansion) -> None:
        """Keeps an expansion. May raise OSError."""
        moves = [list(move) for move in expansion.moves]
        line = json.dumps({"position": expansion.position, "moves": moves})
        self._file.write(line + "\n")
        self._file.flush()

    def close(self) -> None:
        """Lets go of the file."""
        self._file.close()

    def _read(self, settings: dict[str, Any]) -> None:
        text = self.path.read_text(encoding="utf-8", errors="replace")
        head, *lines = text.splitlines()
        try:
            found = json.loads(head)
            known = found["format"] == FORMAT
        except (ValueError, TypeError, KeyError):
            known = False
        if not known:
            raise BookError(f"{self.path}: not the file of a growing book")
        if found["settings"] != settings:
            raise BookError(
                f"{self.path}: begun with other settings ({found['settings']}), now {settings};"
                " take the same ones or another --state file"
            )
        for line in lines:
            try:
                row = json.loads(line)
                moves = tuple(ScoredMove(str(uci), int(cp)) for uci, cp in row["moves"])
                self.expansions.append(Expansion(row["position"], moves))
            except (ValueError, TypeError, KeyError):
                self.skipped_lines += 1
        if not text.endswith("\n"):
            with self.path.open("a", encoding="utf-8") as file:
                file.write("\n")
