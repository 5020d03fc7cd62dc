# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions in the memory of the device that trains on them, still packed."""

from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor

from kingcobra.training.data.blocks import DataError
from kingcobra.training.data.packed import RECORD_BYTES, as_words

WORDS_PER_RECORD = RECORD_BYTES // 8


class PositionStore:
    """Packed positions, from which batches are drawn at random. More may be added while it is in
    use; when it is full they replace the oldest.

    A store that grows while batches are drawn evenly shows its first positions far more often than
    its last: of a linear growth to n positions, the one with number k is seen ln(n/k) times the
    mean. With `favours_new` the likelihood rises with the number, and nothing is seen more often
    than twice the mean.
    """

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
        self.favours_new = False
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
        chosen = self._chances(size, generator)
        if self.favours_new:
            # The larger of two numbers; they count from the oldest position.
            chosen = torch.maximum(chosen, self._chances(size, generator))
            if self.count == self.capacity:
                chosen = (chosen + self._next) % self.capacity
        return self._words[chosen]

    def _chances(self, size: int, generator: torch.Generator) -> Tensor:
        return torch.randint(0, self.count, (size,), device=self._words.device, generator=generator)
