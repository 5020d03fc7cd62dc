# SPDX-License-Identifier: GPL-3.0-or-later
"""Test positions: EPD lines that say which moves are right."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import chess

from kingcobra.arena.errors import read_text

FIELDS = 4
_OPERATION = re.compile(r'\s*(\w+)((?:\s+(?:"[^"]*"|[^\s;"]+))*)\s*(?:;|$)')
_OPERAND = re.compile(r'"([^"]*)"|(\S+)')
_POINTS = re.compile(r"^\s*(\S+?)\s*=\s*(\d+)\s*$")
_MATE = re.compile(r"#(-?\d+)")


class EpdError(ValueError):
    """A line that cannot be read, with its file and number."""


@dataclass(frozen=True)
class Problem:
    """A position and what counts as its solution. Empty or None: not asked for."""

    name: str
    fen: str
    best: frozenset[chess.Move] = frozenset()
    avoid: frozenset[chess.Move] = frozenset()
    points: dict[chess.Move, int] = field(default_factory=dict)
    mate: int | None = None

    @property
    def max_points(self) -> int:
        return max(self.points.values(), default=0)

    def board(self) -> chess.Board:
        return chess.Board(self.fen)

    def solution(self) -> str:
        """What is right, in words."""
        board = self.board()
        if self.mate is not None:
            return f"a mate in {self.mate}"
        if not self.best and self.avoid:
            return "another than " + _listed(board, self.avoid)
        most = {move for move, points in self.points.items() if points == self.max_points}
        return _listed(board, self.best or most)

    def is_solved(self, move: chess.Move, mate: int | None) -> bool:
        """A mate problem is solved by announcing it: of the right side, and no longer than it
        says. Any other is solved by its move; where only points are given, by one with the most."""
        if self.mate is not None:
            return mate is not None and mate * self.mate > 0 and abs(mate) <= abs(self.mate)
        if not self.best and not self.avoid:
            return self.points.get(move) == self.max_points
        return (not self.best or move in self.best) and move not in self.avoid


def read_problems(path: Path) -> list[Problem]:
    """All problems of an EPD file. Empty lines and lines that begin with # are passed over."""
    problems = []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            try:
                problems.append(parse_problem(line, f"{path.stem}.{number}"))
            except ValueError as error:
                raise EpdError(f"{path}, line {number}: {error}") from None
    if not problems:
        raise EpdError(f"{path}: no position in it")
    return problems


def parse_problem(line: str, default_name: str) -> Problem:
    """One EPD line; ValueError where a move is illegal or nothing says what is right."""
    words = line.split(maxsplit=FIELDS)
    if len(words) < FIELDS:
        raise ValueError(f"expected four fields and operations, got {line!r}")
    operations = words[FIELDS] if len(words) > FIELDS else ""
    counters = re.match(r"\s*(\d+)\s+(\d+)\s*", operations)
    halfmoves, fullmoves = counters.groups() if counters else ("0", "1")
    fen = " ".join([*words[:FIELDS], halfmoves, fullmoves])
    board = chess.Board(fen)
    if not board.is_valid() or not any(board.legal_moves):
        raise ValueError(f"no legal move, or no legal position: {fen}")
    found = _operations(operations[counters.end() :] if counters else operations)
    best = found.get("bm", [])
    mate = _mate_length(found)
    problem = Problem(
        (found.get("id") or [default_name])[0],
        fen,
        frozenset() if mate else frozenset(board.parse_san(san) for san in best),
        frozenset(board.parse_san(san) for san in found.get("am", [])),
        _points(board, found.get("c0", [])),
        mate,
    )
    if not (problem.best or problem.avoid or problem.points or problem.mate):
        raise ValueError("neither bm nor am, dm or points say what is right")
    return problem


def _listed(board: chess.Board, moves: Iterable[chess.Move]) -> str:
    return " or ".join(sorted(map(board.san, moves)))


def _mate_length(found: dict[str, list[str]]) -> int | None:
    """Of `bm #3`, or of EPD's own `dm 3` where no best move is named; None without a mate."""
    if "bm" in found:
        named = _MATE.fullmatch(" ".join(found["bm"]))
        return int(named.group(1)) if named else None
    if "dm" not in found:
        return None
    length = " ".join(found["dm"])
    if not length.isdecimal() or int(length) == 0:
        raise ValueError(f"dm takes a number of moves, got {length!r}")
    return int(length)


def _operations(text: str) -> dict[str, list[str]]:
    """`bm Qd1+; id "x";` -> {"bm": ["Qd1+"], "id": ["x"]}."""
    found: dict[str, list[str]] = {}
    position = 0
    while text[position:].strip(" ;"):
        match = _OPERATION.match(text, position)
        if match is None or match.end() == position:
            raise ValueError(f"cannot read {text[position:]!r}")
        name, operands = match.groups()
        found[name] = [quoted or plain for quoted, plain in _OPERAND.findall(operands)]
        position = match.end()
    return found


def _points(board: chess.Board, comment: list[str]) -> dict[chess.Move, int]:
    """`f5=10, Be5+=2` -> points by move. A comment of another kind gives none."""
    parts = [_POINTS.match(part) for part in (comment[0] if comment else "").split(",")]
    if not all(parts):
        return {}
    return {
        board.parse_san(match.group(1)): int(match.group(2)) for match in parts if match is not None
    }
