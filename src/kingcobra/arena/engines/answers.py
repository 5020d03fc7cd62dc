# SPDX-License-Identifier: GPL-3.0-or-later
"""An engine's answer to `go`, and the ways in which an engine can fail."""

from dataclasses import dataclass
from enum import Enum
from itertools import takewhile

import chess

from kingcobra.text_values import parse_integer

CENTIPAWNS_PER_PAWN = 100
LARGEST_NUMBER = (1 << 63) - 1
REST_OF_THE_LINE = ("pv", "string", "refutation", "currline")
"""Keywords of an `info` line that take the rest of the line."""


class Fault(Enum):
    """How an engine failed and so lost the game."""

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
class SearchInfo:
    """The last exact score that an engine printed, from its own point of view, or the last bound if
    there was no exact score. `mate` counts moves and takes precedence over `cp`; None where nothing
    was printed."""

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
    """A move, and the time from `go` to it as measured here."""

    move: chess.Move | None
    seconds: float
    search_info: SearchInfo
    resigned: bool = False


def parse_info(line: str) -> SearchInfo:
    """The score, depth and nodes of an `info` line. Words may come in any order: some engines
    print a bound before wdl, some after it. What cannot be read is left out."""
    words = list(takewhile(lambda word: word not in REST_OF_THE_LINE, line.split()))

    def number_after(name: str) -> int | None:
        following = words[words.index(name) + 1 :] if name in words else []
        return parse_integer(following[0], -LARGEST_NUMBER, LARGEST_NUMBER) if following else None

    return SearchInfo(
        cp=number_after("cp"),
        mate=number_after("mate"),
        depth=number_after("depth"),
        nodes=number_after("nodes"),
    )
