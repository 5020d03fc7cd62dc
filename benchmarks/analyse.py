# SPDX-License-Identifier: GPL-3.0-or-later
"""What a call of kingcobra.Engine costs: `analyse` with a limit of one node, from the call to the
answer. The search begins before that, so this is more than it takes to begin."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import chess
from chess.engine import Limit

import kingcobra
from benchmarks.clock import Contender, race
from benchmarks.engines import KINGCOBRA
from benchmarks.figures import Figure

CALLS_PER_ROUND = 200
MILLISECONDS = 1e3
LEAST = Limit(nodes=1)
# A game whose last moves are all reversible: the longest past that a position can need.
SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8") * 20


def long_game() -> chess.Board:
    """A board with a past of eighty plies."""
    board = chess.Board()
    for text in SHUFFLE:
        board.push_uci(text)
    return board


def call(engine: Any, board: Any) -> None:
    """The smallest analysis there is."""
    engine.analyse(board, LEAST)


def measure(rounds: int) -> Iterator[Figure]:
    """Milliseconds for a call, ours and python-chess's on our command."""
    with (
        kingcobra.Engine(hash_mb=1) as ours,
        chess.engine.SimpleEngine.popen_uci([*KINGCOBRA]) as by_pipes,
    ):
        contenders = [
            Contender(name, partial(call, engine, board))
            for name, engine, board in (
                ("FEN text", ours, chess.STARTING_FEN),
                ("chess.Board", ours, chess.Board()),
                ("chess.Board, 80 plies", ours, long_game()),
                ("kingcobra.Board", ours, kingcobra.Board()),
                ("python-chess, by pipes", by_pipes, chess.Board()),
            )
        ]
        race(contenders, rounds * CALLS_PER_ROUND)
    for contender in contenders:
        yield Figure(f"{contender.name}, best", contender.best_s * MILLISECONDS, "ms")
        yield Figure(f"{contender.name}, median", contender.median_s * MILLISECONDS, "ms")
