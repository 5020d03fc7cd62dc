# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading what engines print while they think."""

import pytest

from kingcobra.arena.engines.answers import Thought, parse_info


@pytest.mark.parametrize(
    ("line", "thought"),
    [
        (
            "info depth 12 seldepth 20 multipv 1 score cp 35 nodes 99 nps 5 time 3 pv e2e4",
            Thought(35, None, 12, 99),
        ),
        ("info depth 3 score cp -7 upperbound wdl 1 2 3 nodes 4", Thought(-7, None, 3, 4)),
        ("info depth 3 score cp -7 wdl 1 2 3 upperbound nodes 4", Thought(-7, None, 3, 4)),
        ("info score mate -3 depth 9", Thought(None, -3, 9, None)),
        ("info depth 5 pv e2e4 cp 3 nodes 8", Thought(None, None, 5, None)),
        ("info depth 5 string score cp 3 nodes 8", Thought(None, None, 5, None)),
        ("info string score cp 900 depth 30", Thought()),
        ("info depth x score cp", Thought()),
        ("", Thought()),
    ],
)
def test_info_lines(line, thought):
    assert parse_info(line) == thought


def test_comments():
    assert Thought(cp=35, depth=12).comment() == "+0.35/12"
    assert Thought(cp=-1234, depth=1).comment() == "-12.34/1"
    assert Thought(mate=5, depth=20).comment() == "+M5/20"
    assert Thought(mate=-2).comment() == "-M2/0"
    assert Thought(depth=7).comment() == ""
