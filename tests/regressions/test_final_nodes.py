# SPDX-License-Identifier: GPL-3.0-or-later
"""The final nodes and time of a search were once never told: the last line was that of the last
iteration that had been completed."""

import pytest

LIMIT = 5000


def searched(engine, *commands):
    engine.send(*commands)
    return engine.wait_for("bestmove")


def number(line, name):
    words = line.split()
    return int(words[words.index(name) + 1])


@pytest.mark.parametrize("lines", [1, 3])
def test_all_nodes_are_told_before_bestmove(engine, lines):
    engine.send(f"setoption name MultiPV value {lines}")
    *_, closing, best = searched(engine, f"go nodes {LIMIT}")
    assert number(closing, "nodes") == LIMIT
    assert number(closing, "multipv") == 1
    assert closing.split(" pv ")[1].split()[0] == best.split()[1]


def test_a_stopped_search_ends_with_its_totals(engine):
    engine.send("setoption name Threads value 2", "go infinite")
    told = engine.wait_for("info depth 8 ")
    *rest, closing, _best = told + searched(engine, "stop")
    earlier = [line for line in rest if " nodes " in line]
    assert " pv " in closing
    for name in ("nodes", "time"):
        assert number(closing, name) >= max(number(line, name) for line in earlier)


def test_no_line_is_told_twice(engine):
    """Where nothing is searched after the last iteration, its line is the last."""
    lines = [line for line in searched(engine, "go depth 6") if " pv " in line]
    exact = [number(line, "depth") for line in lines if "bound " not in line]
    assert exact == [1, 2, 3, 4, 5, 6]
