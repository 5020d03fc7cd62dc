# SPDX-License-Identifier: GPL-3.0-or-later
"""Where networks are looked for, and what is refused unread."""

import os
import subprocess
import sys

import pytest

from kingcobra import file_places
from kingcobra.networks.network_files import MAX_FILE_BYTES, NetworkError, find_network


def test_files_are_looked_for_in_several_places(tmp_path, monkeypatch):
    package, working = tmp_path / "package", tmp_path / "working"
    for folder in (package, working):
        folder.mkdir()
    monkeypatch.setattr(file_places, "PACKAGE", package)
    monkeypatch.chdir(working)
    (package / "inside.nnue").touch()
    (tmp_path / "beside.nnue").touch()
    (working / "here.nnue").touch()
    assert find_network(str(package / "inside.nnue")) == package / "inside.nnue"
    assert find_network("inside.nnue") == package / "inside.nnue"
    assert find_network("beside.nnue") == tmp_path / "beside.nnue"
    assert find_network("here.nnue").absolute() == working / "here.nnue"
    with pytest.raises(NetworkError) as caught:
        find_network("nowhere.nnue")
    for folder in (package, tmp_path, working):
        assert str(folder / "nowhere.nnue") in str(caught.value)


def test_files_are_looked_for_beside_the_command(tmp_path, monkeypatch):
    """In the folder of the command as it was called, and where a link to it leads."""
    called, real = tmp_path / "called", tmp_path / "real"
    for folder in (called, real):
        folder.mkdir()
    (real / "kingcobra").touch()
    (called / "kingcobra").symlink_to(real / "kingcobra")
    monkeypatch.setattr(sys, "argv", [str(called / "kingcobra")])
    (called / "link.nnue").touch()
    (real / "command.nnue").touch()
    assert find_network("link.nnue") == called / "link.nnue"
    assert find_network("command.nnue") == real / "command.nnue"
    with pytest.raises(NetworkError, match=str(called / "nowhere.nnue")):
        find_network("nowhere.nnue")


@pytest.mark.parametrize("program", ["", "-c"])
def test_a_python_without_a_command_looks_beside_nothing(tmp_path, monkeypatch, program):
    working = tmp_path / "working"
    working.mkdir()
    monkeypatch.chdir(working)
    monkeypatch.setattr(sys, "argv", [program])
    (tmp_path / "net.nnue").touch()
    with pytest.raises(NetworkError, match="not found"):
        find_network("net.nnue")


def test_a_file_as_given_comes_first(tmp_path, monkeypatch):
    monkeypatch.setattr(file_places, "PACKAGE", tmp_path / "package")
    (tmp_path / "working").mkdir()
    monkeypatch.chdir(tmp_path / "working")
    for folder in (tmp_path, tmp_path / "working"):
        (folder / "net.nnue").touch()
    assert find_network("net.nnue").absolute() == tmp_path / "working" / "net.nnue"


@pytest.mark.parametrize("name", ["", "a\0b", "x" * 5000, "~nobody-of-that-name/net.nnue"])
def test_names_that_are_no_names(name):
    with pytest.raises(NetworkError):
        find_network(name)


def test_directories_and_pipes_are_refused_unopened(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "dangling").symlink_to(tmp_path / "gone")
    for path in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(NetworkError, match="not a regular file"):
            find_network(str(path))
    with pytest.raises(NetworkError, match="dangling: No such file or directory"):
        find_network(str(tmp_path / "dangling"))


def test_files_too_large_for_any_network(tmp_path):
    path = tmp_path / "huge.nnue"
    with path.open("wb") as file:
        file.truncate(MAX_FILE_BYTES + 1)
    with pytest.raises(NetworkError, match="no supported network has more than"):
        find_network(str(path))


def test_finding_needs_no_numpy():
    program = "import sys, kingcobra.networks.network_files; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
