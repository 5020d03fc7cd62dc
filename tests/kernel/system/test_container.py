# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits of control groups, read from folders that look like the system's."""

import pytest

from kingcobra.kernel import host
from kingcobra.kernel.system import container
from kingcobra.kernel.system.container import memory_room_bytes
from kingcobra.kernel.system.memory import Memory, OutOfMemory

MIB = 1 << 20
UNLIMITED_VERSION_1 = 9223372036854771712


def _membership(tmp_path, *lines):
    path = tmp_path / "cgroup"
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def _version_2(folder, limit, used, idle=0, lately=0):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "memory.max").write_text(f"{limit}\n")
    (folder / "memory.current").write_text(f"{used}\n")
    anonymous = used - idle - lately
    (folder / "memory.stat").write_text(
        f"anon {anonymous}\ninactive_file {idle}\nactive_file {lately}\n"
    )


def _version_1(folder, limit, used, idle=0, lately=0):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "memory.limit_in_bytes").write_text(f"{limit}\n")
    (folder / "memory.usage_in_bytes").write_text(f"{used}\n")
    (folder / "memory.stat").write_text(
        f"inactive_file 1\ntotal_inactive_file {idle}\ntotal_active_file {lately}\n"
    )


def test_pages_of_files_do_not_count(tmp_path):
    _version_2(tmp_path / "root" / "bot", 512 * MIB, 200 * MIB, 50 * MIB)
    room = memory_room_bytes(_membership(tmp_path, "0::/bot"), tmp_path / "root")
    assert room == 362 * MIB


def test_a_group_full_of_files_used_lately_has_room(tmp_path):
    """As one is in which something big has just been built."""
    _version_2(tmp_path / "root" / "bot", 512 * MIB, 512 * MIB, lately=400 * MIB)
    room = memory_room_bytes(_membership(tmp_path, "0::/bot"), tmp_path / "root")
    assert room == 400 * MIB


def test_the_narrowest_of_all_groups_above_decides(tmp_path):
    root = tmp_path / "root"
    _version_2(root / "all" / "bot", "max", 5 * MIB)
    _version_2(root / "all", 100 * MIB, 90 * MIB)
    _version_2(root, 1000 * MIB, 95 * MIB)
    assert memory_room_bytes(_membership(tmp_path, "0::/all/bot"), root) == 10 * MIB


def test_the_older_form(tmp_path):
    root = tmp_path / "root"
    _version_1(root / "memory" / "docker" / "1f", 256 * MIB, 100 * MIB, 3 * MIB, 1 * MIB)
    _version_1(root / "memory", UNLIMITED_VERSION_1, 3000 * MIB)
    lines = ("12:cpu,cpuacct:/docker/1f", "4:memory:/docker/1f", "0::/")
    assert memory_room_bytes(_membership(tmp_path, *lines), root) == 160 * MIB


def test_the_older_forms_number_for_no_limit(tmp_path):
    _version_1(tmp_path / "root" / "memory", UNLIMITED_VERSION_1, 3000 * MIB)
    assert memory_room_bytes(_membership(tmp_path, "4:memory:/"), tmp_path / "root") is None


def test_inside_a_container_the_path_may_be_one_of_outside(tmp_path):
    root = tmp_path / "root"
    _version_1(root / "memory", 64 * MIB, 10 * MIB)
    lines = ("4:memory:/docker/not/to/be/seen/here",)
    assert memory_room_bytes(_membership(tmp_path, *lines), root) == 54 * MIB


def test_a_group_over_its_limit_has_no_room(tmp_path):
    _version_2(tmp_path / "root", MIB, 2 * MIB)
    assert memory_room_bytes(_membership(tmp_path, "0::/"), tmp_path / "root") == 0


@pytest.mark.parametrize("line", ["0::/", "0::/nowhere", "4:cpu:/", "nonsense", "", "0::../up"])
def test_no_limit_to_be_found(tmp_path, line):
    (tmp_path / "root").mkdir()
    assert memory_room_bytes(_membership(tmp_path, line), tmp_path / "root") is None


def test_a_system_without_control_groups(tmp_path):
    assert memory_room_bytes(tmp_path / "missing", tmp_path / "missing, too") is None


@pytest.mark.parametrize(("free", "room"), [(1000 * MIB, MIB), (MIB, 1000 * MIB), (None, MIB)])
def test_memory_beyond_either_limit_is_refused(monkeypatch, free, room):
    monkeypatch.setattr(host, "available_memory_bytes", lambda: free)
    monkeypatch.setattr(container, "memory_room_bytes", lambda: room)
    with pytest.raises(OutOfMemory, match=f"{2 * MIB} bytes requested, {MIB} available"):
        Memory.anonymous(2 * MIB)


def test_memory_that_nobody_limits(monkeypatch):
    monkeypatch.setattr(host, "available_memory_bytes", lambda: None)
    monkeypatch.setattr(container, "memory_room_bytes", lambda: None)
    memory = Memory.anonymous(2 * MIB)
    assert memory.size == 2 * MIB
    memory.release()
