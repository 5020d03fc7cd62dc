# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks evaluated with NumPy: Stockfish's integers, and the twin's where no network is at hand.
The twin is held to Stockfish's integers too."""

import chess
import pytest

from kingcobra.board.fen import FenError
from kingcobra.core.network.architectures import ARCHITECTURES, SQUARED
from kingcobra.core.rules.basics import BLACK, WHITE
from kingcobra.networks import plain
from kingcobra.networks.file import read_network
from tests.core.network import twin
from tests.core.network.random_boards import random_boards
from tests.core.network.random_networks import random_network
from tests.core.network.references import TABLES, read_references, read_table

WIDTHS = [64, 192]
LITE_TABLE, LITE_NETWORK = "sf17.1lite_nn-9067e33176e8_eval.tsv", "nn-9067e33176e8.nnue"


def as_twin(evaluation):
    """In the form that the twin answers in."""
    return evaluation.bucket, list(evaluation.psqt), list(evaluation.positional)


# --- Stockfish's integers ---------------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES)
def test_integers_are_stockfishs(data_folder, network_file, table):
    network = read_network(network_file(TABLES[table]))
    references = read_references(data_folder, table)
    assert len(references) == 300
    for fen, *expected in references:
        assert as_twin(plain.evaluate(network, plain.men_of_fen(fen))) == tuple(expected), fen


@pytest.mark.parametrize("table", TABLES)
def test_integers_of_the_twin_are_stockfishs(data_folder, network_file, table):
    network = read_network(network_file(TABLES[table]))
    for fen, *expected in read_references(data_folder, table):
        assert twin.evaluate(network, chess.Board(fen)) == tuple(expected), fen


def printed_by_stockfish_17(raw, board):
    """A raw integer as Stockfish 17 prints it: in pawns that depend on the material."""
    worth = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}
    material = sum(worth.get(piece.piece_type, 0) for piece in board.piece_map().values())
    m = min(max(material, 17), 78) / 58
    per_pawn = ((-13.50030198 * m + 40.92780883) * m - 36.82753545) * m + 386.83004070
    return round(100 * twin.toward_zero(raw, 16) / per_pawn) / 100


def test_pawns_are_those_that_stockfish_prints(data_folder, network_file):
    network = read_network(network_file(LITE_NETWORK))
    for row in read_table(data_folder, LITE_TABLE):
        board = chess.Board(row["fen"])
        evaluation = plain.evaluate(network, plain.men_of_fen(row["fen"]))
        assert evaluation.bucket == int(row["bucket"])
        for column, values in (
            ("psqt_0..7", evaluation.psqt),
            ("positional_0..7", evaluation.positional),
        ):
            printed = [float(word) for word in row[column].split(",")]
            assert [printed_by_stockfish_17(raw, board) for raw in values] == printed, row["fen"]


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
