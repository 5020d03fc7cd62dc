# SPDX-License-Identifier: GPL-3.0-or-later
"""The lines that end a search, from values."""

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.search.layout import EXACT
from kingcobra.engine.reports import LineReport, SearchResult
from kingcobra.networks.classical_scale import CLASSICAL_SCALE
from kingcobra.uci.search_printer import SearchPrinter

NS_PER_MS = 1_000_000


def test_the_closing_line_has_the_final_effort(core):
    board = PositionHandle(core)
    moves = [board.parse_move("e2e4")]
    printer = SearchPrinter(board, CLASSICAL_SCALE, lambda _line: None, False)
    printer.on_line(LineReport(1, 5, 6, 10, EXACT, moves, 1000, 10 * NS_PER_MS, 1, table_hits=3))
    result = SearchResult(moves, 10, 2000, 500, 20 * NS_PER_MS, 2, table_hits=7)
    closing, best = printer.closing_text(result).splitlines()
    assert " nodes 2000 nps 100000 hashfull 2 tbhits 7 time 20 pv e2e4" in closing
    assert best == "bestmove e2e4"


def test_nothing_is_repeated_when_nothing_was_searched_since(core):
    board = PositionHandle(core)
    moves = [board.parse_move("e2e4")]
    printer = SearchPrinter(board, CLASSICAL_SCALE, lambda _line: None, False)
    printer.on_line(LineReport(1, 5, 6, 10, EXACT, moves, 1000, 10 * NS_PER_MS, 1))
    result = SearchResult(moves, 10, 1000, 500, 20 * NS_PER_MS, 2)
    assert printer.closing_text(result) == "bestmove e2e4"
