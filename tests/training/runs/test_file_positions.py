# SPDX-License-Identifier: GPL-3.0-or-later
"""What is held back to validate with: stretches of files, so that no game is on both sides."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed")

from kingcobra.training.data.blocks import DataError, write_block
from kingcobra.training.data.packed import RECORD
from kingcobra.training.runs.file_positions import MOST_HELD, FilePositions
from kingcobra.training.runs.store import PositionStore

GAME = 1000


def games(count):
    """Positions of so many games: the number of the game, and that of the position."""
    records = np.zeros(count * GAME, RECORD)
    records["occupancy"] = np.arange(len(records)) // GAME
    records["score"] = np.arange(len(records))
    return records


def of_parts(records, parts=7):
    return FilePositions(np.array_split(records, parts), [{}])


def left_in(positions):
    store = PositionStore(len(positions), "cpu")
    positions.hand_on(store)
    assert not len(positions)
    return store._words[:, 0].tolist()


def test_games_are_on_one_side_but_for_the_edges():
    positions = of_parts(games(500))
    held = positions.hold_back(2000)
    assert len(held) == 2000
    assert len(np.unique(held["score"])) == 2000
    games_held = set(held["occupancy"].tolist())
    assert len(games_held) >= 8
    shared = games_held & set(left_in(positions))
    assert len(shared) <= 4


def test_all_of_a_file_is_used_once():
    records = games(3)
    positions = of_parts(records)
    held = positions.hold_back(10**6)
    assert len(held) == MOST_HELD * len(records)
    assert len(positions) + len(held) == len(records)


def test_the_same_files_give_the_same_sides():
    first, second = (of_parts(games(20), parts).hold_back(100) for parts in (3, 11))
    assert first.tobytes() == second.tobytes()


@pytest.mark.parametrize("total", [2, 5, 9, 11, 99])
def test_few_positions(total):
    positions = of_parts(games(1)[:total], 2)
    held = positions.hold_back(100)
    assert 1 <= len(held) < total
    assert len(positions) + len(held) == total


def test_one_position_cannot_be_divided():
    with pytest.raises(DataError, match="one position is too few"):
        of_parts(games(1)[:1], 1).hold_back(100)


def test_a_sample_is_of_the_whole_file():
    positions = of_parts(games(10))
    chosen = positions.sample(500)
    assert set(chosen["occupancy"].tolist()) == set(range(10))
    assert len(positions.sample(10**6)) == len(positions)


def test_scores_beyond_the_limit_are_left_out(tmp_path):
    path = tmp_path / "some.kcp"
    with path.open("wb") as file:
        for number in range(2):
            write_block(file, {"part": number}, games(1))
    positions = FilePositions.read([str(path)], 99, pytest.fail)
    assert len(positions) == 200
    assert positions.origins == [{"part": 0}, {"part": 1}]
    with pytest.raises(DataError, match="no positions in"):
        FilePositions.read([str(path)], -1, pytest.fail)
