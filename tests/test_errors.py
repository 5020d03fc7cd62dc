# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors as the one line that a user reads."""

import re
import tomllib
from pathlib import Path

import pytest

from kingcobra.errors import line_of, not_installed, reason_of
from tests.paths import REPOSITORY


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


def test_what_a_missing_library_comes_with():
    assert not_installed("Ray", "cluster") == (
        "Ray is not installed; it comes with the extra 'cluster': "
        "pip install -e '.[cluster]' in a clone"
    )
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    sources = [path.read_text(encoding="utf-8") for path in (REPOSITORY / "src").rglob("*.py")]
    call = re.compile(r"""not_installed\(["'][\w ]+["'], ["'](\w+)["']\)""")
    named = {extra for text in sources for extra in call.findall(text)}
    assert {"cluster", "train", "draw", "plot"} <= named <= extras.keys()


def test_nothing_presumes_a_published_package():
    """`pip install kingcobra` would install whatever has that name in the index."""
    pages = [
        *REPOSITORY.glob("*.md"),
        *REPOSITORY.glob("docs/*.md"),
        *REPOSITORY.glob("src/**/*.py"),
    ]
    presuming = re.compile(r"pip install '?kingcobra\b")
    assert [path for path in pages if presuming.search(path.read_text(encoding="utf-8"))] == []
