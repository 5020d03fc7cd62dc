# SPDX-License-Identifier: GPL-3.0-or-later
"""The checksum of tables: against those that the files carry, and against CityHash 1.0."""

import ctypes

import pytest

from kingcobra.engine.tablebases.checksum import checksum_of, hash_of_digests
from kingcobra.kernel.system.file_map import FileMap
from tests.paths import DATA

FILES = sorted((DATA / "syzygy").glob("*.rtb?"))
CHECKSUM_BYTES = 16
PATTERN = bytes((i * 131 + 7 * (i >> 3) + (i * i >> 4)) & 255 for i in range(1024))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_files_have_the_checksum_they_carry(tables_core, path):
    file = FileMap(path)
    done = []
    found = checksum_of(tables_core, file.address, file.size, done.append)
    carried = ctypes.string_at(file.address + file.size - CHECKSUM_BYTES, CHECKSUM_BYTES)
    assert found == carried
    assert done == [file.size - CHECKSUM_BYTES]
    file.release()


@pytest.mark.parametrize(
    ("length", "low", "high"),
    [
        (64, 0xFC2DBD2910A514A2, 0x49BE4A6FD94C384C),
        (896, 0x0E3D3A74E0179C49, 0x6AEAF2423792F551),
    ],
)
def test_digests_of_several_chunks(tables_core, length, low, high):
    """Computed by CityHash 1.0 in C."""
    expected = low.to_bytes(8, "little") + high.to_bytes(8, "little")
    assert hash_of_digests(tables_core, PATTERN[:length]) == expected
