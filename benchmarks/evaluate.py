# SPDX-License-Identifier: GPL-3.0-or-later
"""Static evaluations a second of CPU time, one thread: of packed positions, in the order of their
games and shuffled, of boards, of FEN text; classical, with the network of the benchmark `networks`
where it is found, and with the engine's default network. A network remembers sums, so positions of
one game are quicker."""

import random
import time
from collections.abc import Callable, Iterator

import numpy as np

import kingcobra
from benchmarks.clock import Contender, race
from benchmarks.engines import find_peer
from benchmarks.figures import Figure
from benchmarks.networks import network_file
from kingcobra import batches
from kingcobra.networks.default_network import DEFAULT_NETWORK

POSITIONS = 20_000
GAME_PLIES = 80
SEED = 1


def random_games() -> list[str]:
    """FENs of random games, in their order."""
    chance = random.Random(SEED)
    fens: list[str] = []
    while len(fens) < POSITIONS:
        board = kingcobra.Board()
        for _ in range(GAME_PLIES):
            moves = board.moves()
            if not moves:
                break
            board.play_move(chance.choice(moves))
            fens.append(board.fen())
    return fens[:POSITIONS]


def measure(rounds: int) -> Iterator[Figure]:
    """Positions a second, best of the rounds."""
    fens = random_games()
    sources: dict[str, object] = {
        "packed": batches.pack(fens),
        "packed, shuffled": batches.pack(random.Random(SEED).sample(fens, len(fens))),
        "boards": [kingcobra.Board(fen) for fen in fens],
        "FEN text": fens,
    }
    with network_file(find_peer()) as path:
        networks = {"classical": ""} | ({path.name: str(path)} if path else {})
        networks["default network"] = DEFAULT_NETWORK
        contenders = [
            Contender(f"{name}, {kind}", _timed(positions, network))
            for kind, network in networks.items()
            for name, positions in sources.items()
        ]
        race(contenders, rounds)
    for contender in contenders:
        yield Figure(contender.name, POSITIONS / contender.best_s, "positions/s")


def _timed(positions: object, network: str) -> Callable[[], float]:
    def run() -> float:
        started = time.thread_time()
        values = kingcobra.evaluate(positions, network=network)
        assert isinstance(values, np.ndarray)
        return time.thread_time() - started

    return run
