# SPDX-License-Identifier: GPL-3.0-or-later
"""The small suite in every mode: as plain Python by both ways to sliding attacks, with Numba's
bounds check on, and as the machine code of every level."""

import os
import subprocess
import sys

import pytest

from kingcobra.kernel.levels import LEVEL_VARIABLE, supported_levels
from kingcobra.kernel.mode import JIT, MODE_VARIABLE, OBJECT, PLAIN
from tests.core.rules.reference import example_boards
from tests.paths import REPOSITORY

LEVELS = [level.name for level in supported_levels()]
LIMIT_S = 600
BOUNDS_CHECKED = {"NUMBA_BOUNDSCHECK": "1", MODE_VARIABLE: JIT}


def run_module(name: str, changes: dict[str, str]) -> str:
    """What a module prints when it is run in a changed environment; it must end well."""
    environment = {
        key: value
        for key, value in os.environ.items()
        if key not in (MODE_VARIABLE, LEVEL_VARIABLE, "NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK")
    }
    ended = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-m", name],
        cwd=REPOSITORY,
        env=environment | changes,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert "Warning" not in ended.stderr
    return ended.stdout


def run_small_suite(mode: str, level: str, changes: dict[str, str]) -> None:
    output = run_module("tests.core.rules.small_suite", {LEVEL_VARIABLE: level} | changes)
    assert output == f"{mode} {level}: {len(example_boards())} positions\n"


@pytest.mark.parametrize("level", [LEVELS[0], LEVELS[-1]])
def test_plain_python(level: str) -> None:
    """The lowest level multiplies by magics, the highest of a common CPU uses pext."""
    run_small_suite(PLAIN, level, {"NUMBA_DISABLE_JIT": "1"})


def test_bounds_check() -> None:
    run_small_suite(JIT, LEVELS[-1], BOUNDS_CHECKED)


@pytest.mark.parametrize("level", LEVELS)
def test_machine_code(level: str) -> None:
    run_small_suite(OBJECT, level, {})


def test_bounds_check_is_on() -> None:
    """Else the suite above would prove nothing."""
    lines = run_module("tests.core.rules.bounds_probe", BOUNDS_CHECKED).splitlines()
    verdicts = [line.split() for line in lines]
    assert len(verdicts) == 20
    for probe, index, verdict in verdicts:
        expected = "accepted" if index in ("first", "last") else "caught"
        assert verdict == expected, (probe, index)
