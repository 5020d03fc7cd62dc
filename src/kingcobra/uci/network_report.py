# SPDX-License-Identifier: GPL-3.0-or-later
"""`eval` with a network: the value of every piece, and the output of each bucket."""

import ctypes
from collections.abc import Iterable

from kingcobra.board.fen import LETTERS
from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.network.architectures import bucket_of
from kingcobra.core.network.entries import SMALL_FROM, SMALL_SURE, lopsidedness
from kingcobra.core.rules.basics import (
    FILES,
    KING,
    NO_PIECE,
    RANKS,
    SQUARES,
    WHITE,
    colour_of,
    type_of,
)
from kingcobra.core.rules.layout import Position
from kingcobra.engine.evaluator import HYBRID, HYBRID_FROM, Evaluator, StaticEvaluator
from kingcobra.networks.loading import LoadedNetwork, ThreadMemory
from kingcobra.networks.network_scales import raw_per_shown_pawn
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
    sure = abs(small.core.evaluate_small(thread.address))
    if sure >= SMALL_SURE:
        return f"{small.name}: material is {apart} units apart, at least {SMALL_FROM}"
    return f"{network.name}: {small.name} sees {sure} units only, less than {SMALL_SURE}"


class NetworkView:
    """One position as a network sees it; figures in pawns, from White's side."""

    def __init__(self, network: LoadedNetwork, board: PositionHandle) -> None:
        self.network = network
        self.position = Position.from_buffer_copy(board.record)
        self.bucket = self._bucket(self.position)
        self._raw_per_pawn = raw_per_shown_pawn(network.architecture)
        self._memory = ThreadMemory(network, ctypes.addressof(self.position))

    def _bucket(self, position: Position) -> int:
        men = position.by_type[NO_PIECE].bit_count()
        return bucket_of(men, self.network.architecture.stacks)

    def answer(self, bucket: int) -> tuple[float, float]:
        """PSQT and positional part of a bucket."""
        psqt, positional = self._raw(self.position, bucket)
        return self._white(psqt), self._white(positional)

    def white_pawns(self, bucket: int) -> float:
        """Both parts together."""
        return self._white(sum(self._raw(self.position, bucket)))

    def men_pawns(self) -> dict[int, float]:
        """For each square with a man that can be missed: what would be lost with it."""
        whole = sum(self._raw(self.position, self.bucket))
        worths = {}
        for square in range(SQUARES):
            piece = self.position.board[square]
            if piece != NO_PIECE and type_of(piece) != KING:
                rest = without(self.position, square)
                worths[square] = self._white(whole - sum(self._raw(rest, self._bucket(rest))))
        return worths

    def _raw(self, position: Position, bucket: int) -> tuple[int, int]:
        self._memory.record.position = ctypes.addressof(position)
        self._memory.forget()
        return self._memory.evaluate(bucket)

    def _white(self, raw: int) -> float:
        mover_pawns = raw / self._raw_per_pawn
        return mover_pawns if self.position.side == WHITE else -mover_pawns


def without(position: Position, square: int) -> Position:
    """A copy that lacks a man. It may be one that no game reaches; networks do not mind."""
    copy = Position.from_buffer_copy(position)
    piece = copy.board[square]
    copy.board[square] = NO_PIECE
    keep = ~(1 << square)
    copy.by_type[NO_PIECE] &= keep
    copy.by_type[type_of(piece)] &= keep
    copy.by_colour[colour_of(piece)] &= keep
    return copy


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
