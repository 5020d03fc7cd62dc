# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables inside objects: zero at first, each object's own, and checked in the twin."""

import pytest

from kingcobra.kernel.levels import supported_levels
from kingcobra.kernel.statics import static_table
from tests.kernel.probe_entries import FILLED_ON_LOAD, LAST, TABLE_LENGTH

ALL_ONES = (1 << 64) - 1


def test_table_is_zero_until_filled_and_on_load_has_run(obtain_probe, probe_level):
    probe = obtain_probe(probe_level)
    assert [probe.table_load(index) for index in range(LAST)] == [0] * LAST
    assert probe.table_load(LAST) == FILLED_ON_LOAD
    for index in range(TABLE_LENGTH):
        probe.table_store(index, ALL_ONES - index)
    assert [probe.table_load(index) & ALL_ONES for index in range(TABLE_LENGTH)] == [
        ALL_ONES - index for index in range(TABLE_LENGTH)
    ]


def test_each_loaded_object_has_a_table_of_its_own(obtain_probe):
    level = supported_levels()[-1]
    one, other = obtain_probe(level), obtain_probe(level)
    one.table_store(0, 17)
    assert other.table_load(0) == 0
    other.table_store(0, 18)
    assert one.table_load(0) == 17


def test_twin_checks_its_bounds():
    load, store = static_table("test_table", 3)
    store(2, 5)
    assert [int(load(index)) for index in range(3)] == [0, 0, 5]
    for index in (-1, 3):
        with pytest.raises(IndexError, match=rf"test_table\[{index}\], length 3"):
            load(index)
        with pytest.raises(IndexError, match=rf"test_table\[{index}\], length 3"):
            store(index, 1)
