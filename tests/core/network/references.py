# SPDX-License-Identifier: GPL-3.0-or-later
"""Stockfish's own integers for published networks, from the shared data's tables."""

import csv
from typing import NamedTuple

import pytest

BUCKETS = range(8)

# The table, and the network that it is of.
TABLES = {
    "sf12_nn-82215d0fd0df.tsv": "nn-82215d0fd0df.nnue",
    "sf14_nn-26abeed38351.tsv": "nn-26abeed38351.nnue",
    "sf14.1_nn-13406b1dcbe0.tsv": "nn-13406b1dcbe0.nnue",
    "sf15_nn-6877cd24400e.tsv": "nn-6877cd24400e.nnue",
    "sf15.1_nn-ad9b42354671.tsv": "nn-ad9b42354671.nnue",
    "sf16_nn-5af11540bbfe.tsv": "nn-5af11540bbfe.nnue",
    "small_nn-37f18f62d772.tsv": "nn-37f18f62d772.nnue",
}


class Reference(NamedTuple):
    """A position, the bucket in use, and the integers of every bucket for the side to move."""

    fen: str
    bucket: int
    psqt: list[int]
    positional: list[int]


def read_table(data_folder, name):
    """The rows of a table; the test is skipped where the data lack it."""
    path = data_folder / "nnue_reference" / name
    if not path.is_file():
        pytest.skip(f"no {path}")
    with path.open(newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def read_references(data_folder, name):
    """What Stockfish says in a table of raw integers."""
    return [_reference(row) for row in read_table(data_folder, name)]


def _reference(row):
    if "raw_output" in row:
        return Reference(row["fen"], 0, [0], [int(row["raw_output"])])
    prefix = "raw_small" if "raw_small_psqt_b0" in row else "raw"
    psqt, positional = (
        [int(row[f"{prefix}_{part}_b{bucket}"]) for bucket in BUCKETS]
        for part in ("psqt", "positional")
    )
    return Reference(row["fen"], int(row["bucket_used"]), psqt, positional)
