# SPDX-License-Identifier: GPL-3.0-or-later
"""The search as plain Python calls it."""

import numpy as np

from kingcobra.core.search import hash_table, layout, mate
from kingcobra.core.search.think import think as think_compiled
from kingcobra.kernel.compiled import entry
from kingcobra.kernel.instructions.bits import monotonic_ns
from kingcobra.kernel.records import record_at

worker_at = record_at(layout.SearchWorker)


@entry
def think(worker_address):
    """Thinks until a limit or `stop`; returns the depth completed."""
    return think_compiled(worker_at(worker_address))


@entry
def fullness_permille(worker_address):
    """How much of the hash table the present search has filled, in thousandths."""
    return hash_table.fullness_permille(worker_at(worker_address))


@entry
def is_mate_refuted(worker_address):
    """Whether the mate that was asked for is proved not to exist."""
    worker = worker_at(worker_address)
    return np.int64(worker.limits.mate != 0 and mate.is_mate_refuted(worker))


@entry
def clock_ns():
    """The clock that the search reads."""
    return monotonic_ns()
