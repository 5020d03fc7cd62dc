# SPDX-License-Identifier: GPL-3.0-or-later
"""Files about the project say the same: versions of Python, checks, the release."""

import re
import tomllib

from kingcobra.version import __version__
from tests.paths import REPOSITORY

PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))
WORKFLOW = (REPOSITORY / ".github" / "workflows" / "ci.yml").read_text("utf-8")
HOOKS = (REPOSITORY / ".pre-commit-config.yaml").read_text("utf-8")
MAKEFILE = (REPOSITORY / "Makefile").read_text("utf-8")
CHANGELOG = (REPOSITORY / "CHANGELOG.md").read_text("utf-8")

PYTHON_VERSION = re.compile(r"Programming Language :: Python :: (3\.\d+)")


def declared_versions() -> list[str]:
    classifiers = PROJECT["project"]["classifiers"]
    return [match[1] for text in classifiers if (match := PYTHON_VERSION.fullmatch(text))]


def test_the_workflow_tests_every_declared_python() -> None:
    matrix = re.search(r"^ +python: \[(.*)\]$", WORKFLOW, re.MULTILINE)
    assert matrix is not None
    assert re.findall(r'"(3\.\d+)"', matrix[1]) == declared_versions()
    assert PROJECT["project"]["requires-python"] == f">={declared_versions()[0]}"


def test_the_workflow_has_every_platform() -> None:
    runners = re.findall(r"^ +- (\S+) # ", WORKFLOW, re.MULTILINE)
    kinds = {runner.split("-")[0] for runner in runners}
    assert kinds == {"ubuntu", "macos", "windows"}
    assert any(runner.endswith("-arm") for runner in runners)


def test_the_hooks_are_the_checks_of_make_lint() -> None:
    recipe = re.search(r"^lint:.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)
    assert recipe is not None
    tools = re.findall(r"\$\(BIN\)/(ruff \w+|\S+)", recipe[1])
    assert tools
    assert [tool for tool in tools if f"entry: .venv/bin/{tool}" not in HOOKS] == []


def test_the_changelog_has_this_release() -> None:
    releases = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$", CHANGELOG, re.MULTILINE)
    assert releases[0] == __version__
