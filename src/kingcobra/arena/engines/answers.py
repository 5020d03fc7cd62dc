# SPDX-License-Identifier: GPL-3.0-or-later
"""What an engine says about a move, and the ways in which it can fail to say it."""

from dataclasses import dataclass
from enum import Enum
from itertools import takewhile

import chess

from kingcobra.text_values import parse_integer

CENTIPAWNS_PER_PAWN = 100
LARGEST_NUMBER = (1 << 63) - 1
REST_OF_THE_LINE = ("pv", "string", "refutation", "currline")
"""Words of an `info` line behind which everything belongs to them."""


class Fault(Enum):
    """Why a game ended other than on the board or by agreement of the scores."""

    CRASH = "crash"
    HANG = "hang"
    ILLEGAL = "illegal move"
    TIME = "time loss"


class EngineFault(Exception):
    """An engine failed in the middle of its work."""

    def __init__(self, fault: Fault, detail: str) -> None:
        super().__init__(f"{fault.value}: {detail}")
        self.fault = fault
        self.detail = detail


@dataclass(frozen=True)
class Thought:
    """The last exact score an engine printed, from its own point of view; a bound where it
    printed nothing else. `mate` counts moves and wins over `cp`; None where nothing was said."""

    cp: int | None = None
    mate: int | None = None
    depth: int | None = None
    nodes: int | None = None

    def comment(self) -> str:
        """`+0.35/12`, `-M3/20`, or nothing."""
        if self.mate is not None:
            score = f"{'-' if self.mate < 0 else '+'}M{abs(self.mate)}"
        elif self.cp is not None:
            score = f"{self.cp / CENTIPAWNS_PER_PAWN:+.2f}"
        else:
            return ""
        return f"{score}/{self.depth or 0}"


@dataclass(frozen=True)
class Answer:
    """A legal move, and the time from the question to it as the runner measured it."""

    move: chess.Move | None
    seconds: float
    thought: Thought
    resigned: bool = False


def parse_info(line: str) -> Thought:
    """The score, depth and nodes of an `info` line. Words may come in any order: some engines
    print a bound before wdl, some after it. What cannot be read is left out."""
    words = list(takewhile(lambda word: word not in REST_OF_THE_LINE, line.split()))

    def number_after(name: str) -> int | None:
        following = words[words.index(name) + 1 :] if name in words else []
        return parse_integer(following[0], -LARGEST_NUMBER, LARGEST_NUMBER) if following else None

    return Thought(
        cp=number_after("cp"),
        mate=number_after("mate"),
        depth=number_after("depth"),
        nodes=number_after("nodes"),
    )
