# SPDX-License-Identifier: GPL-3.0-or-later
"""The bench signature: the same everywhere, and changed by every tunable."""

import functools
import os
import subprocess
import sys

import pytest

from kingcobra.core.search.scores import INFINITE
from kingcobra.core.search.techniques import NEVER, TECHNIQUES
from kingcobra.core.search.tunables import TUNABLES
from kingcobra.engine.search_engine import SearchEngine
from kingcobra.kernel.levels import LEVEL_VARIABLE, supported_levels
from kingcobra.kernel.mode import JIT, MODE_VARIABLE, PLAIN
from kingcobra.uci.bench import Bench, parse_task
from tests.engine_process import CLASSICAL

LEVELS = [level.name for level in supported_levels()]
SMALL, MODEST, DEEP = "4", "9", "12"
ONLY_WHERE_DEEP = "check-extension"
# These have tests of their own: the bench has no clock.
ONLY_ON_A_CLOCK = "time_"
FIRST_FEW = ("reverse_margin", "reduce_base", "late_base", "window_start", "bonus_slope")


@pytest.fixture(scope="module")
def engine(core):
    return SearchEngine(core)


def signature(engine, depth, **tunables):
    """The nodes of the default bench from an empty memory, with these tunables."""
    defaults = {tunable.name: tunable.default for tunable in TUNABLES}
    for name, value in (defaults | tunables).items():
        engine.set_tunable(name, value)
    task = parse_task(["1", "1", depth], engine.board)
    engine.set_hash_mb(task.hash_mb)
    engine.clear_learnt()
    bench = Bench(engine, lambda _text: None)
    bench.run(task)
    return bench.totals.nodes


@pytest.fixture(scope="module")
def whole(engine):
    """The signature of the search as it is, for each depth once."""
    return functools.cache(lambda depth: signature(engine, depth))


def signature_of_a_process(depth, *words, settings=(CLASSICAL,), **environment):
    """The same from a process of its own, by default with the classical evaluation."""
    bench = " ".join(["bench 1 1", depth, *words])
    ended = subprocess.run(
        [sys.executable, "-m", "kingcobra"],
        input="\n".join([*settings, bench, ""]),
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    (line,) = [line for line in ended.stderr.splitlines() if line.startswith("Nodes searched")]
    return int(line.split()[-1])


def test_it_is_reproducible(engine):
    assert signature(engine, SMALL) == signature(engine, SMALL)


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_has_the_same(engine, level):
    assert signature_of_a_process(SMALL, **{LEVEL_VARIABLE: level}) == signature(engine, SMALL)


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_has_the_same_with_the_default_network(core, level):
    engine = SearchEngine(core)
    engine.prepare()
    expected = signature(engine, SMALL)
    assert signature_of_a_process(SMALL, settings=(), **{LEVEL_VARIABLE: level}) == expected


def test_plain_python_has_the_same(engine):
    """Of one position: plain Python is ten thousand times slower."""
    of_plain = signature_of_a_process("3", "current", **{MODE_VARIABLE: PLAIN})
    assert of_plain == signature_of_a_process("3", "current")
    assert engine


@pytest.mark.slow
def test_no_index_is_out_of_bounds(engine):
    """With every index checked the search goes the same way."""
    checked = {MODE_VARIABLE: JIT, "NUMBA_BOUNDSCHECK": "1"}
    assert signature_of_a_process(SMALL, **checked) == signature(engine, SMALL)


@pytest.mark.parametrize("name", FIRST_FEW)
def test_a_tunable_changes_it(engine, name):
    (tunable,) = [tunable for tunable in TUNABLES if tunable.name == name]
    assert signature(engine, MODEST, **{name: tunable.high}) != signature(engine, MODEST)


@pytest.mark.slow
def test_every_tunable_changes_it_at_one_end_at_least(engine):
    expected = signature(engine, MODEST)
    idle = [
        tunable.name
        for tunable in TUNABLES
        if not tunable.name.startswith(ONLY_ON_A_CLOCK)
        and all(
            signature(engine, MODEST, **{tunable.name: end}) == expected
            for end in (tunable.low, tunable.high)
        )
    ]
    assert idle == []


@pytest.mark.parametrize("technique", TECHNIQUES, ids=lambda technique: technique.name)
def test_without_a_technique_the_search_is_another(engine, whole, technique):
    depth = DEEP if technique.name == ONLY_WHERE_DEEP else MODEST
    assert signature(engine, depth, **technique.off) != whole(depth)


def test_what_switches_a_technique_off_is_beyond_all_scores():
    assert NEVER > 2 * INFINITE


def test_tunables_are_sensible():
    assert len({tunable.name for tunable in TUNABLES}) == len(TUNABLES)
    for tunable in TUNABLES:
        assert tunable.low <= tunable.default <= tunable.high, tunable.name
        assert tunable.low < tunable.high, tunable.name
        assert 0 < tunable.step <= tunable.high - tunable.low, tunable.name
        assert tunable.meaning.endswith("."), tunable.name
