# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions in the memory of the device that trains on them, still packed."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from kingcobra.core.objects import CORE
from kingcobra.kernel.build import Builder
from kingcobra.kernel.objects import LoadedObject
from kingcobra.training.data.blocks import DataError
from kingcobra.training.data.game_positions import GameFilter, read_positions
from kingcobra.training.data.packed import RECORD_BYTES, as_words

WORDS_PER_RECORD = RECORD_BYTES // 8


class PositionStore:
    """Packed positions, from which batches are drawn at random. More may be added while it is in
    use; when it is full they replace the oldest."""

    def __init__(self, capacity: int, device: torch.device | str) -> None:
        """DataError where the device has no room for so many."""
        try:
            self._words = torch.empty(
                (capacity, WORDS_PER_RECORD), dtype=torch.int64, device=device
            )
        except RuntimeError as error:
            raise DataError(
                f"no room for {capacity} positions on {device}: {str(error).splitlines()[0]}"
            ) from error
        self.count = 0
        self._next = 0

    @property
    def capacity(self) -> int:
        """How many positions there is room for."""
        return len(self._words)

    def add(self, records: NDArray[Any]) -> None:
        """Takes in records; of more than there is room for, the last."""
        records = records[-self.capacity :]
        while len(records):
            part = records[: self.capacity - self._next]
            records = records[len(part) :]
            words = torch.from_numpy(as_words(part).copy())
            self._words[self._next : self._next + len(part)] = words.to(self._words.device)
            self.count = max(self.count, self._next + len(part))
            self._next = (self._next + len(part)) % self.capacity

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
    the origins of their labels. Games count with their quiet positions. DataError where nothing is
    left."""
    parts: list[NDArray[Any]] = []
    origins: list[dict[str, Any]] = []
    for name in paths:
        for block in read_positions(Path(name), GameFilter(), _core, fault):
            parts.append(
                block.records[np.abs(block.records["score"].astype(np.int64)) <= max_score]
            )
            if block.origin not in origins:
                origins.append(block.origin)
    if not sum(map(len, parts)):
        raise DataError(f"no positions in {', '.join(paths)}")
    records = np.concatenate(parts)
    return np.random.default_rng(0).permutation(records), origins


def _core() -> LoadedObject:
    return Builder(CORE, lambda _text: None).obtain()
