# SPDX-License-Identifier: GPL-3.0-or-later
"""A network evaluated with NumPy, a position in about a millisecond and nothing to compile: for the
tools that look into networks. All arithmetic is Stockfish's, in 16 and 32 bits."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kingcobra.board.fen import parse_fen
from kingcobra.core.network.architectures import (
    FILES_OF_THE_KINGS,
    FIRST_FILE_OF_THE_KINGS,
    OUTPUT_SCALE,
    PLAIN_PLANES,
    FeatureSet,
    Transform,
    bucket_of,
)
from kingcobra.core.rules.basics import (
    COLOUR_SHIFT,
    FILES,
    KING,
    MIRROR_RANKS,
    NO_PIECE,
    PAWN,
    SQUARES,
    TYPE_MASK,
    WHITE,
    piece_of,
)
from kingcobra.networks.network import Int16s, Int32s, Layer, Network, Stack

ACTIVATION_MAX = 127
PAIR_SHIFT = 7
ACTIVATION_SHIFT = 6
SQUARE_SHIFT = 2 * ACTIVATION_SHIFT + 7
# The weight of the forwarded output: the trainer's 600 for the whole range of the output.
FORWARDED_FACTOR, FORWARDED_DIVISOR = 600 * OUTPUT_SCALE, ACTIVATION_MAX << ACTIVATION_SHIFT

MIRROR_FILES = FILES - 1


class Men(NamedTuple):
    """A position as a network sees it: the piece on each square, and the side to move."""

    board: tuple[int, ...]
    mover: int

    @property
    def total(self) -> int:
        """Men on the board, kings included."""
        return SQUARES - self.board.count(NO_PIECE)

    def without(self, square: int) -> "Men":
        """The same position with that square empty."""
        return self._replace(board=(*self.board[:square], NO_PIECE, *self.board[square + 1 :]))


class Evaluation(NamedTuple):
    """The evaluation of a position by a network, from the mover's side, before the division by 16:
    one psqt and one positional integer for each stack, and which of the stacks is in use. A network
    without PSQT weights has zeros there."""

    bucket: int
    psqt: tuple[int, ...]
    positional: tuple[int, ...]

    @property
    def raw(self) -> int:
        """The sum of both parts in the bucket in use."""
        return self.psqt[self.bucket] + self.positional[self.bucket]


def men_of_fen(fen: str) -> Men:
    """The men of a FEN. FenError for text that is not a position; castling may be that of
    Chess960."""
    setup = parse_fen(fen, chess960=True)
    return Men(tuple(setup.board), setup.side)


def evaluate(network: Network, men: Men) -> Evaluation:
    """The integers of all stacks for a position."""
    architecture = network.architecture
    views = [accumulate(network, men, side) for side in (men.mover, 1 - men.mover)]
    transformed = np.concatenate(
        [transform(view.sums, architecture.transform) for view in views]
    ).astype(np.int32)
    positional = tuple(_propagate(network, stack, transformed) for stack in network.stacks)
    own, other = (view.psqt.astype(np.int64) for view in views)
    psqt = tuple(_halved(int(difference)) for difference in own - other)
    return Evaluation(bucket_of(men.total, architecture.stacks), psqt, positional)


def active_inputs(features: FeatureSet, men: Men, view: int) -> list[int]:
    """The inputs that are active in one side's view, in the order of the squares."""
    flip = 0 if view == WHITE else features.black_flip
    king = men.board.index(piece_of(view, KING)) ^ flip
    if features.mirrored:
        if king % FILES < FIRST_FILE_OF_THE_KINGS:
            flip ^= MIRROR_FILES
            king ^= MIRROR_FILES
        # h8 is bucket 0, and every rank has four.
        king ^= MIRROR_RANKS | MIRROR_FILES
        king = king // FILES * FILES_OF_THE_KINGS + king % FILES
        if features.king_regions:
            king = features.king_regions[king]
    block = king * features.per_king + features.first
    inputs = []
    for square, piece in enumerate(men.board):
        kind, is_other = piece & TYPE_MASK, piece >> COLOUR_SHIFT != view
        if kind == NO_PIECE or (kind == KING and not features.king_planes):
            continue
        plane = (kind - PAWN) * 2 + is_other
        plane = min(plane, PLAIN_PLANES + features.king_planes - 1)
        inputs.append(block + plane * SQUARES + (square ^ flip))
    return inputs


class Accumulator(NamedTuple):
    """One side's accumulator, and its PSQT sums: a single 0 where the network has none."""

    sums: Int16s
    psqt: Int32s


def accumulate(network: Network, men: Men, view: int) -> Accumulator:
    """The accumulator of the side `view`, from scratch."""
    inputs = active_inputs(network.architecture.features, men, view)
    sums = network.biases + network.weights[inputs].sum(axis=0, dtype=np.int16)
    if network.psqt is None:
        return Accumulator(sums, np.zeros(1, np.int32))
    return Accumulator(sums, network.psqt[inputs].sum(axis=0, dtype=np.int32))


def transform(sums: Int16s, kind: Transform) -> NDArray[Any]:
    """The bytes that an accumulator gives to the first dense layer."""
    clipped = np.clip(sums, 0, ACTIVATION_MAX)
    if kind is Transform.CLIPPED:
        return clipped
    first, second = np.split(clipped, 2)
    return first * second >> PAIR_SHIFT


def _propagate(network: Network, stack: Stack, transformed: Int32s) -> int:
    """The positional integer of one stack."""
    architecture = network.architecture
    fc0 = _dense(stack.fc0, transformed)
    forwarded = 0
    if architecture.forwarded:
        forwarded = _truncated(int(fc0[-1]) * FORWARDED_FACTOR, FORWARDED_DIVISOR)
    seen = fc0[: architecture.activated]
    activated = _clipped(seen)
    if architecture.squared:
        squares = np.minimum(seen.astype(np.int64) ** 2 >> SQUARE_SHIFT, ACTIVATION_MAX)
        activated = np.concatenate([squares.astype(np.int32), activated])
    fc1 = _dense(stack.fc1, activated)
    return int(_dense(stack.fc2, _clipped(fc1))[0]) + forwarded


def _dense(layer: Layer, inputs: Int32s) -> Int32s:
    weights = layer.weights[:, : len(inputs)].astype(np.int32)
    outputs: Int32s = layer.biases + weights @ inputs
    return outputs


def _clipped(outputs: Int32s) -> Int32s:
    return np.clip(outputs >> ACTIVATION_SHIFT, 0, ACTIVATION_MAX)


def _halved(difference: int) -> int:
    return _truncated(difference, 2)


def _truncated(dividend: int, divisor: int) -> int:
    """The quotient without its fraction, as C divides."""
    return abs(dividend) // divisor * (1 if dividend >= 0 else -1)
