# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of tables against python-chess's."""

import chess.syzygy
import pytest

from kingcobra.core.tables.material import mirrored
from kingcobra.engine.tablebases.names import has_pawns, key_of, men_in, name_of

NAMES = list(chess.syzygy.tablenames(piece_count=7))


def test_names_there_and_back():
    assert len(NAMES) > 1500
    keys = [key_of(name) for name in NAMES]
    assert None not in keys
    assert len(set(keys)) == len(keys)
    for name, key in zip(NAMES, keys, strict=True):
        assert name_of(key) == name
        assert name_of(mirrored(key)) == name
        assert men_in(key) == len(name) - 1
        assert has_pawns(key) == ("P" in name)


def test_the_side_named_first_may_be_the_weaker_one():
    assert key_of("KRvKQ") == mirrored(key_of("KQvKR"))
    assert name_of(key_of("KRvKQ")) == "KQvKR"


@pytest.mark.parametrize(
    "name",
    ["", "K", "KvK", "KQ", "QvK", "KQvQ", "KKvK", "kqvk", "KQvKX", "KQQQQQQvK", "KQvK ", "KQVK"],
)
def test_what_is_no_table(name):
    assert key_of(name) is None
