# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluations by compiled code and by NumPy are the same, where both give one."""

import pytest

from kingcobra.board.fen import FenError
from kingcobra.core.network.architectures import SQUARED
from kingcobra.networks.file import write_network
from kingcobra.networks.loading import load
from kingcobra.networks.raw_evaluations import compiled_evaluator, plain_evaluator
from tests.core.network.random_boards import random_boards
from tests.core.network.random_networks import random_network

IN_CHECK_AFTER_MOVING = "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"


def quiet(_text):
    """Drops the progress."""


@pytest.fixture(scope="module")
def evaluators(core, tmp_path_factory):
    """Both, for a network whose code the engine's small network shares."""
    assert core
    network = random_network(SQUARED.at_width(128))
    path = tmp_path_factory.mktemp("networks") / "random.nnue"
    write_network(network, path)
    return compiled_evaluator(load(path, quiet), quiet), plain_evaluator(network)


def test_evaluations_are_the_same(evaluators):
    compiled, plain = evaluators
    for board in random_boards(100, seed=7):
        assert compiled(board.fen()) == plain(board.fen())


def test_compiled_code_needs_legal_positions(evaluators):
    compiled, plain = evaluators
    assert plain(IN_CHECK_AFTER_MOVING).bucket == 0
    with pytest.raises(FenError, match="the side that has just moved is in check"):
        compiled(IN_CHECK_AFTER_MOVING)


def test_text_that_is_not_a_position(evaluators):
    for evaluate in evaluators:
        with pytest.raises(FenError, match="ranks"):
            evaluate("nonsense")
