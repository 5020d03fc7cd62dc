# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions in the memory of the device that trains on them, still packed."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from kingcobra.training.data.blocks import DataError, read_blocks
from kingcobra.training.data.packed import RECORD_BYTES, as_words

WORDS_PER_RECORD = RECORD_BYTES // 8


class PositionStore:
    """A number of packed positions, from which batches are drawn at random. More may be added
    while it is in use, up to its capacity."""

    def __init__(self, capacity: int, device: torch.device | str) -> None:
        self._words = torch.empty((capacity, WORDS_PER_RECORD), dtype=torch.int64, device=device)
        self.count = 0

    def add(self, records: NDArray[Any]) -> int:
        """Takes in as many records as there is room for; returns how many."""
        room = min(len(records), len(self._words) - self.count)
        if room:
            words = torch.from_numpy(as_words(records[:room]))
            self._words[self.count : self.count + room] = words.to(self._words.device)
            self.count += room
        return room

    def words(self) -> Tensor:
        """All positions, in the order they came."""
        return self._words[: self.count]

    def draw(self, size: int, generator: torch.Generator) -> Tensor:
        """A batch at random, with repetitions."""
        chosen = torch.randint(
            0, self.count, (size,), device=self._words.device, generator=generator
        )
        return self._words[chosen]


def read_records(
    paths: Iterable[str], max_score: int, fault: Callable[[str], None]
) -> tuple[NDArray[Any], list[dict[str, Any]]]:
    """All records of some files whose scores are within the limit, shuffled with a fixed seed, and
    the origins of their labels. DataError where nothing is left."""
    parts: list[NDArray[Any]] = []
    origins: list[dict[str, Any]] = []
    for name in paths:
        for block in read_blocks(Path(name), fault):
            parts.append(
                block.records[np.abs(block.records["score"].astype(np.int64)) <= max_score]
            )
            if block.origin not in origins:
                origins.append(block.origin)
    if not sum(map(len, parts)):
        raise DataError(f"no positions in {', '.join(paths)} (games are not trained on)")
    records = np.concatenate(parts)
    return np.random.default_rng(0).permutation(records), origins
