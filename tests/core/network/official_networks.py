# SPDX-License-Identifier: GPL-3.0-or-later
"""Stockfish's own networks, and the integers that Stockfish computes with them.

The tests carry the integers (tests/data/stockfish), but not the networks. A test that needs one
takes the fixture `network_file` and is skipped where the file is not at hand.
"""

import csv
from typing import NamedTuple

import pytest

from tests.paths import DATA

FOLDER = DATA / "stockfish"
BUCKETS = range(8)
POSITIONS = 100

# Every network by its file, and its architecture.
OFFICIAL_NETWORKS = {
    "nn-82215d0fd0df.nnue": "HalfKP-41024-256x2-32-32-1",
    "nn-26abeed38351.nnue": "HalfKAv2-45056-512x2-16-32-1",
    "nn-13406b1dcbe0.nnue": "HalfKAv2_hm-22528-1024x2-8-32-1",
    "nn-6877cd24400e.nnue": "HalfKAv2_hm-22528-1024-15+1-32-1",
    "nn-ad9b42354671.nnue": "HalfKAv2_hm-22528-1024-(15+1)x2-32-1",
    "nn-5af11540bbfe.nnue": "HalfKAv2_hm-22528-1536-(15+1)x2-32-1",
    "nn-baff1ede1f90.nnue": "HalfKAv2_hm-22528-128-(15+1)x2-32-1",
    "nn-37f18f62d772.nnue": "HalfKAv2_hm-22528-128-(15+1)x2-32-1",
    "nn-9067e33176e8.nnue": "HalfKAv2_hm-22528-256-(15+1)x2-32-1",
}
SMALL_NETWORK = "nn-37f18f62d772.nnue"
LITE_NETWORK = "nn-9067e33176e8.nnue"
# One network of each architecture that differs from the others, for the default run …
COMMON_WITH_INTEGERS = [
    "nn-82215d0fd0df.nnue",
    "nn-26abeed38351.nnue",
    "nn-ad9b42354671.nnue",
    SMALL_NETWORK,
]
# … and those that are in no folder by themselves, for the slow one.
RARE_WITH_INTEGERS = ["nn-13406b1dcbe0.nnue", "nn-6877cd24400e.nnue", "nn-5af11540bbfe.nnue"]
WITH_INTEGERS = [
    *COMMON_WITH_INTEGERS,
    *(pytest.param(name, marks=pytest.mark.slow) for name in RARE_WITH_INTEGERS),
]


class Reference(NamedTuple):
    """A position, the bucket in use, and the integers of every bucket for the side to move."""

    fen: str
    bucket: int
    psqt: list[int]
    positional: list[int]


class PrintedReference(NamedTuple):
    """The same in pawns, as Stockfish 17 prints them."""

    fen: str
    bucket: int
    psqt: list[float]
    positional: list[float]


def stockfish_integers(network_name):
    """What Stockfish computes with a network, for each of the positions."""
    fens = (FOLDER / "positions.fen").read_text(encoding="ascii").splitlines()
    rows = _rows(network_name.replace(".nnue", ".tsv"))
    found = [_reference(fen, row) for fen, row in zip(fens, rows, strict=True)]
    assert len(found) == POSITIONS
    return found


def stockfish_pawns():
    """What Stockfish prints for positions with the lite network."""
    return [
        PrintedReference(
            row["fen"],
            int(row["bucket"]),
            [float(word) for word in row["psqt"].split(",")],
            [float(word) for word in row["positional"].split(",")],
        )
        for row in _rows(LITE_NETWORK.replace(".nnue", "_pawns.tsv"))
    ]


def _rows(name):
    with (FOLDER / name).open(encoding="ascii", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def _reference(fen, row):
    """Networks before Stockfish 14 have one bucket, and no PSQT part."""
    if "bucket" not in row:
        return Reference(fen, 0, [0], [int(row["positional_0"])])
    psqt, positional = (
        [int(row[f"{part}_{bucket}"]) for bucket in BUCKETS] for part in ("psqt", "positional")
    )
    return Reference(fen, int(row["bucket"]), psqt, positional)
