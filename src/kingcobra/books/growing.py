# SPDX-License-Identifier: GPL-3.0-or-later
"""A book grown by searching: drop-out expansion.

The tree begins with the start position. Each step takes the positions that matter most, searches
them, and adds their best moves. What matters is the cost of the way there: each ply costs one, and
a move that is worse than the best one costs more, by how much worse it is. So good lines are
followed deeply and bad ones only as far as somebody may really play them.
"""

import heapq
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import chess
import chess.polyglot

from kingcobra.board.polyglot import BookEntry
from kingcobra.books.games import book_code
from kingcobra.books.merging import in_book_order

# Values wander through the tree sweep by sweep; cycles could keep them wandering.
MAX_SWEEPS = 64
FULL_WEIGHT = 1000


class ScoredMove(NamedTuple):
    """A move as UCI text, and what a search found it worth to the mover."""

    uci: str
    cp: int


class Expansion(NamedTuple):
    """A position that was searched, and its best moves; none where the game has ended."""

    position: str
    moves: tuple[ScoredMove, ...]


@dataclass(frozen=True)
class GrowthRules:
    """What a drop costs, how deep lines go, and which moves get into the book."""

    cp_per_ply: float = 4.0
    max_ply: int = 40
    margin_cp: int = 15
    halving_cp: int = 8


class _Branch(NamedTuple):
    uci: str
    cp: int
    child: str


def position_text(board: chess.Board) -> str:
    """A position without its counters: what makes it the same position in a book."""
    return board.epd(en_passant="xfen")


class GrowingTree:
    """Searched positions, their values backed up from the leaves, and what to search next."""

    def __init__(self, rules: GrowthRules, roots: Iterable[str]) -> None:
        self.rules = rules
        self.roots = list(dict.fromkeys(roots))
        self._branches: dict[str, list[_Branch]] = {}
        self._values: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._branches)

    def __contains__(self, position: str) -> bool:
        return position in self._branches

    def add(self, expansion: Expansion) -> None:
        """Takes in what a search found."""
        board = chess.Board(f"{expansion.position} 0 1")
        branches = []
        for move in expansion.moves:
            board.push_uci(move.uci)
            branches.append(_Branch(move.uci, move.cp, position_text(board)))
            board.pop()
        self._branches[expansion.position] = branches
        if branches:
            self._values[expansion.position] = max(branch.cp for branch in branches)

    def back_up(self) -> None:
        """Makes every value the best of what its moves lead to."""
        for _ in range(MAX_SWEEPS):
            changed = False
            for position in reversed(self._branches):
                branches = self._branches[position]
                if not branches:
                    continue
                value = max(map(self.value_of, branches))
                changed |= value != self._values[position]
                self._values[position] = value
            if not changed:
                return

    def value_of(self, branch: _Branch) -> int:
        """What a move is worth to the mover: what its position is, where that was searched."""
        value = self._values.get(branch.child)
        return branch.cp if value is None else -value

    def next_positions(self, count: int) -> list[str]:
        """The positions to search now: those that cost least to reach, cheapest first."""
        return [position for position, _ in itertools.islice(self._unsearched(), count)]

    def _unsearched(self) -> Iterator[tuple[str, float]]:
        """Dijkstra's algorithm over the tree: unsearched positions by rising cost."""
        queue = [(0.0, 0, position) for position in self.roots]
        heapq.heapify(queue)
        done: set[str] = set()
        while queue:
            cost, ply, position = heapq.heappop(queue)
            if position in done:
                continue
            done.add(position)
            if position not in self._branches:
                yield position, cost
                continue
            if ply >= self.rules.max_ply:
                continue
            for branch, drop_cp in self._drops(position):
                step = 1.0 + drop_cp / self.rules.cp_per_ply
                heapq.heappush(queue, (cost + step, ply + 1, branch.child))

    def _drops(self, position: str) -> list[tuple[_Branch, int]]:
        best = self._values.get(position, 0)
        return [
            (branch, max(0, best - self.value_of(branch))) for branch in self._branches[position]
        ]

    def entries(self) -> Iterator[BookEntry]:
        """The book: for each position its moves within the margin, lighter by half for each
        `halving_cp` that they are worse than the best."""
        by_key = sorted((_key(position), position) for position in self._branches)
        for key, position in by_key:
            board = chess.Board(f"{position} 0 1")
            entries = [
                BookEntry(
                    key,
                    book_code(board, chess.Move.from_uci(branch.uci)),
                    max(1, round(FULL_WEIGHT * 2 ** (-drop_cp / self.rules.halving_cp))),
                )
                for branch, drop_cp in self._drops(position)
                if drop_cp <= self.rules.margin_cp
            ]
            yield from in_book_order(entries)


def _key(position: str) -> int:
    return chess.polyglot.zobrist_hash(chess.Board(f"{position} 0 1"))
