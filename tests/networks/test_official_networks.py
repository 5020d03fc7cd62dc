# SPDX-License-Identifier: GPL-3.0-or-later
"""Stockfish's own networks: read, written again byte for byte, and evaluated to Stockfish's
integers by NumPy and by the twin that other tests rely on. Skipped where they are not at hand."""

import chess
import pytest

from kingcobra.networks import plain
from kingcobra.networks.file import network_bytes, read_network
from tests.core.network import twin
from tests.core.network.official_networks import (
    LITE_NETWORK,
    OFFICIAL_NETWORKS,
    WITH_INTEGERS,
    stockfish_integers,
    stockfish_pawns,
)

# Material in pawns, as Stockfish 17 counts it for its scale.
PIECE_PAWNS = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}


@pytest.mark.parametrize("name", WITH_INTEGERS)
def test_integers_are_stockfishs(network_file, name):
    network = read_network(network_file(name))
    for fen, *expected in stockfish_integers(name):
        found = plain.evaluate(network, plain.men_of_fen(fen))
        assert (found.bucket, list(found.psqt), list(found.positional)) == tuple(expected), fen
        assert twin.evaluate(network, chess.Board(fen)) == tuple(expected), fen


def printed_by_stockfish_17(raw, board):
    """A raw integer as Stockfish 17 prints it: in pawns that depend on the material."""
    material = sum(PIECE_PAWNS.get(piece.piece_type, 0) for piece in board.piece_map().values())
    m = min(max(material, 17), 78) / 58
    per_pawn = ((-13.50030198 * m + 40.92780883) * m - 36.82753545) * m + 386.83004070
    return round(100 * twin.toward_zero(raw, 16) / per_pawn) / 100


def test_pawns_are_those_that_stockfish_prints(network_file):
    network = read_network(network_file(LITE_NETWORK))
    for fen, bucket, psqt, positional in stockfish_pawns():
        board = chess.Board(fen)
        found = plain.evaluate(network, plain.men_of_fen(fen))
        assert found.bucket == bucket
        assert [printed_by_stockfish_17(raw, board) for raw in found.psqt] == psqt, fen
        assert [printed_by_stockfish_17(raw, board) for raw in found.positional] == positional, fen


@pytest.mark.slow
@pytest.mark.parametrize("name", OFFICIAL_NETWORKS)
def test_files_come_back_byte_for_byte(network_file, name):
    path = network_file(name)
    network = read_network(path)
    assert network.architecture.name == OFFICIAL_NETWORKS[name]
    assert network_bytes(network) == path.read_bytes()
