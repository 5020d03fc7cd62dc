# SPDX-License-Identifier: GPL-3.0-or-later
"""What a search reports, as `info` lines."""

from kingcobra.board.move_text import format_move
from kingcobra.core.rules.layout import Position
from kingcobra.core.search.layout import LOWER, UPPER
from kingcobra.engine.reports import CurrentMove, LineReport, SearchProgress, SearchResult
from kingcobra.engine.shown_score import shown_score
from kingcobra.networks.scale import Scale, points_of

NS_PER_MS = 1_000_000
NS_PER_S = 1_000_000_000


def format_score(score: int, scale: Scale) -> str:
    """`cp` in hundredths of a pawn, or `mate` in moves, negative when being mated."""
    centipawns, mate = shown_score(score, scale)
    return f"cp {centipawns}" if mate is None else f"mate {mate}"


def format_wdl(score: int, position: Position, scale: Scale) -> str:
    """`wdl` and the chances of the side to move, in thousandths."""
    return "wdl {} {} {}".format(*scale.win_draw_loss(score, points_of(position)))


def format_line_report(
    report: LineReport, position: Position, scale: Scale, shows_wdl: bool = False
) -> str:
    """`info` with a line of play and its score."""
    bound = {UPPER: " upperbound", LOWER: " lowerbound"}.get(report.bound, "")
    chances = f" {format_wdl(report.score, position, scale)}" if shows_wdl else ""
    return (
        f"info depth {report.depth} seldepth {max(report.deepest_ply, 1)} multipv {report.number}"
        f" score {format_score(report.score, scale)}{bound}{chances}"
        f" {format_effort(report)} pv {format_moves(report.moves, position)}"
    )


def format_effort(report: LineReport | SearchProgress | SearchResult) -> str:
    """How much was searched so far, and in what time."""
    elapsed_ns = max(report.elapsed_ns, 1)
    return (
        f"nodes {report.nodes} nps {report.nodes * NS_PER_S // elapsed_ns}"
        f" hashfull {report.hashfull_permille} tbhits {report.table_hits}"
        f" time {elapsed_ns // NS_PER_MS}"
    )


def format_current_move(current: CurrentMove, position: Position) -> str:
    """`info` with the root move that is being searched."""
    move = format_move(current.move, position)
    return f"info depth {current.depth} currmove {move} currmovenumber {current.number}"


def format_refutation(moves: list[int], position: Position) -> str:
    """`info` with a root move and what refutes it."""
    return f"info refutation {format_moves(moves, position)}"


def format_moves(moves: list[int], position: Position) -> str:
    """Moves that follow one another, the first one played in the position."""
    return " ".join(format_move(move, position) for move in moves)
