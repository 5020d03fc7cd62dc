# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiled evaluation run as the Python it is: for a process without Numba."""

import chess

from kingcobra.board.board import Board
from kingcobra.kernel.build import Builder
from kingcobra.nnue.architectures import ARCHITECTURES, SQUARED
from kingcobra.nnue.loading import from_memory
from kingcobra.search.core import CORE
from tests.nnue import twin
from tests.nnue.compiled_networks import Asked
from tests.nnue.random_networks import random_network

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
MOVES_TRIED = 5


def check(core, architecture):
    """A few positions and their moves; a wrong answer raises AssertionError."""
    network = random_network(architecture)
    asked = Asked(from_memory(network, "test.nnue", report=print))
    for fen in (chess.STARTING_FEN, KIWIPETE):
        board = Board(core, fen)
        assert asked.answers(board) == twin.evaluate(network, chess.Board(fen))
        for move in board.moves()[:MOVES_TRIED]:
            core.make(board.address, move)
            assert asked.answers(board) == twin.evaluate(network, chess.Board(board.fen()))
            core.unmake(board.address, move)


if __name__ == "__main__":
    plain_core = Builder(CORE, report=print).obtain()
    check(plain_core, SQUARED.at_width(64))
    check(plain_core, ARCHITECTURES[0])
