# SPDX-License-Identifier: GPL-3.0-or-later
"""Test positions: EPD lines with the moves that solve them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import chess

from kingcobra.arena.errors import read_text
from kingcobra.board.epd import PositionLine, position_lines, split_line
from kingcobra.text_values import parse_integer, quoted

LONGEST_MATE = 9999
_OPERATION = re.compile(r'(?:-\s+)*([^\s;"]+)((?:"(?:\\.|[^"\\])*(?:"|$)|[^;"])*)(?:;|$)')
_POINTS = re.compile(r"^\s*(\S+?)\s*=\s*(\d+)\s*$")
_NOT_A_MOVE = re.compile(r'[,"]')
_MATE = re.compile(r"#([+-]?\d+)")


class EpdError(ValueError):
    """A file without a position that can be read."""


@dataclass(frozen=True)
class Problem:
    """A position and its solution: best moves, moves to avoid, points, or a mate. Empty or None
    means that the line has none."""

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
        """The solution in words."""
        board = self.board()
        if self.mate is not None:
            return f"a mate in {self.mate}"
        if not self.best and self.avoid:
            return "another than " + _listed(board, self.avoid)
        most = {move for move, points in self.points.items() if points == self.max_points}
        return _listed(board, self.best or most)

    def is_solved(self, move: chess.Move, mate: int | None) -> bool:
        """A mate problem is solved by announcing a mate for the right side that is no longer. Any
        other is solved by its move; if only points are given, by a move with the most."""
        if self.mate is not None:
            return mate is not None and mate * self.mate > 0 and abs(mate) <= abs(self.mate)
        if not self.best and not self.avoid:
            return self.points.get(move) == self.max_points
        return (not self.best or move in self.best) and move not in self.avoid


class ProblemFile(NamedTuple):
    """The problems of a file, and a message for each line that could not be read."""

    problems: list[Problem]
    unreadable: list[str]


def read_problems(path: Path) -> ProblemFile:
    """All problems of an EPD file. Empty lines and comments are skipped; EpdError where no line
    can be read."""
    problems, unreadable = [], []
    for line in position_lines(read_text(path).splitlines()):
        try:
            problems.append(_problem(line, f"{path.stem}.{line.number}"))
        except ValueError as error:
            unreadable.append(f"{path}, line {line.number}: {error}")
    if not problems:
        raise EpdError(unreadable[0] if unreadable else f"{path}: no position in it")
    return ProblemFile(problems, unreadable)


def parse_problem(text: str, default_name: str) -> Problem:
    """One EPD line; ValueError where a move is illegal or it has no solution."""
    return _problem(split_line(text), default_name)


def _problem(line: PositionLine, default_name: str) -> Problem:
    operations = _operations(line.operations)
    mate = _mate_length(operations)
    if mate is not None:
        operations.pop("bm", None)
    *place, halfmoves, fullmoves = line.whole_fen.split()
    operations.setdefault("hmvc", halfmoves)
    operations.setdefault("fmvn", fullmoves)
    fen = " ".join([*place, operations["hmvc"], operations["fmvn"]])
    board = chess.Board(fen)
    if not board.is_valid() or not any(board.legal_moves):
        raise ValueError(f"no legal move, or not a legal position: {fen}")
    values = board.set_epd(f"{' '.join(place)} {_for_python_chess(operations)}")
    problem = Problem(
        operations.get("id", "").strip('"') or default_name,
        fen,
        _moves(board, values.get("bm")),
        _moves(board, values.get("am")),
        _points(board, values.get("c0")),
        mate,
    )
    if not (problem.best or problem.avoid or problem.points or problem.mate):
        raise ValueError("no solution: neither bm, am nor dm, and no points")
    return problem


def _operations(text: str) -> dict[str, str]:
    """`bm Qd1+; id "x";` -> {"bm": "Qd1+", "id": '"x"'}."""
    found = (match.groups() for match in _OPERATION.finditer(text))
    return {opcode: operand.strip() for opcode, operand in found}


def _for_python_chess(operations: dict[str, str]) -> str:
    """The operations that matter here, spelt as python-chess reads them: it wants moves without
    commas or quotes, and refuses a position for the sake of any operation that it cannot read."""
    parts = [f"{opcode} {operations[opcode]};" for opcode in ("hmvc", "fmvn")]
    for opcode in ("bm", "am"):
        if opcode in operations:
            parts.append(f"{opcode} {_NOT_A_MOVE.sub(' ', operations[opcode])};")
    if operations.get("c0", "").startswith('"'):
        parts.append(f"c0 {operations['c0']};")
    return " ".join(parts)


def _mate_length(operations: dict[str, str]) -> int | None:
    """Of `bm #3`, or of EPD's own `dm 3` where no best move is named; None without a mate."""
    if "bm" in operations:
        named = _MATE.fullmatch(operations["bm"])
        return int(named.group(1)) if named else None
    if "dm" not in operations:
        return None
    length = parse_integer(operations["dm"], 1, LONGEST_MATE)
    if length is None:
        raise ValueError(f"dm takes a number of moves, got {quoted(operations['dm'])}")
    return length


def _moves(board: chess.Board, operand: Any) -> frozenset[chess.Move]:
    """ValueError for a null move, which python-chess takes for one."""
    moves = frozenset(operand or ())
    for move in moves:
        if not board.is_legal(move):
            raise ValueError(f"illegal move {move.uci()} in {board.fen()}")
    return moves


def _listed(board: chess.Board, moves: Iterable[chess.Move]) -> str:
    return " or ".join(sorted(map(board.san, moves)))


def _points(board: chess.Board, comment: Any) -> dict[chess.Move, int]:
    """`f5=10, Be5+=2` -> points by move. A comment of another kind gives none."""
    parts = [_POINTS.match(part) for part in (comment or "").split(",")]
    return {
        board.parse_san(match.group(1)): int(match.group(2))
        for match in parts
        if match is not None and all(parts)
    }
