# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks evaluated with NumPy: the twin's integers. Stockfish's are in test_official_networks."""

import chess
import pytest

from kingcobra.board.fen import FenError
from kingcobra.core.network.architectures import ARCHITECTURES, SQUARED
from kingcobra.core.rules.basics import BLACK, WHITE
from kingcobra.networks import plain
from tests.core.network import twin
from tests.core.network.random_boards import random_boards
from tests.core.network.random_networks import random_network

WIDTHS = [64, 192]


def as_twin(evaluation):
    """In the form that the twin answers in."""
    return evaluation.bucket, list(evaluation.psqt), list(evaluation.positional)


# --- the twin's integers ----------------------------------------------------------------------


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("architecture", ARCHITECTURES, ids=lambda one: one.name)
def test_integers_are_the_twins(architecture, width):
    require_twins_integers(architecture, width)


@pytest.mark.slow
@pytest.mark.parametrize("width", [128, 256, 1024, 1536, 2560, 3072])
def test_integers_are_the_twins_at_all_widths(width):
    require_twins_integers(SQUARED, width)


def require_twins_integers(architecture, width):
    """Random weights, random positions, both evaluations alike."""
    network = random_network(architecture.at_width(width), seed=width)
    seen = set()
    for board in random_boards(100, seed=width):
        expected = twin.evaluate(network, board)
        assert as_twin(plain.evaluate(network, plain.men_of_fen(board.fen()))) == expected
        seen.update(expected[2])
    assert len(seen) > 90, "the network hardly tells positions apart"


@pytest.mark.parametrize("architecture", ARCHITECTURES, ids=lambda one: one.name)
def test_inputs_are_the_twins(architecture):
    features = architecture.features
    for board in random_boards(200, seed=2):
        men = plain.men_of_fen(board.fen())
        for view, white_view in ((WHITE, True), (BLACK, False)):
            lit = plain.active_inputs(features, men, view)
            assert sorted(lit) == twin.active_inputs(features, board, white_view)
            assert len(set(lit)) == len(lit)
            assert all(0 <= index < features.inputs for index in lit)


# --- positions --------------------------------------------------------------------------------


def test_a_man_taken_off():
    men = plain.men_of_fen(chess.STARTING_FEN)
    assert men.total == 32
    assert men.without(chess.D8) == plain.men_of_fen(
        "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    )


@pytest.mark.parametrize("castling", ["KQkq", "HAha", "-"])
def test_castling_is_no_matter(castling):
    fen = f"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w {castling} - 0 1"
    assert plain.men_of_fen(fen) == plain.men_of_fen(chess.STARTING_FEN)


def test_text_that_is_no_position():
    with pytest.raises(FenError, match="ranks"):
        plain.men_of_fen("nonsense")


def test_padding_is_not_read():
    network = random_network(SQUARED.at_width(64))
    men = plain.men_of_fen(chess.STARTING_FEN)
    before = plain.evaluate(network, men)
    for stack in network.stacks:
        stack.fc1.weights[:, SQUARED.layers[1].inputs :] += 1
    assert plain.evaluate(network, men) == before
