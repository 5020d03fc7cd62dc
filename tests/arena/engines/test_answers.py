# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading what engines print while they think."""

import pytest

from kingcobra.arena.engines.answers import SearchInfo, parse_info


@pytest.mark.parametrize(
    ("line", "search_info"),
    [
        (
            "info depth 12 seldepth 20 multipv 1 score cp 35 nodes 99 nps 5 time 3 pv e2e4",
            SearchInfo(35, None, 12, 99),
        ),
        ("info depth 3 score cp -7 upperbound wdl 1 2 3 nodes 4", SearchInfo(-7, None, 3, 4)),
        ("info depth 3 score cp -7 wdl 1 2 3 upperbound nodes 4", SearchInfo(-7, None, 3, 4)),
        ("info score mate -3 depth 9", SearchInfo(None, -3, 9, None)),
        ("info depth 5 pv e2e4 cp 3 nodes 8", SearchInfo(None, None, 5, None)),
        ("info depth 5 string score cp 3 nodes 8", SearchInfo(None, None, 5, None)),
        ("info string score cp 900 depth 30", SearchInfo()),
        ("info depth x score cp", SearchInfo()),
        ("", SearchInfo()),
    ],
)
def test_info_lines(line, search_info):
    assert parse_info(line) == search_info


def test_comments():
    assert SearchInfo(cp=35, depth=12).comment() == "+0.35/12"
    assert SearchInfo(cp=-1234, depth=1).comment() == "-12.34/1"
    assert SearchInfo(mate=5, depth=20).comment() == "+M5/20"
    assert SearchInfo(mate=-2).comment() == "-M2/0"
    assert SearchInfo(depth=7).comment() == ""
