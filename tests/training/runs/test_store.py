# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions on the device that trains: a ring of a fixed size."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from kingcobra.training.data.packed import RECORD  # noqa: E402
from kingcobra.training.runs.store import PositionStore  # noqa: E402


def numbered(*numbers):
    records = np.zeros(len(numbers), RECORD)
    records["occupancy"] = numbers
    return records


def kept(store):
    """The numbers that come out, by drawing often."""
    generator = torch.Generator().manual_seed(1)
    return sorted(set(store.draw(2000, generator)[:, 0].tolist()))


def test_it_grows_until_it_is_full():
    store = PositionStore(5, "cpu")
    store.add(numbered(1, 2))
    store.add(numbered(3))
    assert (store.count, kept(store)) == (3, [1, 2, 3])


def test_new_positions_replace_the_oldest():
    store = PositionStore(5, "cpu")
    store.add(numbered(1, 2, 3))
    store.add(numbered(4, 5, 6, 7))
    assert (store.count, kept(store)) == (5, [3, 4, 5, 6, 7])
    store.add(numbered(8))
    assert kept(store) == [4, 5, 6, 7, 8]


def test_of_too_many_at_once_the_last_are_kept():
    store = PositionStore(3, "cpu")
    store.add(numbered(*range(10)))
    assert (store.count, kept(store)) == (3, [7, 8, 9])


def shares(store, numbers):
    """How often each of the numbers is drawn, beside the mean."""
    generator = torch.Generator().manual_seed(2)
    drawn = torch.bincount(store.draw(200_000, generator)[:, 0], minlength=len(numbers) + 1)
    return [drawn[number].item() * len(numbers) / 200_000 for number in numbers]


def test_new_positions_can_be_favoured():
    store = PositionStore(10, "cpu")
    store.favours_new = True
    store.add(numbered(*range(1, 9)))
    expected = [(2 * rank + 1) / 8 for rank in range(8)]
    assert shares(store, range(1, 9)) == pytest.approx(expected, abs=0.05)


def test_in_a_full_store_the_newest_are_favoured():
    store = PositionStore(5, "cpu")
    store.favours_new = True
    store.add(numbered(3, 4, 5))
    store.add(numbered(1, 2))
    store.add(numbered(3))  # takes the place of the first
    expected = {4: 0.2, 5: 0.6, 1: 1.0, 2: 1.4, 3: 1.8}
    found = dict(zip(range(1, 6), shares(store, range(1, 6)), strict=True))
    assert found == pytest.approx(expected, abs=0.05)
