# SPDX-License-Identifier: GPL-3.0-or-later
"""Bulk perft at each level that this CPU has: what the fallbacks cost."""

from collections.abc import Iterator

from benchmarks.clock import Contender, race
from benchmarks.compiled_core import counter, load
from benchmarks.figures import Figure
from benchmarks.perft import TREES
from kingcobra.kernel.levels import supported_levels


def measure(rounds: int) -> Iterator[Figure]:
    """One figure for each level and tree, all levels side by side in this process."""
    cores = {level.name: load(level) for level in supported_levels()}
    for tree in TREES:
        contenders = [
            Contender(name, tree.counted_by(counter(core, tree.fen).count))
            for name, core in cores.items()
        ]
        race(contenders, rounds)
        yield from (tree.speed(contender) for contender in contenders)
