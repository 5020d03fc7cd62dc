# SPDX-License-Identifier: GPL-3.0-or-later
"""A search in plain Python that was stopped in the middle of an iteration."""

from kingcobra.core.search.layout import EXACT, SearchWorker
from kingcobra.core.search.tunables import DEFAULTS

BEST, OTHER, REPLY, THIRD = 100, 200, 300, 400
STEADY = 20
FINISHED_DEPTH = 7


def stopped_worker():
    """A search that was stopped in its eighth iteration. After the seventh its first move was
    best; nothing has happened since."""
    record = SearchWorker()
    for name, value in DEFAULTS.items():
        setattr(record.params, name, value)
    record.lines = 1
    record.root_count = 2
    record.root_depth, record.completed_depth = FINISHED_DEPTH + 1, FINISHED_DEPTH
    set_root(record.root[0], BEST, STEADY, depth=FINISHED_DEPTH)
    set_root(record.root[1], OTHER, STEADY - 5, depth=FINISHED_DEPTH)
    set_root(record.finished_best, BEST, STEADY, depth=FINISHED_DEPTH)
    record.stopped = 1
    return record


def set_root(root_move, move, score, bound=EXACT, depth=FINISHED_DEPTH + 1):
    root_move.move, root_move.score, root_move.mean_score = move, score, score
    root_move.line_score = score
    root_move.bound, root_move.depth = bound, depth
    root_move.pv[0], root_move.pv[1] = move, REPLY
    root_move.pv_length = 2
