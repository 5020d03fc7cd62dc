# SPDX-License-Identifier: GPL-3.0-or-later
"""How long the root may be ranked."""

import pytest

from kingcobra.core.search.layout import SearchWorker
from kingcobra.engine import search_tables
from kingcobra.engine.search_tables import RankingDeadline

MS = 1_000_000


@pytest.fixture
def deadline(monkeypatch):
    """A function that says, after probes of so many milliseconds each, whether it is too late."""
    now_ns = 0

    def ask(probes_ms, hard_ms, spent_ms=0, **state):
        nonlocal now_ns
        now_ns = 1000 * MS
        monkeypatch.setattr(search_tables, "monotonic_ns", lambda: now_ns)
        record = SearchWorker()
        record.limits.started_ns = now_ns - spent_ms * MS
        for name, value in state.items():
            setattr(record, name, value)
        deadline = RankingDeadline(record, hard_ms * MS)
        answers = []
        for probe_ms in probes_ms:
            answers.append(deadline.is_passed())
            now_ns += int(probe_ms * MS)
        return [*answers, deadline.is_passed()]

    return ask


def test_a_slow_disk_may_take_half_of_the_time(deadline):
    assert deadline([10] * 6, hard_ms=100) == [False] * 6 + [True]
    assert deadline([10] * 5, hard_ms=100) == [False] * 6
    assert deadline([10] * 4, hard_ms=100, spent_ms=30)[-1]


def test_one_long_wait_is_not_a_slow_disk(deadline):
    """Another process had its turn; the ranking itself takes hardly any time."""
    assert not any(deadline([200, *[0.01] * 30], hard_ms=50))
    assert not any(deadline([200, *[0.01] * 30], hard_ms=50, stop=1))


def test_without_a_clock_only_a_stop_ends_it(deadline):
    assert not any(deadline([100] * 10, hard_ms=0))
    assert deadline([100] * 10, hard_ms=0, stop=1) == [False] * 3 + [True] * 8
    assert not any(deadline([100] * 10, hard_ms=50, pondering=1))
