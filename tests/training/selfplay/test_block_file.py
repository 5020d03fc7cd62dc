# SPDX-License-Identifier: GPL-3.0-or-later
"""The file of self-play: never the same games twice."""

import pytest

from kingcobra.training.data.blocks import GAMES, read_data
from kingcobra.training.selfplay.block_file import BlockFile
from kingcobra.training.selfplay.settings import SelfPlayError


def test_the_same_seed_and_settings_are_not_appended(tmp_path):
    path = tmp_path / "games.kcp"
    file = BlockFile(path, GAMES, {"seed": 1})
    file.add(b"some games")
    file.close()
    with pytest.raises(SelfPlayError, match="take another --seed"):
        BlockFile(path, GAMES, {"seed": 1}, append=True)
    other = BlockFile(path, GAMES, {"seed": 2}, append=True)
    other.add(b"other games")
    other.close()
    assert [block.data for block in read_data(path, pytest.fail)] == [b"some games", b"other games"]
