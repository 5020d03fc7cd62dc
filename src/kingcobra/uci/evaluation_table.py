# SPDX-License-Identifier: GPL-3.0-or-later
"""`eval`: an evaluation taken apart, as a table for people."""

from kingcobra.board.board import Board
from kingcobra.nnue.breakdown import Breakdown, Worth, break_down
from kingcobra.nnue.classical import FULL_PHASE

CP_PER_PAWN = 100
PERCENT = 100
NAME_WIDTH = 16
SIDE_WIDTH = 15


def evaluation_text(board: Board) -> str:
    """The evaluation of a position."""
    return format_breakdown(break_down(board), board.is_check())


def format_breakdown(breakdown: Breakdown, has_check: bool) -> str:
    """A row for each group of terms, then the sum and what it comes to in this phase."""
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
        *(_worths(name, *sides) for name, sides in breakdown.groups.items()),
        rule,
        _worths("Total", white_total, black_total),
        "",
        f"Phase: {middlegame_percent} % middlegame, {PERCENT - middlegame_percent} % endgame",
        f"Final evaluation: {breakdown.white_cp / CP_PER_PAWN:+.2f} (White's view)"
        + (", in check: a search would not use it" if has_check else ""),
    ]
    return "\n".join(line.rstrip() for line in lines)


def _worths(name: str, white: Worth, black: Worth) -> str:
    cells = (white, black, white.less(black))
    return _row(
        name,
        *(
            f"{cell.middlegame / CP_PER_PAWN:7.2f} {cell.endgame / CP_PER_PAWN:7.2f}"
            for cell in cells
        ),
    )


def _row(name: str, *cells: str) -> str:
    return " | ".join((f"{name:<{NAME_WIDTH}}", *cells))
