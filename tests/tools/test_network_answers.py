# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers by compiled code and by NumPy are the same, where both give one."""

import pytest

from kingcobra.board.fen import FenError
from kingcobra.core.network.architectures import SQUARED
from kingcobra.networks.file import write_network
from kingcobra.networks.loading import load
from kingcobra.tools.network_answers import compiled_respondent, plain_respondent
from tests.core.network.random_boards import random_boards
from tests.core.network.random_networks import random_network

IN_CHECK_AFTER_MOVING = "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"


def quiet(_text):
    """Nobody needs to hear of progress."""


@pytest.fixture(scope="module")
def respondents(core, tmp_path_factory):
    """Both, for a network whose code the engine's small network shares."""
    assert core
    network = random_network(SQUARED.at_width(128))
    path = tmp_path_factory.mktemp("networks") / "random.nnue"
    write_network(network, path)
    return compiled_respondent(load(path, quiet), quiet), plain_respondent(network)


def test_answers_are_the_same(respondents):
    compiled, plain = respondents
    for board in random_boards(100, seed=7):
        assert compiled(board.fen()) == plain(board.fen())


def test_compiled_code_wants_positions_that_can_be_played(respondents):
    compiled, plain = respondents
    assert plain(IN_CHECK_AFTER_MOVING).bucket == 0
    with pytest.raises(FenError, match="the side that has just moved is in check"):
        compiled(IN_CHECK_AFTER_MOVING)


def test_text_that_is_no_position(respondents):
    for respondent in respondents:
        with pytest.raises(FenError, match="ranks"):
            respondent("nonsense")
