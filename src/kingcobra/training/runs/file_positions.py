# SPDX-License-Identifier: GPL-3.0-or-later
"""The positions of files: what a run learns from, and what it holds back to validate with."""

from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kingcobra.core.objects import CORE
from kingcobra.kernel.build import Builder
from kingcobra.kernel.objects import LoadedObject
from kingcobra.training.data.blocks import DataError
from kingcobra.training.data.game_positions import GameFilter, read_positions
from kingcobra.training.runs.store import PositionStore

# Shares of the positions that are held back: a small one is many games already.
LEAST_HELD, MOST_HELD = 0.02, 0.1
# Positions of one game stand together in a file and resemble each other, so what is held back are
# stretches of several games.
STRETCH = 1 << 13
SAMPLING_SEED = 0


class FilePositions:
    """Positions in the order of their files, until they are handed on."""

    def __init__(self, parts: Iterable[NDArray[Any]], origins: Iterable[dict[str, Any]]) -> None:
        """Origins say whose labels they are."""
        self._parts = deque(parts)
        self.origins = list(origins)

    @classmethod
    def read(
        cls, paths: list[str], max_score: int, fault: Callable[[str], None]
    ) -> "FilePositions":
        """All positions of some files whose scores are within the limit. Games count with their
        quiet positions. DataError where nothing is left. May raise OSError."""
        parts: list[NDArray[Any]] = []
        origins: list[dict[str, Any]] = []
        for name in paths:
            for block in read_positions(Path(name), GameFilter(), compiled_core, fault):
                is_kept = np.abs(block.records["score"].astype(np.int64)) <= max_score
                parts.append(block.records[is_kept])
                if block.origin not in origins:
                    origins.append(block.origin)
        found = cls(parts, origins)
        if not len(found):
            raise DataError(f"no positions in {', '.join(paths)}")
        return found

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    def sample(self, count: int) -> NDArray[Any]:
        """So many positions, or all there are, in random order: the same each time."""
        records = np.concatenate(self._parts)
        order = np.random.default_rng(SAMPLING_SEED).permutation(len(records))
        return records[order[:count]]

    def hold_back(self, count: int) -> NDArray[Any]:
        """So many positions, or fewer, of stretches that are taken out. DataError where nothing
        would be left to learn from."""
        total = len(self)
        if total <= 1:
            raise DataError("one position is too few: some are held back to validate with")
        share = min(max(count / total, LEAST_HELD), MOST_HELD)
        period = min(int(1 / share), total)
        stretch = min(STRETCH, total // period)
        held: list[NDArray[Any]] = []
        first = 0
        for _ in range(len(self._parts)):
            part = self._parts.popleft()
            numbers = np.arange(first, first + len(part)) // stretch
            is_held = numbers % period == period - 1
            held.append(part[is_held])
            self._parts.append(part[~is_held])
            first += len(part)
        return FilePositions(held, ()).sample(count)

    def hand_on(self, store: PositionStore) -> None:
        """Moves everything into a store, a part at a time: memory need not hold it twice."""
        while self._parts:
            store.add(self._parts.popleft())


def compiled_core() -> LoadedObject:
    """The core, compiled where it is missing."""
    return Builder(CORE, lambda _text: None).obtain()
