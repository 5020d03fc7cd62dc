# SPDX-License-Identifier: GPL-3.0-or-later
"""Obtaining objects inside one process: where they are looked for, and what emitting refuses."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from kingcobra.board.leaf_counter import LeafCounter
from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.objects import CORE
from kingcobra.kernel import objects
from kingcobra.kernel.build import Builder
from kingcobra.kernel.host import CACHE_VARIABLE
from kingcobra.kernel.levels import supported_levels
from kingcobra.kernel.linking import linker
from kingcobra.kernel.linking.elf import LinkError
from kingcobra.kernel.objects import ObjectError, object_key, unpack
from tests.kernel import probe_entries
from tests.kernel.conftest import PROBE
from tests.processes import children_of

PERFT_3 = 8902


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache."""
    folder = tmp_path / "cache"
    monkeypatch.setenv(CACHE_VARIABLE, str(folder))
    return folder


@pytest.fixture
def package_objects(tmp_path, monkeypatch):
    """A package that ships objects, none as yet."""
    folder = tmp_path / "package"
    folder.mkdir()
    monkeypatch.setattr(objects, "PACKAGE_OBJECTS", folder)
    return folder


def obtain(spec):
    """The object, what was reported while it was compiled, and the notes."""
    progress = []
    builder = Builder(spec, progress.append)
    return builder.obtain(), progress, builder.notes


def test_several_objects_work_side_by_side(core, obtain_probe):
    probe = obtain_probe(supported_levels()[-1])
    probe.table_store(0, 5)
    assert LeafCounter(core, PositionHandle(core)).count(3) == PERFT_3
    assert probe.table_load(0) == 5
    assert probe.popcount(0xFF) == 8


def test_compiled_once_then_found(cache):
    _, progress, notes = obtain(PROBE)
    assert progress
    assert len(notes) == 1
    assert notes[0].startswith("compiled for ")
    assert notes[0].endswith(f"kept in {cache}")
    core, progress, notes = obtain(PROBE)
    assert (progress, notes) == ([], [])
    assert core.popcount(7) == 3


def test_an_object_that_only_llvm_can_link_works_the_same(cache, monkeypatch):
    def refuse(*_arguments):
        raise LinkError("forced")

    monkeypatch.setattr(linker, "link", refuse)
    probe, _, _ = obtain(PROBE)
    (path,) = cache.iterdir()
    level = supported_levels()[-1]
    assert unpack(path.read_bytes(), object_key(PROBE, level)).layout is None
    assert probe.popcount(7) == 3
    assert probe.table_load(probe_entries.LAST) == probe_entries.FILLED_ON_LOAD
    again, progress, notes = obtain(PROBE)
    assert (progress, notes) == ([], [])
    assert again.popcount(7) == 3


def test_numba_s_variables_do_not_change_an_object(cache, monkeypatch):
    """They are not in the key, so what they did would stay in the cache."""
    obtain(PROBE)
    (path,) = cache.iterdir()
    usual = path.read_bytes()
    path.unlink()
    monkeypatch.setenv("NUMBA_OPT", "0")
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    obtain(PROBE)
    assert path.read_bytes() == usual


def test_a_cache_that_takes_no_files_costs_a_compile(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    unwritable = tmp_path / "file" / "cache"
    monkeypatch.setenv(CACHE_VARIABLE, str(unwritable))
    probe, progress, (note,) = obtain(PROBE)
    assert progress
    level = supported_levels()[-1].name
    assert note == f"compiled for {level}, for this run only ({unwritable}: Not a directory)"
    assert probe.popcount(7) == 3


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="writes below /proc")
def test_a_file_system_that_takes_no_files_costs_a_compile(monkeypatch):
    monkeypatch.setenv(CACHE_VARIABLE, "/proc/kingcobra")
    probe, _progress, (note,) = obtain(PROBE)
    assert "for this run only (/proc/kingcobra: No such file or directory)" in note
    assert probe.popcount(7) == 3


