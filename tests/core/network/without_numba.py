# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiled evaluation run as the Python it is: for a process without Numba."""

import chess

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.network.architectures import ARCHITECTURES, SQUARED
from kingcobra.core.objects import CORE
from kingcobra.kernel.build import Builder
from kingcobra.networks.loading import from_memory
from tests.core.network import twin
from tests.core.network.compiled_networks import CompiledNetwork
from tests.core.network.random_networks import random_network

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
MOVES_TRIED = 5


def check(core, architecture):
    """A few positions and their moves; a wrong answer raises AssertionError."""
    network = random_network(architecture)
    asked = CompiledNetwork(from_memory(network, "test.nnue", report=print))
    for fen in (chess.STARTING_FEN, KIWIPETE):
        board = PositionHandle(core, fen)
        assert asked.answers(board) == twin.evaluate(network, chess.Board(fen))
        for move in board.moves()[:MOVES_TRIED]:
            core.make(board.address, move)
            assert asked.answers(board) == twin.evaluate(network, chess.Board(board.fen()))
            core.unmake(board.address, move)


if __name__ == "__main__":
    plain_core = Builder(CORE, report=print).obtain()
    check(plain_core, SQUARED.at_width(64))
    check(plain_core, ARCHITECTURES[0])
