# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of `go`: one pure function from text and a position to limits.

This is where limits are decided: whose clock counts, which of the searchmoves can be played, and
that an infinite search keeps no other limit.
"""

from typing import Any, NamedTuple

from kingcobra.board.move_text import MoveError
from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.rules.basics import BLACK, WHITE
from kingcobra.core.rules.layout import MAX_PERFT_DEPTH
from kingcobra.core.search.scores import MAX_PLY
from kingcobra.engine.limits import SearchLimits
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
SEARCHMOVES = "searchmoves"
GO_WORDS = {SEARCHMOVES, PERFT, *FLAGS, *CLOCKS, *INCREMENTS, *NUMBERS}

# No number of `go` needs more digits, and none of these overflows the records.
MOST = 10**18 - 1
# A limit of nothing still owes a move: the smallest search there is.
LEAST = 1


class GoCommand(NamedTuple):
    """What a `go` asks for: leaves to be counted if it has a `perft_depth`, else a search. There is
    a message for each word, and each of the searchmoves, that means nothing; whoever prints it puts
    the command's name and what happens now in front."""

    limits: SearchLimits
    perft_depth: int | None
    word_errors: list[str]
    move_errors: list[str]


def parse_go(words: list[str], position: PositionHandle) -> GoCommand:
    """The limits for a search of the position. Searchmoves end at the next word that `go` knows.
    UciError for a perft without a depth that can be counted: whoever wants to count does not want
    a search instead."""
    values: dict[str, Any] = {}
    perft_depth = None
    word_errors: list[str] = []
    move_errors: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == SEARCHMOVES:
            texts = _until_go_word(rest)
            values["root_moves"] = _searchmoves(texts, position, move_errors)
        elif word in FLAGS:
            values[word] = True
        elif word == PERFT:
            perft_depth = _perft_depth(rest[:1])
            del rest[:1]
        elif word not in GO_WORDS:
            word_errors.append(f"{quoted(word)}: unknown word")
        elif not rest or rest[0] in GO_WORDS:
            word_errors.append(f"{word}: the number is missing")
        else:
            text = rest.pop(0)
            number = parse_integer(text, -MOST, MOST)
            if number is None:
                word_errors.append(f"{word} {quoted(text)}: not a number")
            else:
                values |= _limit(word, number, position.record.side)
    return GoCommand(_decided(values), perft_depth, word_errors, move_errors)


def _until_go_word(rest: list[str]) -> list[str]:
    """Takes the words up to the next one that `go` knows."""
    known = (at for at, word in enumerate(rest) if word in GO_WORDS)
    end = next(known, len(rest))
    taken = rest[:end]
    del rest[:end]
    return taken


def _searchmoves(texts: list[str], position: PositionHandle, errors: list[str]) -> tuple[int, ...]:
    """The legal ones, each once; none means that all moves are searched: a game must go on."""
    moves = []
    for text in texts:
        try:
            moves.append(position.parse_move(text))
        except MoveError:
            errors.append(f"searchmoves {quoted(text)}: illegal move")
    if not moves:
        errors.append("searchmoves: no legal move")
    return tuple(dict.fromkeys(moves))


def _limit(word: str, number: int, side: int) -> dict[str, int]:
    """The field that a word sets; none for the other side's clock."""
    if word in CLOCKS:
        return {"clock_ms": number} if CLOCKS[word] == side else {}
    if word in INCREMENTS:
        return {"increment_ms": number} if INCREMENTS[word] == side else {}
    if word == "movestogo":
        return {"movestogo": max(number, 0)}
    number = max(number, LEAST)
    return {NUMBERS[word]: min(number, MAX_PLY - 1) if word == "depth" else number}


def _decided(values: dict[str, Any]) -> SearchLimits:
    if values.get("infinite"):
        kept = ("infinite", "ponder", "root_moves")
        values = {name: value for name, value in values.items() if name in kept}
    return SearchLimits(**values)


def _perft_depth(words: list[str]) -> int:
    """The depth in the word behind `perft`, if there is one."""
    depth = parse_integer(words[0], 0, MAX_PERFT_DEPTH) if words else None
    if depth is None:
        given = f"perft {quoted(words[0])}" if words else "perft has no depth"
        raise UciError(f"{given}, expected a depth from 0 to {MAX_PERFT_DEPTH}")
    return depth
