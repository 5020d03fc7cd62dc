# SPDX-License-Identifier: GPL-3.0-or-later
"""Files appear as a whole or not at all."""

from pathlib import Path

import pytest

from kingcobra.file_writing import draft_of, write_atomically


def test_atomic_write_leaves_the_data_and_nothing_else(tmp_path):
    path = tmp_path / "new" / "folders" / "file"
    for data in (b"first", b"second"):
        write_atomically(path, data)
        assert path.read_bytes() == data
        assert [entry.name for entry in path.parent.iterdir()] == ["file"]


def test_atomic_write_that_fails_leaves_what_was_there(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_bytes(b"before")

    def fail(*_arguments):
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_atomically(path, b"after")
    assert path.read_bytes() == b"before"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_a_draft_lies_beside_its_file_until_it_is_whole(tmp_path):
    path = tmp_path / "file"
    path.write_text("before")
    with draft_of(path) as draft:
        assert draft.parent == tmp_path
        draft.write_text("after")
        assert path.read_text() == "before"
    assert path.read_text() == "after"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_draft_that_fails_is_removed(tmp_path, error):
    def fail():
        with draft_of(tmp_path / "file") as draft:
            draft.write_text("half")
            raise error

    with pytest.raises(error):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_missing_is_an_error_of_the_system(tmp_path):
    with pytest.raises(FileNotFoundError), draft_of(tmp_path / "none" / "file") as draft:
        draft.write_text("")
