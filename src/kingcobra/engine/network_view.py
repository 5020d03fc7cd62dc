# SPDX-License-Identifier: GPL-3.0-or-later
"""One position as a network sees it: the output of each bucket, and what every man is worth."""

import ctypes

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.network.architectures import bucket_of
from kingcobra.core.rules.basics import KING, NO_PIECE, SQUARES, WHITE, colour_of, type_of
from kingcobra.core.rules.layout import Position
from kingcobra.networks.loading import LoadedNetwork, ThreadMemory
from kingcobra.networks.network_scales import raw_per_shown_pawn


class NetworkView:
    """One position as a network sees it; figures in pawns, from White's side."""

    def __init__(self, network: LoadedNetwork, board: PositionHandle) -> None:
        self.network = network
        self.position = Position()
        board.copy_to(ctypes.addressof(self.position))
        self.bucket = self._bucket(self.position)
        self._raw_per_pawn = raw_per_shown_pawn(network.architecture, network.digest)
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
