# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions that no run learns from or chooses its network by: their distances make runs
comparable."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import torch

from kingcobra.training.data.blocks import Block, DataError
from kingcobra.training.data.comparison import Comparison, Distance
from kingcobra.training.data.expectations import labels_in_pawns, raw_per_pawn_of
from kingcobra.training.data.game_positions import GameFilter, read_positions
from kingcobra.training.data.packed import as_words
from kingcobra.training.model.integers import IntegerNetwork
from kingcobra.training.runs.file_positions import compiled_core

AT_A_TIME = 16_384


class Holdout(NamedTuple):
    """A file of labelled positions."""

    name: str
    blocks: list[Block]


def read_holdouts(names: Sequence[str], fault: Callable[[str], None]) -> list[Holdout]:
    """All positions of some files; games count with their quiet positions. DataError for a file
    without any, or two of one name. May raise OSError."""
    found: dict[str, Holdout] = {}
    for name in names:
        blocks = list(read_positions(Path(name), GameFilter(), compiled_core, fault))
        if not any(len(block.records) for block in blocks):
            raise DataError(f"no positions in {name}")
        short = Path(name).name
        if short in found:
            raise DataError(f"two holdouts are named {short}")
        found[short] = Holdout(short, blocks)
    return list(found.values())


def distances_of(
    integers: IntegerNetwork, holdout: Holdout, device: torch.device
) -> list[Distance]:
    """How far a network's integers, on a device, are from the labels, which are taken to be in its
    unit."""
    comparison = Comparison()
    for block in holdout.blocks:
        for first in range(0, len(block.records), AT_A_TIME):
            part = Block(block.origin, block.records[first : first + AT_A_TIME])
            words = torch.from_numpy(as_words(part.records).copy()).to(device)
            raw = integers.evaluate(words).total.cpu().numpy()
            values = raw / raw_per_pawn_of(part)
            comparison.add(part.records, labels_in_pawns(part), values)
    return comparison.distances()
