# SPDX-License-Identifier: GPL-3.0-or-later
"""What a search says while it runs, and what it returns, in values."""

from typing import NamedTuple


class LineReport(NamedTuple):
    """A line of play and its score for the side to move, in internal units."""

    # 1 is the best line.
    number: int
    depth: int
    deepest_ply: int
    score: int
    # EXACT, LOWER or UPPER of the search's layout.
    bound: int
    moves: list[int]
    # Of all threads.
    nodes: int
    elapsed_ns: int
    hashfull_permille: int
    table_hits: int = 0


class CurrentMove(NamedTuple):
    """The root move that is being searched; 1 is the first of its iteration."""

    depth: int
    move: int
    number: int


class SearchProgress(NamedTuple):
    """The state of a search between two lines."""

    nodes: int
    elapsed_ns: int
    hashfull_permille: int
    # Of the CPU time that all threads together could have used since the last such report.
    load_permille: int
    # From the root to where each thread is; empty unless asked for.
    current_lines: list[list[int]]
    table_hits: int = 0


class SearchResult(NamedTuple):
    """What a search came to: the best line, empty when there is no legal move."""

    moves: list[int]
    score: int
    nodes: int
    quiescence_nodes: int
    elapsed_ns: int
    hashfull_permille: int
    # How many moves `go mate` asked for, where it is proved that there is no such mate.
    refuted_mate: int = 0
    table_hits: int = 0


class SearchListener:
    """Receives what a search finds, one call at a time, from the search's own threads. An exception
    is reported as a fault; the search goes on. These methods do nothing."""

    def on_line(self, report: LineReport) -> None:
        """A line was found, or searched one ply deeper."""

    def on_current_move(self, current: CurrentMove) -> None:
        """A root move is searched next; only in searches that take seconds."""

    def on_refutation(self, moves: list[int]) -> None:
        """A root move, followed by what refutes it; only if asked for."""

    def on_progress(self, progress: SearchProgress) -> None:
        """About once a second."""
