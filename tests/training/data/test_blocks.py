# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks: written, joined, cut and damaged."""

import errno
import io
import random

import numpy as np
import pytest

from kingcobra.training.data.blocks import read_blocks, write_block
from kingcobra.training.data.packed import RECORD


def records(count, seed):
    rng = np.random.default_rng(seed)
    return np.frombuffer(rng.bytes(count * RECORD.itemsize), RECORD)


@pytest.fixture
def blocks():
    return [({"teacher": f"net {number}"}, records(10 + number, number)) for number in range(5)]


@pytest.fixture
def file(tmp_path, blocks):
    path = tmp_path / "positions.kcp"
    with path.open("wb") as out:
        for origin, content in blocks:
            write_block(out, origin, content)
    return path


def read(path):
    faults = []
    return list(read_blocks(path, faults.append)), faults


def test_blocks_come_back(file, blocks):
    found, faults = read(file)
    assert not faults
    for block, (origin, content) in zip(found, blocks, strict=True):
        assert block.origin == origin
        assert block.records.tobytes() == content.tobytes()


def test_files_can_be_joined(file, tmp_path):
    joined = tmp_path / "joined.kcp"
    joined.write_bytes(file.read_bytes() * 2)
    assert len(read(joined)[0]) == 10


def test_a_file_that_was_cut_loses_its_last_block(file, blocks):
    content = file.read_bytes()
    for size in random.Random(1).sample(range(1, len(content)), 50):
        file.write_bytes(content[:size])
        found, faults = read(file)
        assert len(found) < len(blocks)
        for block, (origin, _) in zip(found, blocks, strict=False):
            assert block.origin == origin
        assert len(faults) <= 1


def test_a_damaged_block_is_named_and_skipped(file, blocks):
    whole = file.read_bytes()
    rng = random.Random(2)
    for _ in range(200):
        damaged = bytearray(whole)
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        file.write_bytes(damaged)
        found, faults = read(file)
        assert len(found) == len(blocks) - 1
        assert len(faults) == 1
        assert "damaged, skipped" in faults[0]


def test_a_foreign_file_has_no_blocks(tmp_path):
    path = tmp_path / "foreign"
    path.write_bytes(random.Random(3).randbytes(5000))
    assert read(path)[0] == []


class FullDisk(io.RawIOBase):
    """Takes a part of what it is given, then nothing."""

    def __init__(self, room):
        self.room = room

    def writable(self):
        return True

    def write(self, data):
        if not self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        taken = min(self.room, len(data))
        self.room -= taken
        return taken


def test_a_block_that_fits_only_in_part_is_an_error():
    with pytest.raises(OSError, match="No space left"):
        write_block(FullDisk(room=100), {}, records(20, 1))
    write_block(FullDisk(room=100_000), {}, records(20, 1))