def test_object_of_the_package_is_taken_first(core_file, cache, package_objects):
    shutil.copy(core_file, package_objects)
    core, progress, notes = obtain(CORE)
    assert (progress, notes) == ([], [])
    assert LeafCounter(core, PositionHandle(core)).count(3) == PERFT_3
    assert not cache.exists()


def test_damaged_object_of_the_package_is_passed_over(core_file, cache, package_objects):
    (package_objects / core_file.name).write_bytes(core_file.read_bytes()[:-1])
    cache.mkdir()
    shutil.copy(core_file, cache)
    _, progress, notes = obtain(CORE)
    assert progress == []
    assert len(notes) == 1
    assert str(package_objects / core_file.name) in notes[0]
    assert "truncated" in notes[0]
    assert notes[0].endswith("loaded an intact one from elsewhere")


def test_a_source_outside_the_key_is_refused(cache):
    with pytest.raises(ObjectError, match=r"not among the object's sources: tests\.kernel\.probe"):
        obtain(PROBE._replace(sources=()))
    assert list(cache.iterdir()) == []


def test_a_source_of_the_package_outside_the_key_is_refused(cache):
    sources = tuple(name for name in CORE.sources if name != "kingcobra.core.rules.draws")
    with pytest.raises(ObjectError, match=r"object's sources: kingcobra\.core\.rules\.draws$"):
        obtain(CORE._replace(sources=sources))
    assert list(cache.iterdir()) == []


def test_code_that_needs_numba_at_run_time_is_refused(cache):
    spec = PROBE._replace(entry_modules=("tests.kernel.probe_allocating",), on_load=None)
    with pytest.raises(ObjectError, match=r"needs more than the C library: .*NRT"):
        obtain(spec)
    assert list(cache.iterdir()) == []


def test_code_that_raises_is_refused(cache):
    spec = PROBE._replace(entry_modules=("tests.kernel.probe_raising",), on_load=None)
    with pytest.raises(ObjectError, match=r"needs more than the C library: .*numba_do_raise"):
        obtain(spec)
    assert list(cache.iterdir()) == []


def test_compiled_functions_fill_tables_while_modules_are_imported(cache):
    spec = PROBE._replace(entry_modules=("tests.kernel.probe_import_time",), on_load=None)
    probe, _, _ = obtain(spec)
    assert [probe.twice(word) for word in (0, 1, 0b1011, 255)] == [0, 2, 6, 16]
    assert len(list(cache.iterdir())) == 1


def test_a_module_without_entry_points_is_refused(cache):
    spec = PROBE._replace(entry_modules=("tests.kernel.probe_records",), on_load=None)
    with pytest.raises(ObjectError, match="no entry point to compile"):
        obtain(spec)
    assert list(cache.iterdir()) == []


def test_a_missing_module_is_one_clear_line(cache, tmp_path, monkeypatch):
    (tmp_path / "broken_entries.py").write_text("import no_such_module_anywhere\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ObjectError) as caught:
        obtain(PROBE._replace(entry_modules=("broken_entries",), sources=()))
    assert str(caught.value) == (
        "compiling probe failed: ModuleNotFoundError: No module named 'no_such_module_anywhere'"
    )
    assert list(cache.iterdir()) == []


def test_a_compiler_that_cannot_start_is_named(cache, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no-python"))
    with pytest.raises(ObjectError, match=r"cannot start the compiler: .*no-python"):
        obtain(PROBE)
    assert list(cache.iterdir()) == []


def test_cancelled_while_compiling(cache):
    before = children_of(os.getpid())
    builder = Builder(PROBE, report=lambda _text: builder.cancel())
    with pytest.raises(ObjectError, match="compiling probe failed"):
        builder.obtain()
    assert set(children_of(os.getpid())) <= set(before)
    assert list(cache.iterdir()) == []


def test_cancelled_before_compiling(cache):
    progress = []
    builder = Builder(PROBE, progress.append)
    builder.cancel()
    with pytest.raises(ObjectError, match="cancelled"):
        builder.obtain()
    assert progress == []
    assert list(cache.iterdir()) == []
