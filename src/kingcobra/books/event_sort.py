# SPDX-License-Identifier: GPL-3.0-or-later
"""Sorting more moves than memory holds: sorted runs in temporary files, merged at the end."""

import heapq
import itertools
import tempfile
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import IO

import numpy as np
from numpy.typing import NDArray

from kingcobra.books.games import PlayedMove

# About a hundred megabytes.
RUN_EVENTS = 4_000_000
# What of a run is in memory while runs are merged.
READ_EVENTS = 65_536
EVENT = np.dtype(
    [
        ("key", np.uint64),
        ("order", np.uint64),
        ("move_code", np.uint16),
        ("points", np.uint8),
        ("is_white", np.uint8),
    ]
)
Event = tuple[int, int, int, int, int]


def grouped_by_key(
    moves: Iterable[PlayedMove], run_events: int = RUN_EVENTS
) -> Iterator[tuple[int, list[PlayedMove]]]:
    """The moves of each position, positions by rising key, moves in the order they came in.
    Memory for at most `run_events` moves is used; the rest lies in temporary files."""
    numbered = enumerate(moves)
    with tempfile.TemporaryDirectory(prefix="kingcobra-book-") as folder:
        runs: list[Iterator[Event]] = []
        while True:
            run = _sorted_run(itertools.islice(numbered, run_events))
            if not len(run):
                break
            if not runs and len(run) < run_events:
                runs.append(iter(run.tolist()))
                break
            file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - read by the merge below
            run.tofile(file)
            file.seek(0)
            runs.append(_read_back(file))
        merged = heapq.merge(*runs)
        for key, group in itertools.groupby(merged, key=itemgetter(0)):
            yield key, [PlayedMove(key, code, points, bool(w)) for _, _, code, points, w in group]


def _sorted_run(numbered: Iterable[tuple[int, PlayedMove]]) -> NDArray[np.void]:
    run = np.fromiter(
        ((move.key, order, move.move_code, move.points, move.is_white) for order, move in numbered),
        dtype=EVENT,
    )
    return run[np.lexsort((run["order"], run["key"]))]


def _read_back(file: IO[bytes]) -> Iterator[Event]:
    while True:
        part = np.fromfile(file, dtype=EVENT, count=READ_EVENTS)
        if not len(part):
            file.close()
            return
        yield from part.tolist()
