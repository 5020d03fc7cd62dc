# SPDX-License-Identifier: GPL-3.0-or-later
"""Run as a module: prints one checksum for each table of four men in a folder."""

import ctypes
import sys

from kingcobra.core.objects import RULES, TABLES
from kingcobra.core.rules.basics import BLACK, WHITE, piece_of
from kingcobra.core.rules.layout import Position
from kingcobra.engine.tablebases.files import TablebaseFiles
from kingcobra.engine.tablebases.prober import TableProber
from kingcobra.kernel.build import Builder
from kingcobra.kernel.objects import ObjectSpec, modules_of

CHECKSUMS = ObjectSpec(
    name="table-checksums",
    entry_modules=(f"{TABLES}.entries", "tests.core.tables.checksum_entries"),
    sources=modules_of(RULES, TABLES),
)
NAME_OF_FOUR_MEN = len("KQvKR")
LETTERS = ".PNBRQK"


def men_of(name: str) -> int:
    """The men of `KQvKR`, four bits each."""
    white, black = name.split("v")
    men = [piece_of(WHITE, LETTERS.index(letter)) for letter in white]
    men += [piece_of(BLACK, LETTERS.index(letter)) for letter in black]
    return sum(man << 4 * number for number, man in enumerate(men))


def main() -> None:
    """The folder is the first argument."""
    core = Builder(CHECKSUMS, lambda _text: None).obtain()
    files = TablebaseFiles(core, sys.argv[1], print)
    prober, position = TableProber(files), Position()
    names = sorted({path.stem for path in files.paths() if path.suffix == ".rtbw"})
    for name in names:
        if len(name) == NAME_OF_FOUR_MEN:
            total = core.checksum(prober.address, ctypes.addressof(position), men_of(name))
            print(f"{name} {total & (1 << 64) - 1:016x}")


if __name__ == "__main__":
    main()
