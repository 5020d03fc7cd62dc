# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of `go`: one pure function from text to limits, another for what is wrong with them on
the board."""

from kingcobra.board.move_text import MoveError
from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.rules.basics import BLACK, WHITE
from kingcobra.core.rules.layout import MAX_PERFT_DEPTH
from kingcobra.core.search.scores import MAX_PLY
from kingcobra.engine.limits import GoLimits
from kingcobra.text_values import parse_integer, quoted
from kingcobra.uci.protocol import UciError

FLAGS = ("ponder", "infinite")
CLOCKS = {"wtime": WHITE, "btime": BLACK}
INCREMENTS = {"winc": WHITE, "binc": BLACK}
NUMBERS = {
    "movestogo": "movestogo",
    "depth": "depth",
    "nodes": "nodes",
    "mate": "mate",
    "movetime": "movetime_ms",
}
PERFT = "perft"
GO_WORDS = {"searchmoves", PERFT, *FLAGS, *CLOCKS, *INCREMENTS, *NUMBERS}

# No number of `go` needs more digits, and none of these overflows the records.
MOST = 10**18 - 1
# A limit of nothing still owes a move: the smallest search there is.
LEAST = 1


def parse_go(words: list[str]) -> tuple[GoLimits, list[str]]:
    """Limits, and one complaint for each word that was ignored. Searchmoves end at the next word
    that `go` knows. UciError for a perft without a depth that can be counted: whoever wants to
    count does not want a search instead."""
    limits = GoLimits()
    complaints = []
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        if word == "searchmoves":
            moves = []
            while index < len(words) and words[index] not in GO_WORDS:
                moves.append(words[index])
                index += 1
            limits.searchmoves = moves
        elif word in FLAGS:
            setattr(limits, word, True)
        elif word == PERFT:
            limits.perft = _perft_depth(words[index : index + 1])
            index += 1
        elif word not in GO_WORDS:
            complaints.append(f"go: {quoted(word)} is not known and ignored")
        elif index == len(words) or words[index] in GO_WORDS:
            complaints.append(f"go: {word} has no number and is ignored")
        else:
            value = _number(words[index])
            if value is None:
                complaints.append(f"go: {word} {quoted(words[index])} is no number and is ignored")
            else:
                _take(limits, word, value)
            index += 1
    return limits, complaints


def searchmoves_complaints(limits: GoLimits, board: PositionHandle) -> list[str]:
    """One for each of the searchmoves that cannot be played, and one more if none is left."""
    if limits.searchmoves is None:
        return []
    complaints = []
    for text in limits.searchmoves:
        try:
            board.parse_move(text)
        except MoveError as error:
            complaints.append(f"go: searchmoves: {error} is ignored")
    if len(complaints) == len(limits.searchmoves):
        complaints.append("go: searchmoves has no legal move: all moves are searched")
    return complaints


def _number(text: str) -> int | None:
    return parse_integer(text, -MOST, MOST)


def _perft_depth(words: list[str]) -> int:
    """The depth in the word behind `perft`, if there is one."""
    depth = _number(words[0]) if words else None
    if depth is None or not 0 <= depth <= MAX_PERFT_DEPTH:
        given = f"perft {quoted(words[0])}" if words else "perft has no depth"
        raise UciError(f"go: {given}, expected a depth from 0 to {MAX_PERFT_DEPTH}")
    return depth


def _take(limits: GoLimits, word: str, value: int) -> None:
    if word in CLOCKS:
        limits.clock_ms[CLOCKS[word]] = value
    elif word in INCREMENTS:
        limits.increment_ms[INCREMENTS[word]] = value
    elif word == "movestogo":
        limits.movestogo = max(value, 0)
    else:
        value = max(value, LEAST)
        setattr(limits, NUMBERS[word], min(value, MAX_PLY - 1) if word == "depth" else value)
