# SPDX-License-Identifier: GPL-3.0-or-later
"""Damaged files are left out or give wrong answers; nothing outside them is read."""

import random
import shutil
from pathlib import Path

import chess
import pytest

from kingcobra.core.tables.layout import DTZ, WDL
from kingcobra.kernel.objects import LoadedObject
from tests.core.tables.reference import BothProbers, random_boards
from tests.core.tables.writer import wdl_file
from tests.paths import DATA

FOLDER = DATA / "syzygy"
FILES = sorted(FOLDER.glob("*.rtb?"))
# Where the structure is described.
HEADER_BYTES = 600


def flipped(data: bytes, choose: random.Random) -> bytes:
    damaged = bytearray(data)
    for _ in range(choose.choice((1, 1, 2, 5, 40))):
        end = choose.choice((16, 80, HEADER_BYTES, len(data)))
        damaged[choose.randrange(min(end, len(data)))] = choose.choice(
            (0, 1, 255, choose.randrange(256))
        )
    return bytes(damaged)


def cut(data: bytes, choose: random.Random) -> bytes:
    """Shortened so that the size alone does not tell."""
    blocks = choose.randrange(len(data) // 64 + 1)
    return data[: blocks * 64 + 16]


def probe_with(
    core: LoadedObject, folder: Path, path: Path, data: bytes
) -> tuple[list[str], list[int]]:
    """Puts other bytes in the place of one file, and probes positions with its men."""
    for file in FILES:
        shutil.copy(file, folder / file.name)
    (folder / path.name).write_bytes(data)
    both = BothProbers(core, folder)
    fens = [board.fen() for board in random_boards(path.stem, 60, seed=len(data))]
    answers = [*both.probe(fens, WDL), *both.probe(fens, DTZ)]
    both.files.report_damage()
    both.files.close()
    both.reference.close()
    return both.problems, answers


def damage_files(core: LoadedObject, folder: Path, count: int, seed: int) -> None:
    choose = random.Random(seed)
    left_out = 0
    for _ in range(count):
        path = choose.choice(FILES)
        damage = choose.choice((flipped, flipped, flipped, cut))
        problems, answers = probe_with(core, folder, path, damage(path.read_bytes(), choose))
        left_out += bool(problems)
        for answer in answers:
            assert answer is None or -70_000 < answer < 140_000
    assert left_out > count // 5


def test_damaged_files(tables_core: LoadedObject, tmp_path: Path) -> None:
    damage_files(tables_core, tmp_path, 150, seed=1)


@pytest.mark.slow
def test_two_thousand_damaged_files(tables_core: LoadedObject, tmp_path: Path) -> None:
    damage_files(tables_core, tmp_path, 2000, seed=2)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "ignoring tablebase file"),
        (b"x" * 64, "its size is not that of a whole table"),
        (b"x" * 80, "it does not begin as such a table does"),
        (wdl_file("KQvK", 1), "it does not have the sides and files of its name"),
        (wdl_file("KPvKP", 1)[:5] + bytes(75), "its men are not those of its name"),
    ],
)
def test_what_is_wrong_is_said_once(
    tables_core: LoadedObject, tmp_path: Path, data: bytes, words: str
) -> None:
    problems, answers = probe_with(tables_core, tmp_path, FOLDER / "KPvKP.rtbw", data)
    assert len(problems) == 1
    assert problems[0].startswith(f"ignoring tablebase file {tmp_path / 'KPvKP.rtbw'}: ")
    assert words in problems[0]
    assert None in answers


def test_one_broken_table_costs_only_itself(tables_core: LoadedObject, tmp_path: Path) -> None:
    for file in FILES:
        shutil.copy(file, tmp_path)
    (tmp_path / "KQvK.rtbw").write_bytes(b"nothing")
    both = BothProbers(tables_core, tmp_path)
    queen, rook = "8/8/8/8/8/4k3/8/K2Q4 w - - 0 1", "8/8/8/8/8/4k3/8/K2R4 w - - 0 1"
    assert both.probe([queen, rook], WDL) == [None, both.reference.probe_wdl(chess.Board(rook))]
