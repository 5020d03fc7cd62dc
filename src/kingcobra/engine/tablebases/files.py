# SPDX-License-Identifier: GPL-3.0-or-later
"""The owner of the tables: their records, their maps, and the function that compiled code calls
when it meets a file that is not open yet."""

import ctypes
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from kingcobra.core.tables import file_layout
from kingcobra.core.tables.file_layout import (
    MAX_FILES,
    MAX_SIDES,
    SOUND,
    UNUSABLE,
    Part,
    TableFile,
    Tables,
)
from kingcobra.core.tables.layout import DTZ, WDL
from kingcobra.core.tables.material import mirrored
from kingcobra.engine.tablebases.folders import FoundFile, find_files, split_path
from kingcobra.engine.tablebases.names import has_pawns, men_in
from kingcobra.errors import reason_of
from kingcobra.kernel.objects import LoadedObject
from kingcobra.kernel.system.file_map import FileMap

OPENED, NOT_OPENED = 1, 0
PROBLEMS = {
    file_layout.WRONG_SIZE: "its size is not that of a whole table",
    file_layout.WRONG_MAGIC: "it does not begin as such a table does",
    file_layout.WRONG_SIDES: "it does not have the sides and files of its name",
    file_layout.WRONG_MEN: "its men are not those of its name",
    file_layout.WRONG_ORDER: "the order of its men makes no sense",
    file_layout.WRONG_CODES: "its sizes make no sense",
    file_layout.WRONG_SYMBOLS: "its symbols make no sense",
    file_layout.TOO_SHORT: "it ends too early",
}
_OPEN_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)

Report = Callable[[str], None]


class OpenTable:
    """What an open file needs to stay usable."""

    def __init__(self, file: FileMap, parts: "ctypes.Array[Part]") -> None:
        self.file = file
        self.parts = parts
        self.sizes: ctypes.Array[ctypes.c_char] | None = None


class TablebaseFiles:
    """All tables of a path. Threads share it; it must outlive every probe. `report` hears one line
    for each folder or file that cannot be used, at once or when a probe meets it."""

    def __init__(self, core: LoadedObject, path: str, report: Report) -> None:
        self._core = core
        self._report = report
        self._lock = threading.Lock()
        self._paths: list[Path] = []
        self._records: list[TableFile] = []
        self._open: dict[int, OpenTable] = {}
        self._told: set[int] = set()
        self.counts = [0, 0]
        self._tables = Tables()
        # Compiled code calls it through its address.
        self._open_function = _OPEN_FUNCTION(self._open_at)
        self._tables.open = ctypes.cast(self._open_function, ctypes.c_void_p).value or 0
        for folder in split_path(path):
            problems: list[str] = []
            for found in find_files(folder, problems):
                self._add(found)
            for problem in problems:
                report(problem)

    # --- what there is ------------------------------------------------------------------------

    @property
    def address(self) -> int:
        """Where the Tables record lies, for compiled code."""
        return ctypes.addressof(self._tables)

    @property
    def core(self) -> LoadedObject:
        """The object that probes these tables."""
        return self._core

    @property
    def largest(self) -> int:
        """Men of the largest table with results; 0 where there is none."""
        return int(self._tables.largest)

    def summary(self) -> str:
        """One line for a user."""
        wdl, dtz = self.counts[WDL], self.counts[DTZ]
        return f"Found {wdl} WDL and {dtz} DTZ tablebase files (up to {self.largest}-man)."

    def paths(self) -> list[Path]:
        """The files, in the order in which they were found."""
        return list(self._paths)

    def record(self, number: int) -> TableFile:
        """The record of a file of `paths`."""
        return self._records[number]

    def _add(self, found: FoundFile) -> None:
        """Enters a file under both colourings of its men; of two for the same men, and of two
        folders, the first counts."""
        record = TableFile()
        record.key = found.key
        record.kind = found.kind
        record.number = len(self._records)
        address = ctypes.addressof(record)
        if not self._core.add_table_file(self.address, found.key, found.kind, address):
            return
        if mirrored(found.key) != found.key:
            self._core.add_table_file(self.address, mirrored(found.key), found.kind, address)
        self._records.append(record)
        self._paths.append(found.path)
        self.counts[found.kind] += 1
        if found.kind == WDL:
            self._tables.largest = max(self.largest, men_in(found.key))

    # --- opening ------------------------------------------------------------------------------

    def _open_at(self, address: int) -> int:
        """Called by compiled code. Nothing may be raised here."""
        record = TableFile.from_address(address)
        try:
            with self._lock:
                if record.parts == file_layout.UNOPENED:
                    self._open_file(record.number)
        except Exception as error:
            with suppress(Exception):
                self._give_up(record, reason_of(error))
        return OPENED if record.parts != UNUSABLE else NOT_OPENED

    def open(self, number: int) -> bool:
        """Opens a file of `paths` now; whether it can be used."""
        return self._open_at(ctypes.addressof(self._records[number])) == OPENED

    def _open_file(self, number: int) -> None:
        record = self._records[number]
        file = FileMap(self._paths[number])
        try:
            problem = self._parse(record, file)
        except BaseException:
            file.release()
            raise
        if problem != SOUND:
            file.release()
            self._give_up(record, PROBLEMS[problem])

    def _parse(self, record: TableFile, file: FileMap) -> int:
        """Reads a mapped file and publishes it if it is sound."""
        address = ctypes.addressof(record)
        table = OpenTable(file, (Part * _part_count(record))())
        record.bytes_at, record.file_bytes = file.address, file.size
        record.memory = ctypes.addressof(table.parts)
        problem = self._core.parse_table(address)
        if problem != SOUND:
            return problem
        # Sizes of symbols, and behind them marks that are needed only here.
        table.sizes = ctypes.create_string_buffer(2 * self._core.count_symbols(address) + 1)
        problem = self._core.size_symbols(address, ctypes.addressof(table.sizes))
        if problem == SOUND:
            self._open[record.number] = table
            self._core.publish_table(address)
        return problem

    def _give_up(self, record: TableFile, reason: str) -> None:
        record.parts = UNUSABLE
        self._report(f"ignoring tablebase file {self._paths[record.number]}: {reason}")

    def report_damage(self) -> None:
        """One line for each file in which a probe met damaged blocks, the first time only."""
        for record in self._records:
            if record.damaged and record.number not in self._told:
                self._told.add(record.number)
                self._report(f"damaged tablebase file {self._paths[record.number]}")

    def close(self) -> None:
        """Unmaps all files. No probe may be under way, and none may follow."""
        with self._lock:
            ctypes.memset(self.address, 0, ctypes.sizeof(Tables))
            for table in self._open.values():
                table.file.release()
            self._open.clear()


def _part_count(record: TableFile) -> int:
    split = record.kind == WDL and mirrored(record.key) != record.key
    return (MAX_SIDES if split else 1) * (MAX_FILES if has_pawns(record.key) else 1)
