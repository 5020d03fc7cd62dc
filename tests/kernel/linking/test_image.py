# SPDX-License-Identifier: GPL-3.0-or-later
"""Layouts that contradict themselves are refused before anything is copied."""

import pytest

from kingcobra.kernel.linking.image import MOST_BYTES, PAGE_BYTES, ImageError, ImageLayout

SOUND = ImageLayout(
    2 * PAGE_BYTES,
    PAGE_BYTES,
    0,
    {"first": 0, "last": 2 * PAGE_BYTES - 1},
    {"memset": 2 * PAGE_BYTES, "memcpy": 3 * PAGE_BYTES - 8},
)
IMPORTS = frozenset({"memset", "memcpy"})


def test_a_sound_layout():
    SOUND.require_sound(bytes(3 * PAGE_BYTES), IMPORTS)
    SOUND.require_sound(b"", IMPORTS)
    assert SOUND.size == 3 * PAGE_BYTES


@pytest.mark.parametrize(
    ("lie", "reason"),
    [
        ({"code_bytes": 100}, "code_bytes 100: not whole pages"),
        ({"code_bytes": -PAGE_BYTES}, "not whole pages"),
        ({"constant_bytes": "4096"}, "constant_bytes '4096': not whole pages"),
        ({"data_bytes": 4096.0}, "data_bytes 4096.0: not whole pages"),
        ({"data_bytes": MOST_BYTES}, "bytes in memory"),
        ({"code_bytes": 0, "constant_bytes": 0}, "0 bytes in memory"),
        ({"constant_bytes": 0}, "12288 bytes stored, 8192 in memory"),
        ({"entries": {"first": 2 * PAGE_BYTES}}, "entry point first at 8192: outside the code"),
        ({"entries": {"first": -1}}, "entry point first at -1: outside the code"),
        ({"entries": {"first": None}}, "entry point first at None: outside the code"),
        ({"imports": {"system": 2 * PAGE_BYTES}}, "needs system, not one of the C library's"),
        ({"imports": {"memset": 2 * PAGE_BYTES + 4}}, "address of memset at 8196: not aligned"),
        ({"imports": {"memset": True}}, "address of memset at True: not aligned"),
        ({"imports": {"memset": 0}}, "address of memset at 0: outside the constants"),
        ({"imports": {"memset": 3 * PAGE_BYTES}}, "address of memset at 12288: outside"),
        ({"imports": []}, "entry points and imports are not tables"),
        ({"entries": "first"}, "entry points and imports are not tables"),
    ],
    ids=str,
)
def test_a_layout_that_lies(lie, reason):
    with pytest.raises(ImageError, match=reason):
        SOUND._replace(**lie).require_sound(bytes(3 * PAGE_BYTES), IMPORTS)
