# SPDX-License-Identifier: GPL-3.0-or-later
"""How a search deepens, in plain Python."""

import pytest

from kingcobra.core.search import think
from tests.core.search.stopped_search import FINISHED_DEPTH, stopped_worker


@pytest.fixture
def worker():
    return stopped_worker()


@pytest.fixture
def windows(worker, monkeypatch):
    """The windows of a search whose first one fails low."""
    tried = []

    def search_root(_worker, alpha, beta, _depth):
        tried.append((alpha, beta))
        return alpha - 1 if len(tried) == 1 else alpha + 1

    monkeypatch.setattr(think, "search_root", search_root)
    worker.stopped = 0
    worker.line_end = worker.root_count
    return tried


@pytest.mark.parametrize(("line", "ends"), [(0, 0), (1, 1)])
def test_a_best_move_that_fails_low_needs_another_look_after_ponderhit(worker, windows, line, ends):
    """A worse line that fails low changes nothing of what was found."""
    worker.lines = 2
    worker.line = line
    worker.ends_at_ponderhit = 1
    think.aspire(worker, FINISHED_DEPTH)
    assert worker.ends_at_ponderhit == ends
    first, second = windows
    assert second[0] < first[0]
