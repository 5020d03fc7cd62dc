# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports of the search as UCI text."""

from kingcobra.board.move_text import format_move
from kingcobra.core.rules.layout import Position
from kingcobra.core.search.layout import LOWER, PV_REPORT, REFUTATION_REPORT, UPPER, Report
from kingcobra.core.search.scores import MATE, MATE_BAND
from kingcobra.networks.scale import Scale, points_of

NS_PER_MS = 1_000_000
NS_PER_S = 1_000_000_000


def format_score(score: int, scale: Scale) -> str:
    """`cp` in hundredths of a pawn, or `mate` in moves, negative when being mated."""
    if score >= MATE_BAND:
        return f"mate {(MATE - score + 1) // 2}"
    if score <= -MATE_BAND:
        return f"mate {-((MATE + score) // 2)}"
    return f"cp {scale.centipawns(score)}"


def format_wdl(score: int, position: Position, scale: Scale) -> str:
    """`wdl` and the chances of the side to move, in thousandths."""
    return "wdl {} {} {}".format(*scale.win_draw_loss(score, points_of(position)))


def format_report(
    report: Report,
    position: Position,
    nodes: int,
    hashfull: int,
    scale: Scale,
    shows_wdl: bool = False,
) -> str:
    """One `info` line."""
    if report.kind == REFUTATION_REPORT:
        return f"info refutation {format_line(report.pv[: report.pv_length], position)}"
    if report.kind != PV_REPORT:
        move = format_move(report.pv[0], position)
        return f"info depth {report.depth} currmove {move} currmovenumber {report.line}"
    bound = {UPPER: " upperbound", LOWER: " lowerbound"}.get(report.bound, "")
    chances = f" {format_wdl(report.score, position, scale)}" if shows_wdl else ""
    elapsed_ns = max(report.elapsed_ns, 1)
    return (
        f"info depth {report.depth} seldepth {max(report.deepest, 1)} multipv {report.line}"
        f" score {format_score(report.score, scale)}{bound}{chances}"
        f" nodes {nodes} nps {nodes * NS_PER_S // elapsed_ns} hashfull {hashfull} tbhits 0"
        f" time {elapsed_ns // NS_PER_MS} pv {format_line(report.pv[: report.pv_length], position)}"
    )


def format_line(line: list[int], position: Position) -> str:
    """A line of moves that starts at the position."""
    return " ".join(format_move(move, position) for move in line)
