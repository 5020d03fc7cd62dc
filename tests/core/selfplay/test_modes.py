# SPDX-License-Identifier: GPL-3.0-or-later
"""Self-play as plain Python, where an index out of bounds and an overflow are errors, writes the
same bytes as machine code."""

from kingcobra.kernel.mode import MODE_VARIABLE, OBJECT, PLAIN
from tests.core.rules.test_modes import run_module

MODULE = "tests.core.selfplay.short_games"


def test_plain_python_writes_the_same_bytes():
    plain = run_module(MODULE, {MODE_VARIABLE: PLAIN})
    assert len(plain) > 500
    assert run_module(MODULE, {MODE_VARIABLE: OBJECT}) == plain
