# SPDX-License-Identifier: GPL-3.0-or-later
"""Table files for `kingcobra tb`: what there is, and whether it is whole."""

import ctypes
import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from kingcobra.core.tables.file_layout import SINGLE_VALUE_FLAG, Part
from kingcobra.core.tables.layout import DTZ, WDL
from kingcobra.engine.tablebases.checksum import CHECKSUM_BYTES, checksum_of
from kingcobra.engine.tablebases.files import TablebaseFiles
from kingcobra.engine.tablebases.names import KIND_NAMES, men_in, name_of

MD5_FILE = "checksum.md5"
# Blocks between two reports of progress.
BLOCKS_AT_ONCE = 20_000
MIB = 1 << 20

Progress = Callable[[str], None]


def summary(files: TablebaseFiles) -> dict[str, Any]:
    """Counts and bytes by men and kind, and the tables that lack the other kind."""
    rows: dict[tuple[int, int], list[int]] = {}
    keys: tuple[set[int], set[int]] = (set(), set())
    for number, path in enumerate(files.paths()):
        record = files.record(number)
        count_and_bytes = rows.setdefault((men_in(record.key), record.kind), [0, 0])
        count_and_bytes[0] += 1
        count_and_bytes[1] += path.stat().st_size
        keys[record.kind].add(record.key)
    return {
        "summary": files.summary(),
        "tables": [
            {"men": men, "kind": KIND_NAMES[kind], "files": count, "bytes": size}
            for (men, kind), (count, size) in sorted(rows.items())
        ],
        "without_dtz": sorted(name_of(key) for key in keys[WDL] - keys[DTZ]),
        "without_wdl": sorted(name_of(key) for key in keys[DTZ] - keys[WDL]),
    }


def summary_text(facts: dict[str, Any]) -> str:
    """The same for people."""
    lines = [facts["summary"]]
    lines += [
        f"  {row['men']} men  {row['kind']}  {row['files']:5} files  {row['bytes'] / MIB:9,.1f} MiB"
        for row in facts["tables"]
    ]
    for kind in ("DTZ", "WDL"):
        names = facts[f"without_{kind.lower()}"]
        if names:
            lines.append(f"  without {kind}: {', '.join(names)}")
    return "\n".join(lines)


def check(files: TablebaseFiles, progress: Progress) -> Iterator[tuple[Path, str | None]]:
    """Each file and what is wrong with it, None where nothing is."""
    sums = {path.parent: _published_sums(path.parent) for path in files.paths()}
    for number, path in enumerate(files.paths()):
        place = f"{number + 1}/{len(files.paths())} {path.name}"
        progress(place)
        if not files.open(number):
            yield path, "not a whole table"
            continue
        fault = _damage(files, number)
        if fault is None and not _has_right_checksum(files, number, place, progress):
            fault = "its checksum is not that of its contents"
        expected = sums[path.parent].get(path.name)
        if fault is None and expected is not None and _md5_of(path) != expected:
            fault = f"its MD5 is not that of {MD5_FILE}"
        yield path, fault
    progress("")


def _has_right_checksum(files: TablebaseFiles, number: int, place: str, progress: Progress) -> bool:
    record = files.record(number)
    at, size = record.bytes_at, record.file_bytes
    found = checksum_of(
        files.core, at, size, lambda done: progress(f"{place}: {done / MIB:,.0f} MiB")
    )
    return found == ctypes.string_at(at + size - CHECKSUM_BYTES, CHECKSUM_BYTES)


def _damage(files: TablebaseFiles, number: int) -> str | None:
    """What is wrong inside an open file, None where nothing is."""
    record = files.record(number)
    address = ctypes.addressof(record)
    for place in range(record.sides * record.files):
        part = Part.from_address(record.parts + place * ctypes.sizeof(Part))
        if part.features & SINGLE_VALUE_FLAG:
            continue
        if not files.core.are_spans_right(address, place):
            return f"the index of part {place} is damaged"
        for first in range(0, part.blocks, BLOCKS_AT_ONCE):
            count = min(BLOCKS_AT_ONCE, part.blocks - first)
            block = files.core.find_damaged_block(address, place, first, count)
            if block >= 0:
                return f"block {block} of part {place} is damaged"
    return None


def _published_sums(folder: Path) -> dict[str, str]:
    """File names and their MD5, from the list that tables are published with."""
    try:
        lines = (folder / MD5_FILE).read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    words = (line.split() for line in lines)
    return {pair[1].lstrip("*"): pair[0].lower() for pair in words if len(pair) == 2}


def _md5_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()
