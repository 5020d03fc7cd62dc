# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the cache lies on each system, and the lock around a compilation."""

import errno
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from kingcobra.kernel import host

PATIENCE_S = 600


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch):
    """A user of whom nothing is known but the home directory."""
    for name in (host.CACHE_VARIABLE, "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/somebody"))


@pytest.fixture
def on_system(monkeypatch):
    def be(name):
        monkeypatch.setattr(host, "IS_WINDOWS", name == "windows")
        monkeypatch.setattr(host, "IS_MACOS", name == "macos")

    return be


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        ("linux", "/home/somebody/.cache/kingcobra"),
        ("macos", "/home/somebody/Library/Caches/kingcobra"),
        ("windows", "/home/somebody/AppData/Local/kingcobra"),
    ],
)
def test_default_cache_directory(on_system, system, expected):
    on_system(system)
    assert host.cache_directory() == Path(expected)


@pytest.mark.parametrize(
    ("system", "variable", "obeyed"),
    [
        ("linux", "XDG_CACHE_HOME", True),
        ("linux", "LOCALAPPDATA", False),
        ("macos", "XDG_CACHE_HOME", False),
        ("windows", "LOCALAPPDATA", True),
        ("windows", "XDG_CACHE_HOME", False),
    ],
)
def test_variables_of_the_systems(on_system, monkeypatch, system, variable, obeyed):
    on_system(system)
    monkeypatch.setenv(variable, "/elsewhere")
    assert (host.cache_directory() == Path("/elsewhere/kingcobra")) == obeyed


@pytest.mark.parametrize("system", ["linux", "macos", "windows"])
def test_own_variable_wins_and_is_taken_as_it_is(on_system, monkeypatch, system):
    on_system(system)
    monkeypatch.setenv("XDG_CACHE_HOME", "/elsewhere")
    monkeypatch.setenv("LOCALAPPDATA", "/elsewhere")
    monkeypatch.setenv("KINGCOBRA_CACHE", "/objects")
    assert host.cache_directory() == Path("/objects")


@pytest.mark.parametrize("variable", ["KINGCOBRA_CACHE", "XDG_CACHE_HOME"])
def test_empty_variables_count_as_missing(on_system, monkeypatch, variable):
    on_system("linux")
    monkeypatch.setenv(variable, "")
    assert host.cache_directory() == Path("/home/somebody/.cache/kingcobra")


def test_without_a_home_nothing_is_cached(on_system, monkeypatch):
    def refuse():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", refuse)
    on_system("linux")
    folder = host.cache_directory()
    with pytest.raises(NotADirectoryError):
        (folder / "object").read_bytes()
    with pytest.raises(NotADirectoryError):
        folder.mkdir(parents=True)
    monkeypatch.setenv(host.CACHE_VARIABLE, "/objects")
    assert host.cache_directory() == Path("/objects")


LOCK_AND_WAIT = """
import sys
from pathlib import Path
from kingcobra.kernel import host

with host.exclusive_lock(Path(sys.argv[1]), lambda: None) as locked:
    print(locked, flush=True)
    sys.stdin.read()
"""


def holder_of(path):
    process = subprocess.Popen(
        [sys.executable, "-c", LOCK_AND_WAIT, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout.readline().strip() == b"True"
    return process


def test_lock_is_free_at_first_and_gone_afterwards(tmp_path):
    path = tmp_path / "lock"
    waited = []
    with host.exclusive_lock(path, lambda: waited.append(True)) as locked:
        assert locked
        assert path.exists()
    assert not waited
    assert not path.exists()


def test_lock_goes_away_with_an_error(tmp_path):
    path = tmp_path / "lock"
    with pytest.raises(RuntimeError, match="inside"), host.exclusive_lock(path, lambda: None):
        raise RuntimeError("inside")
    assert not path.exists()


@pytest.mark.parametrize("ending", ["leaves", "is killed"])
def test_lock_is_waited_for_until_its_holder_ends(tmp_path, ending):
    path = tmp_path / "lock"
    with holder_of(path) as holder:
        end = holder.stdin.close if ending == "leaves" else holder.kill
        # Called once the lock was found taken, so the holder ends only then.
        with host.exclusive_lock(path, end) as locked:
            assert locked
            holder.wait()
    assert not path.exists()


def test_a_lock_nobody_lets_go_of_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr(host, "LOCK_TIMEOUT_S", 0.0)
    path = tmp_path / "lock"
    with holder_of(path) as holder:
        with host.exclusive_lock(path, lambda: None) as locked:
            assert not locked
        assert path.exists()
        holder.stdin.close()


@pytest.mark.skipif(host.IS_WINDOWS, reason="locks by fcntl")
def test_nobody_waits_where_the_file_system_knows_no_locks(tmp_path, monkeypatch):
    import fcntl

    def refuse(*_arguments):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    waited = []
    with host.exclusive_lock(tmp_path / "lock", lambda: waited.append(True)) as locked:
        assert not locked
    assert not waited
    assert list(tmp_path.iterdir()) == []


def test_no_lock_where_no_file_can_be(tmp_path):
    (tmp_path / "file").touch()
    with host.exclusive_lock(tmp_path / "file" / "lock", lambda: None) as locked:
        assert not locked


def test_who_waited_for_a_lock_keeps_the_next_one_out(tmp_path):
    path = tmp_path / "lock"
    waiting, entered, leave = (threading.Event() for _ in range(3))

    def second():
        with host.exclusive_lock(path, waiting.set):
            entered.set()
            leave.wait(PATIENCE_S)

    thread = threading.Thread(target=second)
    with host.exclusive_lock(path, lambda: None):
        thread.start()
        assert waiting.wait(PATIENCE_S)
    assert entered.wait(PATIENCE_S)
    # The third is the one who lets the second go, once it has to wait.
    with host.exclusive_lock(path, leave.set) as locked:
        assert locked
        assert leave.is_set()
    thread.join()
