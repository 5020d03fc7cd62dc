# SPDX-License-Identifier: GPL-3.0-or-later
"""`eval`: the classical evaluation as a table."""

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.classical.drawish import ALL_PARTS
from kingcobra.core.classical.evaluate import FULL_PHASE
from kingcobra.engine.classical_breakdown import Breakdown, Worth, break_down
from kingcobra.engine.evaluator import Evaluator, StaticEvaluator
from kingcobra.networks.scale import Scale
from kingcobra.uci.position_value import given_line

PERCENT = 100
NAME_WIDTH = 16
SIDE_WIDTH = 15


def evaluation_text(
    evaluator: Evaluator, board: PositionHandle, given_white_cp: int | None = None
) -> str:
    """The evaluation of a position: its parts, and the figure that a search would start from."""
    parts = format_breakdown(break_down(board), evaluator.scale)
    if given_white_cp is not None:
        return f"{parts}\n{given_line(given_white_cp)}"
    final = f"Final evaluation: {StaticEvaluator(evaluator).white_pawns(board):+.2f} (White's view)"
    if board.is_check():
        final += ", in check: a search would not use it"
    return f"{parts}\n{final}"


def format_breakdown(breakdown: Breakdown, scale: Scale) -> str:
    """A row for each group of terms, then the sum and the phase of the game."""
    white_total, black_total = breakdown.totals
    rule = "-" * (NAME_WIDTH + 1) + ("+" + "-" * (SIDE_WIDTH + 2)) * 3
    heading = ("White", "Black", "White less Black")
    middlegame_percent = breakdown.phase * PERCENT // FULL_PHASE
    lines = [
        "Classical evaluation in pawns: with all pieces on the board (mg), with none (eg)",
        "",
        _row("", *(f"{text:^{SIDE_WIDTH}}" for text in heading)),
        _row("Term", *[f"{'mg':>7} {'eg':>7}"] * len(heading)),
        rule,
        *(_worths(name, *sides, scale) for name, sides in breakdown.groups.items()),
        rule,
        _worths("Total", white_total, black_total, scale),
        "",
        f"Phase: {middlegame_percent} % middlegame, {PERCENT - middlegame_percent} % endgame",
    ]
    if breakdown.counting_parts < ALL_PARTS:
        counting_percent = breakdown.counting_parts * PERCENT // ALL_PARTS
        lines.append(f"Hard to win: {counting_percent} % of the advantage counts")
    return "\n".join(line.rstrip() for line in lines)


def _worths(name: str, white: Worth, black: Worth, scale: Scale) -> str:
    cells = (white, black, white.less(black))
    pawn = scale.units_per_pawn
    return _row(
        name, *(f"{cell.middlegame / pawn:7.2f} {cell.endgame / pawn:7.2f}" for cell in cells)
    )


def _row(name: str, *cells: str) -> str:
    return " | ".join((f"{name:<{NAME_WIDTH}}", *cells))
