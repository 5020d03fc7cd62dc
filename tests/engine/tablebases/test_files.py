# SPDX-License-Identifier: GPL-3.0-or-later
"""Which files are found, and what is said of those that cannot be used."""

import ctypes
import os
import shutil
import threading
from pathlib import Path

import pytest

from kingcobra.board.fen import parse_fen
from kingcobra.core.rules.layout import Position
from kingcobra.core.tables.file_layout import UNUSABLE
from kingcobra.core.tables.layout import DTZ, WDL
from kingcobra.engine.tablebases.files import TablebaseFiles
from kingcobra.engine.tablebases.folders import split_path
from kingcobra.engine.tablebases.names import name_of
from kingcobra.engine.tablebases.prober import TableProber
from tests.core.tables.reference import BothProbers
from tests.paths import DATA

FOLDER = DATA / "syzygy"
QUEEN = "8/8/8/8/8/4k3/8/K2Q4 w - - 0 1"


def files_in(core, path, problems=None):
    return TablebaseFiles(core, str(path), (problems if problems is not None else []).append)


def descriptors():
    return len(list(Path("/proc/self/fd").iterdir()))


def test_summary(tables_core):
    problems = []
    files = files_in(tables_core, FOLDER, problems)
    assert files.summary() == "Found 10 WDL and 9 DTZ tablebase files (up to 4-man)."
    assert files.largest == 4
    assert problems == []


@pytest.mark.parametrize(
    ("text", "folders"),
    [
        ("", []),
        (" ", []),
        ("a", ["a"]),
        (" a ", ["a"]),
        ('"a b"', ["a b"]),
        (f"a{os.pathsep}b", ["a", "b"]),
        (f"{os.pathsep}a{os.pathsep}{os.pathsep} 'b' {os.pathsep}", ["a", "b"]),
    ],
)
def test_paths(text, folders):
    assert split_path(text) == [Path(folder) for folder in folders]


def test_folders_that_cannot_be_read(tables_core, tmp_path):
    (tmp_path / "file").touch()
    problems = []
    path = os.pathsep.join([str(tmp_path / "missing"), str(tmp_path / "file"), str(FOLDER)])
    files = files_in(tables_core, path, problems)
    assert files.counts == [10, 9]
    assert problems == [
        f"cannot read tablebase folder {tmp_path / 'missing'}: No such file or directory",
        f"cannot read tablebase folder {tmp_path / 'file'}: Not a directory",
    ]


def test_names_that_are_no_tables(tables_core, tmp_path):
    for name in ("KXvK.rtbw", "KQvK.rtbw", "KQvK.txt", "rtbw", "KRvK.RTBW"):
        (tmp_path / name).touch()
    problems = []
    files = files_in(tables_core, tmp_path, problems)
    assert [path.name for path in files.paths()] == ["KQvK.rtbw"]
    assert problems == [f"ignoring 'KXvK.rtbw' in {tmp_path}: not a table of 3 to 7 men"]


def test_the_first_of_two_files_counts(tables_core, tmp_path):
    (tmp_path / "KQvK.rtbw").write_bytes(b"damaged")
    good_first = files_in(tables_core, f"{FOLDER}{os.pathsep}{tmp_path}")
    bad_first = files_in(tables_core, f"{tmp_path}{os.pathsep}{FOLDER}")
    assert good_first.counts == bad_first.counts == [10, 9]
    for files, usable in ((good_first, True), (bad_first, False)):
        numbers = [n for n, path in enumerate(files.paths()) if path.name == "KQvK.rtbw"]
        assert [files.open(number) for number in numbers] == [usable]


def test_a_file_is_opened_by_the_first_probe_that_needs_it(tables_core):
    both = BothProbers(tables_core, FOLDER)
    assert {both.files.record(number).parts for number in range(19)} == {0}
    assert both.probe([QUEEN], WDL) == [2]
    opened = [n for n in range(19) if both.files.record(n).parts]
    assert [both.files.paths()[number].name for number in opened] == ["KQvK.rtbw"]
    assert both.probe([QUEEN], DTZ) == [11]


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts descriptors in /proc")
def test_no_descriptor_stays_open(tables_core):
    files = files_in(tables_core, FOLDER)
    before = descriptors()
    assert all(files.open(number) for number in range(len(files.paths())))
    assert descriptors() == before
    files.close()
    assert descriptors() == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tables_core, tmp_path):
    shutil.copy(FOLDER / "KQvK.rtbw", tmp_path)
    (tmp_path / "KQvK.rtbw").chmod(0)
    problems = []
    files = files_in(tables_core, tmp_path, problems)
    assert not files.open(0)
    assert problems == [f"ignoring tablebase file {tmp_path / 'KQvK.rtbw'}: Permission denied"]


def test_a_folder_with_a_tables_name(tables_core, tmp_path):
    (tmp_path / "KQvK.rtbw").mkdir()
    problems = []
    files = files_in(tables_core, tmp_path, problems)
    assert not files.open(0)
    assert files.record(0).parts == UNUSABLE
    assert len(problems) == 1
    assert problems[0].startswith(f"ignoring tablebase file {tmp_path / 'KQvK.rtbw'}: ")


def test_threads_meet_unopened_files_together(tables_core):
    """All get the same answers, and each file is opened once."""
    for _ in range(5):
        both = BothProbers(tables_core, FOLDER)
        answers = []

        def ask(both=both, answers=answers):
            prober = TableProber(both.files)
            position = Position()
            setup = parse_fen(QUEEN, chess960=False)
            results = (ctypes.c_int64 * 1)()
            tables_core.probe_many(
                prober.address,
                ctypes.addressof(position),
                ctypes.addressof(setup),
                1,
                DTZ,
                ctypes.addressof(results),
            )
            answers.append(results[0])

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert answers == [11] * 8
        both.files.close()


def test_a_table_under_its_other_name(tables_core, tmp_path):
    """KvKQ is KQvK with the colours exchanged: a file of that name must have its men so."""
    shutil.copy(FOLDER / "KQvK.rtbw", tmp_path / "KvKQ.rtbw")
    problems = []
    files = files_in(tables_core, tmp_path, problems)
    assert name_of(files.record(0).key) == "KQvK"
    assert not files.open(0)
    assert "its men are not those of its name" in problems[0]
