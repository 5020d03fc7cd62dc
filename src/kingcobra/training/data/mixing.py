# SPDX-License-Identifier: GPL-3.0-or-later
"""Shuffling and filtering more positions than memory holds."""

import contextlib
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kingcobra.core.rules.basics import SQUARES
from kingcobra.training.data.blocks import Block, read_blocks
from kingcobra.training.data.packed import (
    MAX_GAME_PLY,
    RECORD,
    RESULT_MASK,
    RESULT_SHIFT,
    UNKNOWN,
)

# About half a gigabyte.
PART_RECORDS = 1 << 24
MAX_PARTS = 512
BLOCK_RECORDS = 1 << 17
# An odd number without a pattern.
MIXER = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class RecordFilter:
    """Which records are kept. Scores are raw integers; men are counted with both kings."""

    max_score: int = 1 << 31
    min_ply: int = 0
    max_ply: int = MAX_GAME_PLY
    min_men: int = 2
    max_men: int = 32
    needs_result: bool = False
    # Plies before this are thinned out: the first is dropped, the last of them nearly always kept.
    thin_before: int = 0
    seed: int = 1

    def kept(self, records: NDArray[Any]) -> NDArray[Any]:
        """Those of the records that pass."""
        men = np.bitwise_count(records["occupancy"])
        result = records["flags"] >> RESULT_SHIFT & RESULT_MASK
        passes = (
            (np.abs(records["score"].astype(np.int64)) <= self.max_score)
            & (records["game_ply"] >= self.min_ply)
            & (records["game_ply"] <= self.max_ply)
            & (men >= self.min_men)
            & (men <= self.max_men)
        )
        if self.needs_result:
            passes &= result != UNKNOWN
        if self.thin_before:
            share = records["game_ply"] / self.thin_before
            passes &= _chances(records, self.seed) < share
        return records[passes]


class MenFlattener:
    """Thins out the numbers of men that are frequent, so that all have about the same weight: none
    keeps more than the one in the middle of those that there are."""

    def __init__(self, seed: int = 1) -> None:
        self._counts = np.zeros(SQUARES + 1, np.int64)
        self._seed = seed

    def count(self, block: Block) -> None:
        """Counts positions; before any is thinned out."""
        men = np.bitwise_count(block.records["occupancy"])
        self._counts += np.bincount(men, minlength=len(self._counts))

    def kept(self, block: Block) -> NDArray[Any]:
        """Those of the records that stay."""
        present = self._counts[self._counts > 0]
        share = np.median(present) / np.maximum(self._counts, 1)
        men = np.bitwise_count(block.records["occupancy"])
        return block.records[_chances(block.records, self._seed) < share[men]]


def _chances(records: NDArray[Any], seed: int) -> NDArray[np.float64]:
    """A number from 0 to below 1 for each record, which depends on the record and the seed alone:
    the same choice whatever the blocks are."""
    words = np.ascontiguousarray(records).view(np.uint64).reshape(len(records), -1)
    mixed = np.full(len(records), seed, np.uint64)
    for word in words.T:
        mixed = (mixed ^ word) * MIXER
        mixed ^= mixed >> np.uint64(32)
    return (mixed >> np.uint64(11)) / float(1 << 53)


def shuffled(
    paths: Iterable[Path], seed: int, fault: Callable[[str], None], part_records: int = PART_RECORDS
) -> Iterator[NDArray[Any]]:
    """All records of some files in an order that the seed decides, a block at a time. They are
    thrown into parts on disk at random first, then each part is shuffled in memory. May raise
    OSError."""
    paths = list(paths)
    total = sum(path.stat().st_size for path in paths) // RECORD.itemsize
    parts = min(MAX_PARTS, total // part_records + 1)
    rng = np.random.default_rng(seed)
    with tempfile.TemporaryDirectory(prefix="kingcobra-shuffle-") as folder:
        places = [Path(folder) / str(number) for number in range(parts)]
        with contextlib.ExitStack() as stack:
            files = [stack.enter_context(place.open("wb")) for place in places]
            for path in paths:
                for block in read_blocks(path, fault):
                    part_of = rng.integers(parts, size=len(block.records))
                    for number, file in enumerate(files):
                        file.write(block.records[part_of == number].tobytes())
        for place in places:
            records = rng.permutation(np.fromfile(place, RECORD))
            place.unlink()
            for start in range(0, len(records), BLOCK_RECORDS):
                yield records[start : start + BLOCK_RECORDS]
