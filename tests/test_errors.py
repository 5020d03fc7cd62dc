# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors as the one line that a user reads."""

from pathlib import Path

import pytest

from kingcobra.errors import line_of, reason_of


def raised_by(action):
    with pytest.raises((OSError, ValueError)) as caught:
        action()
    return caught.value


def test_the_system_s_words_without_its_number(tmp_path):
    missing = raised_by(lambda: (tmp_path / "missing").read_text())
    assert "Errno" in str(missing)
    assert reason_of(missing) == "No such file or directory"
    assert line_of(missing) == f"{tmp_path}/missing: No such file or directory"
    folder = raised_by(lambda: Path(tmp_path).read_text())
    assert line_of(folder) == f"{tmp_path}: Is a directory"


def test_errors_that_have_no_file_or_are_not_the_system_s():
    for error in (raised_by(lambda: int("x")), OSError("nobody listens")):
        assert reason_of(error) == line_of(error) == str(error)
    assert line_of(BrokenPipeError(32, "Broken pipe")) == "Broken pipe"
