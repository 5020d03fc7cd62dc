# SPDX-License-Identifier: GPL-3.0-or-later
"""Boards and batches where nothing is compiled."""

from kingcobra.kernel.mode import MODE_VARIABLE, PLAIN
from tests.core.rules.test_modes import run_module


def test_plain_python() -> None:
    assert run_module("tests.api.plain_suite", {MODE_VARIABLE: PLAIN}) == "plain: 3 positions\n"
