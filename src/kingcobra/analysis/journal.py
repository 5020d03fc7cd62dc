# SPDX-License-Identifier: GPL-3.0-or-later
"""The file that an interrupted run is resumed from: a line for the settings, then one for each game
that is done, with the digest of its text. Whatever ends the process, no finished game is lost."""

import hashlib
import json
from pathlib import Path
from typing import Any

from kingcobra.analysis.settings import AnnotationError
from kingcobra.analysis.work_item import GameOutcome

FORMAT = "kingcobra-annotation-1"
DIGEST_BYTES = 16
SEPARATOR = b"\t"


def digest_of(text: str) -> bytes:
    """Tells games apart."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES)
    return digest.hexdigest().encode()


class Journal:
    """Outcomes on disk. In memory there is only where each one stands."""

    def __init__(self, path: Path, about: dict[str, Any]) -> None:
        """Opens a journal, or begins one. AnnotationError if it is of something else. May raise
        OSError."""
        self.path = path
        self._places: dict[bytes, int] = {}
        self._heading = json.dumps({"format": FORMAT, "about": about}).encode() + b"\n"
        self._file = path.open("a+b", buffering=0)
        try:
            self._end = self._read()
        except BaseException:
            self._file.close()
            raise

    def __len__(self) -> int:
        return len(self._places)

    def find(self, digest: bytes) -> GameOutcome | None:
        """What became of the game with that digest; None if it is not done yet."""
        place = self._places.get(digest)
        if place is None:
            return None
        with self.path.open("rb") as file:
            file.seek(place)
            line = file.readline()
        return GameOutcome.from_line(line.partition(SEPARATOR)[2].decode("utf-8", "surrogatepass"))

    def append(self, digest: bytes, outcome: GameOutcome) -> None:
        """Keeps an outcome, in one write. May raise OSError."""
        line = digest + SEPARATOR + outcome.to_line().encode("utf-8", "surrogatepass") + b"\n"
        self._write(line)
        self._places[digest] = self._end - len(line)

    def close(self) -> None:
        """Lets go of the file."""
        self._file.close()

    def leave(self) -> None:
        """Lets go of the file, and removes it if no game is in it: there is nothing to resume."""
        if self._places:
            self.close()
        else:
            self.delete()

    def delete(self) -> None:
        """Everything has been written elsewhere."""
        self.close()
        self.path.unlink(missing_ok=True)

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[self._file.write(rest) :]
        self._end += len(data)

    def _read(self) -> int:
        """Finds all lines, and cuts off a last one that was not finished. Returns the end."""
        self._file.seek(0)
        with self.path.open("rb") as file:
            heading = file.readline()
            end = len(heading)
            if not heading.endswith(b"\n"):
                # Nothing was kept yet, or it is a file of something else.
                if not self._heading.startswith(heading):
                    raise AnnotationError(f"{self.path}: not the file of an interrupted run")
                self._file.truncate(0)
                self._end = 0
                self._write(self._heading)
                return self._end
            self._check(heading)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                digest, separator, _ = line.partition(SEPARATOR)
                if separator:
                    self._places[digest] = end
                end += len(line)
        self._file.truncate(end)
        return end

    def _check(self, heading: bytes) -> None:
        if heading == self._heading:
            return
        try:
            found = json.loads(heading)
            known = found["format"] == FORMAT
        except (ValueError, TypeError, KeyError):
            known = False
        if not known:
            raise AnnotationError(f"{self.path}: not the file of an interrupted run")
        wanted = json.loads(self._heading)["about"]
        changed = [name for name in wanted if wanted[name] != found["about"].get(name)]
        raise AnnotationError(
            f"{self.path}: begun with other settings ({', '.join(changed) or 'unknown'});"
            " use the same ones, or delete the file to begin again"
        )
