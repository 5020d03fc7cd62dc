# SPDX-License-Identifier: GPL-3.0-or-later
"""What a network answers to FENs: by the engine's compiled code, or by NumPy."""

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


class Answer(NamedTuple):
    """The bucket in use and its two integers, from the mover's side, before the division by 16."""

    bucket: int
    psqt: int
    positional: int


# A FEN's answer; FenError for what is none.
Respondent = Callable[[str], Answer]


def plain_respondent(network: Network) -> Respondent:
    """Answers by NumPy, for any position that a FEN can describe."""

    def answer(fen: str) -> Answer:
        evaluation = plain.evaluate(network, plain.men_of_fen(fen))
        bucket = evaluation.bucket
        return Answer(bucket, evaluation.psqt[bucket], evaluation.positional[bucket])

    return answer


def compiled_respondent(network: LoadedNetwork, report: Report) -> Respondent:
    """Answers by the code that the search uses. Positions must be playable. The rules are compiled
    now if this machine has never done so; `report` hears of that."""
    board = PositionHandle(Builder(CORE, report).obtain(), chess960=True)
    memory = ThreadMemory(network, board.address)

    def answer(fen: str) -> Answer:
        board.set_fen(fen)
        memory.record.position = board.address
        memory.forget()
        men = board.record.by_colour[0] | board.record.by_colour[1]
        bucket = bucket_of(men.bit_count(), network.architecture.stacks)
        psqt, positional = memory.answer(bucket)
        return Answer(bucket, psqt, positional)

    return answer
