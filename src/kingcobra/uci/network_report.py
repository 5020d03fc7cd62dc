# SPDX-License-Identifier: GPL-3.0-or-later
"""`eval` with a network: the value of every piece, and the output of each bucket."""

from collections.abc import Iterable

from kingcobra.board.fen import LETTERS
from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.network.entries import SMALL_FROM, SMALL_SURE, lopsidedness
from kingcobra.core.rules.basics import FILES, RANKS, WHITE
from kingcobra.engine.evaluator import HYBRID, HYBRID_FROM, Evaluator, StaticEvaluator
from kingcobra.engine.network_view import NetworkView
from kingcobra.networks.loading import LoadedNetwork, ThreadMemory
from kingcobra.uci.position_value import given_line

CELL = 7
COLUMN = 12


def network_report(
    evaluator: Evaluator, board: PositionHandle, given_white_cp: int | None = None
) -> str:
    """The board with its men's values, the table of buckets, and the figure that counts."""
    network = evaluator.network
    assert network is not None
    taken_apart = NetworkView(network, board)
    side = "White" if taken_apart.position.side == WHITE else "Black"
    lines = [
        f"{network.name}: {network.architecture.name}",
        "",
        "What each man is worth: the evaluation less the evaluation without it, in pawns,",
        "White's view",
        *board_lines(board, taken_apart.men_pawns()),
        "",
        f"What each bucket says, in pawns, White's view ({side} to move)",
        *bucket_lines(taken_apart),
        "",
        f"Network evaluation: {taken_apart.white_pawns(taken_apart.bucket):+.2f} (White's view)",
    ]
    if given_white_cp is None:
        lines += _final_lines(evaluator, network, board)
    else:
        lines.append(given_line(given_white_cp))
    return "\n".join(lines)


def _final_lines(evaluator: Evaluator, network: LoadedNetwork, board: PositionHandle) -> list[str]:
    """Who has the last word, what its pawns are, and the figure."""
    if board.is_check():
        return ["Final evaluation: none, the side to move is in check"]
    return [
        f"Decided by {_decided_by(evaluator, network, board)}",
        f"Scale: that of {network.name}, on which +1.00 wins every other game",
        f"Final evaluation: {StaticEvaluator(evaluator).white_pawns(board):+.2f} (White's view)",
    ]


def _decided_by(evaluator: Evaluator, network: LoadedNetwork, board: PositionHandle) -> str:
    """Whose figure compiled code takes, and why: the same steps as its own."""
    small = evaluator.small
    if small is None and evaluator.mode != HYBRID:
        return network.name
    apart = int(lopsidedness(board.record))
    if evaluator.mode == HYBRID and apart >= HYBRID_FROM:
        return f"the classical evaluation: material is {apart} units apart, at least {HYBRID_FROM}"
    if small is None:
        return f"{network.name}: material is {apart} units apart, less than {HYBRID_FROM}"
    if apart < SMALL_FROM:
        return f"{network.name}: material is {apart} units apart, less than {SMALL_FROM}"
    thread = ThreadMemory(small, board.address)
    sure = abs(small.code.evaluate_small(thread.address))
    if sure >= SMALL_SURE:
        return f"{small.name}: material is {apart} units apart, at least {SMALL_FROM}"
    return f"{network.name}: {small.name} sees {sure} units only, less than {SMALL_SURE}"


# --- text -------------------------------------------------------------------------------------


def board_lines(board: PositionHandle, pawns: dict[int, float]) -> list[str]:
    """The board from White's side, in each square the man's letter above its worth."""
    rule = ("+" + "-" * CELL) * FILES + "+"
    lines = [rule]
    for rank in reversed(range(RANKS)):
        squares = range(rank * FILES, (rank + 1) * FILES)
        letters = (LETTERS.get(board.piece_at(square), "") for square in squares)
        worths = (f"{pawns[square]:+.2f}" if square in pawns else "" for square in squares)
        lines += [_row(letters, CELL), _row(worths, CELL), rule]
    return lines


def bucket_lines(view: NetworkView) -> list[str]:
    """A row for each bucket, the one in use marked."""
    rule = ("+" + "-" * COLUMN) * 4 + "+"
    lines = [
        rule,
        _row(("bucket", "PSQT", "positional", "together"), COLUMN),
        rule,
    ]
    for bucket in range(view.network.architecture.stacks):
        psqt, positional = view.answer(bucket)
        figures = (f"{figure:+.2f}" for figure in (psqt, positional, view.white_pawns(bucket)))
        mark = " <- in use" if bucket == view.bucket else ""
        lines.append(_row((str(bucket), *figures), COLUMN) + mark)
    return [*lines, rule]


def _row(cells: Iterable[str], width: int) -> str:
    return "|" + "|".join(f"{cell:^{width}}" for cell in cells) + "|"
