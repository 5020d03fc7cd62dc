# SPDX-License-Identifier: GPL-3.0-or-later
"""Raw evaluations of FENs by a network: with the compiled code of the engine, or with NumPy."""

from collections.abc import Callable
from typing import NamedTuple

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.network.architectures import bucket_of
from kingcobra.core.objects import CORE
from kingcobra.kernel.build import Builder
from kingcobra.networks import plain
from kingcobra.networks.loading import LoadedNetwork, ThreadMemory
from kingcobra.networks.network import Network

Report = Callable[[str], None]


class RawEvaluation(NamedTuple):
    """The bucket in use and its two integers, from the mover's side, before the division by 16."""

    bucket: int
    psqt: int
    positional: int


# From a FEN; FenError for text that is not a position.
RawEvaluator = Callable[[str], RawEvaluation]


def plain_evaluator(network: Network) -> RawEvaluator:
    """Evaluates with NumPy any position that a FEN can describe."""

    def evaluate(fen: str) -> RawEvaluation:
        evaluation = plain.evaluate(network, plain.men_of_fen(fen))
        bucket = evaluation.bucket
        return RawEvaluation(bucket, evaluation.psqt[bucket], evaluation.positional[bucket])

    return evaluate


def compiled_evaluator(network: LoadedNetwork, report: Report) -> RawEvaluator:
    """Evaluates with the code that the search uses. Positions must be legal. The rules are compiled
    now if the cache does not have them; `report` gets the progress."""
    board = PositionHandle(Builder(CORE, report).obtain(), chess960=True)
    memory = ThreadMemory(network, board.address)

    def evaluate(fen: str) -> RawEvaluation:
        board.set_fen(fen)
        memory.record.position = board.address
        memory.forget()
        men = board.record.by_colour[0] | board.record.by_colour[1]
        bucket = bucket_of(men.bit_count(), network.architecture.stacks)
        return RawEvaluation(bucket, *memory.evaluate(bucket))

    return evaluate
