# SPDX-License-Identifier: GPL-3.0-or-later
"""Object files and their keys."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingcobra.core.objects import CORE
from kingcobra.core.rules.layout import Position
from kingcobra.core.search.layout import SearchWorker
from kingcobra.core.tables.file_layout import Tables
from kingcobra.core.tables.layout import Prober
from kingcobra.kernel import objects
from kingcobra.kernel.levels import LEVELS, PLAIN_X86, V3
from kingcobra.kernel.linking.image import ImageLayout
from kingcobra.kernel.objects import (
    Code,
    LoadedObject,
    ObjectError,
    ObjectSpec,
    object_key,
    pack,
    unpack,
)

KEY = "0123456789abcdef"
SPEC = ObjectSpec("sample", (), ())
ENTRIES = {"first": 0, "second": 3}
CODE = bytes(range(256)) + b"\n" + b"behind a line end"
LAYOUT = ImageLayout(4096, 4096, 0, {"first": 0, "second": 16}, {"memset": 4096})
FILE = pack(SPEC, V3, KEY, Code(ENTRIES, CODE, LAYOUT))
HEADER_END = FILE.index(b"\n") + 1


# --- the file ---------------------------------------------------------------------------------


@given(st.dictionaries(st.text(), st.integers(0, 9)), st.binary(max_size=500))
@pytest.mark.parametrize("layout", [None, LAYOUT])
def test_round_trip(layout, entries, contents):
    code = Code(entries, contents, layout)
    assert unpack(pack(SPEC, V3, KEY, code), KEY) == code


def test_every_truncation_is_noticed():
    for length in range(len(FILE)):
        with pytest.raises(ObjectError):
            unpack(FILE[:length], KEY)


def test_truncation_says_how_much_is_there():
    with pytest.raises(ObjectError, match=rf"truncated \({len(CODE) - 10} of {len(CODE)} bytes\)"):
        unpack(FILE[:-10], KEY)


def test_every_changed_byte_is_noticed():
    for position in range(len(FILE)):
        damaged = bytearray(FILE)
        damaged[position] ^= 0x01
        with pytest.raises(ObjectError):
            unpack(bytes(damaged), KEY)


@given(st.binary(max_size=300))
def test_foreign_bytes_are_refused(data):
    with pytest.raises(ObjectError):
        unpack(data, KEY)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"{}\n",
        b"[]\n",
        b"null\n",
        b'"text"\n',
        b"[" * 100_000,
        b"\x7fELF" + bytes(1000),
        FILE[HEADER_END:],
    ],
    ids=range(9),
)
def test_other_files_are_refused(data):
    with pytest.raises(ObjectError, match="not a Kingcobra object"):
        unpack(data, KEY)


def test_another_object_s_file_is_refused_with_both_keys():
    with pytest.raises(ObjectError, match=f"the file of another object.*{KEY}.*expected 'fedc'"):
        unpack(FILE, "fedc")


@pytest.mark.parametrize(
    "lie",
    [
        {"entries": {"first": 0, "second": 4}},
        {"entries": {}},
        {"entries": ["first"]},
        {"layout": None},
        {"layout": {}},
        {"layout": []},
        {"layout": LAYOUT._asdict() | {"code_bytes": 8192}},
        {"layout": LAYOUT._asdict() | {"more": 1}},
        {"level": "x86-64"},
        {"name": "other"},
        {"size": str(len(CODE))},
        {"digest": ""},
        {"digest": None},
        {"format": "kingcobra-object-0"},
        {"more": 1},
    ],
    ids=str,
)
def test_a_header_that_lies_is_refused(lie):
    header = json.loads(FILE[:HEADER_END]) | lie
    with pytest.raises(ObjectError):
        unpack(json.dumps(header).encode() + b"\n" + CODE, KEY)


def test_an_object_names_its_entry_points_when_asked_for_another():
    with pytest.raises(AttributeError, match="no entry point 'third', there are: first, second"):
        LoadedObject({"first": int, "second": int}).third  # noqa: B018


# --- the key ----------------------------------------------------------------------------------


@pytest.fixture
def copied_package(tmp_path, monkeypatch):
    """A copy of the sources that a test may change; keys are made from it."""
    copy = tmp_path / "kingcobra"
    shutil.copytree(
        objects.PACKAGE_ROOT, copy, ignore=shutil.ignore_patterns("__pycache__", "objects")
    )
    monkeypatch.setattr(objects, "PACKAGE_ROOT", copy)
    return copy


def test_key_does_not_depend_on_where_the_package_lies(copied_package, monkeypatch):
    there = object_key(CORE, V3)
    monkeypatch.undo()
    assert copied_package != objects.PACKAGE_ROOT
    assert object_key(CORE, V3) == there


def test_key_changes_with_every_source_and_with_nothing_else(copied_package):
    key = object_key(CORE, V3)
    covered = {Path(objects.source_path(module)) for module in CORE.all_sources()}
    for path in copied_package.rglob("*.py"):
        text = path.read_bytes()
        path.write_bytes(text + b"#")
        assert (object_key(CORE, V3) != key) == (path in covered), path
        path.write_bytes(text)
    assert object_key(CORE, V3) == key


def test_key_covers_all_that_the_entry_points_import():
    """What emitting checks, checked without compiling."""
    imported = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, kingcobra.core.rules.entries; print(*sys.modules)",
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    compiled = {name for name in imported if name.startswith("kingcobra.core.rules.")}
    assert compiled
    assert compiled <= set(CORE.all_sources())


def test_key_changes_with_the_level_and_the_name():
    keys = {object_key(CORE, level) for level in LEVELS}
    keys.add(object_key(CORE._replace(name="other"), V3))
    assert len(keys) == len(LEVELS) + 1


def test_the_modules_that_describe_records_are_sources():
    described = {record.__module__ for record in (Position, Prober, SearchWorker, Tables)}
    assert described <= set(CORE.all_sources())


PRINT_KEY = """
from kingcobra.core.objects import CORE
from kingcobra.kernel.levels import PLAIN_X86
from kingcobra.kernel.objects import object_key
print(object_key(CORE, PLAIN_X86))
"""


def key_in_a_process(**environment):
    path = os.pathsep.join(
        part
        for part in (environment.pop("PYTHONPATH", ""), str(objects.PACKAGE_ROOT.parent))
        if part
    )
    return subprocess.run(
        [sys.executable, "-c", PRINT_KEY],
        env=os.environ | environment | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()


@pytest.mark.parametrize("seed", ["0", "1", "2", "12345"])
def test_key_is_the_same_in_every_process(seed):
    assert key_in_a_process(PYTHONHASHSEED=seed) == object_key(CORE, PLAIN_X86)


@pytest.mark.parametrize("package", ["numba", "llvmlite"])
def test_key_changes_with_the_version_of_the_compiler(tmp_path, package):
    folder = tmp_path / package
    folder.mkdir()
    (folder / "__init__.py").touch()
    keys = set()
    for version in ("0.68.0", "0.68.1"):
        (folder / "_version.py").write_text(f"version = {version!r}\n")
        keys.add(key_in_a_process(PYTHONPATH=str(tmp_path)))
    (folder / "_version.py").unlink()
    keys.add(key_in_a_process(PYTHONPATH=str(tmp_path)))
    assert len(keys) == 3


def test_a_source_that_is_nowhere_is_named():
    with pytest.raises(ObjectError, match="no source found for nowhere_to_be_found"):
        object_key(SPEC._replace(sources=("nowhere_to_be_found",)), V3)
