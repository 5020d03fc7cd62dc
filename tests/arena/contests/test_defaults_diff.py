# SPDX-License-Identifier: GPL-3.0-or-later
"""The diff of new defaults: applied by git and by patch, and nothing but defaults in it."""

import runpy
import shutil
import subprocess
from pathlib import Path

import pytest

from kingcobra.arena.contests.defaults_diff import DefaultsError, defaults_diff, root_of
from kingcobra.core.search import tunables as tunables_module
from kingcobra.core.search.tunables import TUNABLES

SOURCE = Path(tunables_module.__file__)


def applier(name):
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    return {"git": ["git", "apply", "-"], "patch": ["patch", "-p1"]}[name]


def copied_table(packages):
    """The table in a package of its own under the folder."""
    target = packages.joinpath(*tunables_module.__name__.split(".")).with_suffix(".py")
    target.parent.mkdir(parents=True)
    shutil.copy(SOURCE, target)
    return target


def rows(source):
    """The table of a file, whatever dataclass it is made of."""
    return {
        row.name: (row.default, row.low, row.high, row.step, row.meaning)
        for row in runpy.run_path(str(source))["TUNABLES"]
    }


@pytest.mark.parametrize("tool", ["git", "patch"])
@pytest.mark.parametrize("is_checkout", [True, False])
def test_the_diff_changes_exactly_the_defaults(tmp_path, tool, is_checkout):
    packages = tmp_path / ("src" if is_checkout else "site-packages")
    source = copied_table(packages)
    (tmp_path / "pyproject.toml").touch()
    root = root_of(source)
    assert root == (tmp_path if is_checkout else packages).resolve()
    before = rows(source)
    new = {tunable.name: tunable.default + 1 for tunable in TUNABLES[::3]}
    diff = defaults_diff(source, new)
    subprocess.run(applier(tool), cwd=root, input=diff, text=True, check=True, capture_output=True)
    after = rows(source)
    assert after == {name: (new.get(name, row[0]), *row[1:]) for name, row in before.items()}
    changed = [line for line in diff.splitlines() if line[:1] == "+" and line[:3] != "+++"]
    assert len(changed) == len(new)


def test_keywords_negative_values_and_wide_characters(tmp_path):
    source = copied_table(tmp_path)
    source.write_text(
        'TUNABLES = (\n    Tunable(meaning="Größe ½", name="a", default=-12, low=-20),\n'
        '    Tunable("ü", 3, 1, 9, 1, "–"), Tunable("b", 5, 1, 9, 1, "")\n)\n',
        encoding="utf-8",
    )
    added = [
        line[1:]
        for line in defaults_diff(source, {"a": 7, "b": 10, "ü": -1}).splitlines()[2:]
        if line.startswith("+")
    ]
    assert added == [
        '    Tunable(meaning="Größe ½", name="a", default=7, low=-20),',
        '    Tunable("ü", -1, 1, 9, 1, "–"), Tunable("b", 10, 1, 9, 1, "")',
    ]


def test_nothing_new_is_no_diff_and_an_unknown_name_is_an_error():
    assert defaults_diff(SOURCE, {tunable.name: tunable.default for tunable in TUNABLES}) == ""
    with pytest.raises(DefaultsError, match="no tunable nonsense"):
        defaults_diff(SOURCE, {"nonsense": 1})
