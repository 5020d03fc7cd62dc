# SPDX-License-Identifier: GPL-3.0-or-later
"""What a network says, worked out the slow and obvious way from a python-chess board.

Shares nothing with the code under test but the network's arrays: inputs are numbered from published
tables, sums are 64-bit, and every place where Stockfish would wrap is asserted not to.
"""

import chess
import numpy as np

INT16, INT32 = np.iinfo(np.int16), np.iinfo(np.int32)

PIECE_NAMES = "PpNnBbRrQqKk"


def halfkp_input(white_view, king, piece, square):
    """41,024 inputs: kings light none, Black's board is turned round."""
    if piece.piece_type == chess.KING:
        return None
    turn = (lambda s: s) if white_view else (lambda s: 63 - s)
    return turn(king) * 641 + 1 + _plane(white_view, piece) * 64 + turn(square)


def halfka_input(white_view, king, piece, square):
    """49,152 inputs: twelve boards of 64 squares for each square of the king."""
    return _upright(white_view, king) * 768 + _king_apart(white_view, piece, square)


def halfka_trainer_input(white_view, king, piece, square):
    """49,216 inputs: the same, with one unused before each king square's boards."""
    return _upright(white_view, king) * 769 + 1 + _king_apart(white_view, piece, square)


def halfka_v2_input(white_view, king, piece, square):
    """45,056 inputs: both kings share the eleventh board."""
    plane = min(_plane(white_view, piece), 10)
    return _upright(white_view, king) * 704 + plane * 64 + _upright(white_view, square)


def halfka_v2_hm_input(white_view, king, piece, square):
    """22,528 inputs: as before, on a board mirrored so that the king stands on files e to h."""
    king, square = _upright(white_view, king), _upright(white_view, square)
    if chess.square_file(king) <= chess.square_file(chess.D1):
        king, square = (_other_wing(s) for s in (king, square))
    bucket = (7 - chess.square_rank(king)) * 4 + 7 - chess.square_file(king)
    return bucket * 704 + min(_plane(white_view, piece), 10) * 64 + square


def halfka_v2_hm_regions_input(white_view, king, piece, square):
    """11,264 inputs: eleven boards for each region of the king; a to d are mirrored."""
    king, square = _upright(white_view, king), _upright(white_view, square)
    if chess.square_file(king) <= chess.square_file(chess.D1):
        king, square = (_other_wing(s) for s in (king, square))
    (region,) = [
        number for number, squares in enumerate(KING_REGIONS) if chess.square_name(king) in squares
    ]
    return region * 704 + min(_plane(white_view, piece), 10) * 64 + square


# By the names of the king's squares, the first region first.
KING_REGIONS = (
    *("g7 g8 h7 h8", "e7 e8 f7 f8", "g5 g6 h5 h6", "e5 e6 f5 f6"),
    *("g4 h4", "e4 f4", "g3 h3", "e3 f3"),
    *("h2", "g2", "f2", "e2", "h1", "g1", "f1", "e1"),
)

INPUTS = {
    "HalfKP": halfkp_input,
    "HalfKA": halfka_input,
    "HalfKA+1": halfka_trainer_input,
    "HalfKAv2": halfka_v2_input,
    "HalfKAv2_hm": halfka_v2_hm_input,
    "HalfKAv2_hm_r16": halfka_v2_hm_regions_input,
}


def _plane(white_view, piece):
    """0 for one's own pawn, 1 for the other's, 2 for one's own knight … 11 for the other's king."""
    symbol = piece.symbol() if white_view else piece.symbol().swapcase()
    return PIECE_NAMES.index(symbol)


def _king_apart(white_view, piece, square):
    return _plane(white_view, piece) * 64 + _upright(white_view, square)


def _upright(white_view, square):
    return square if white_view else chess.square_mirror(square)


def _other_wing(square):
    return chess.square(7 - chess.square_file(square), chess.square_rank(square))


def active_inputs(feature_set, board, white_view):
    """The inputs lit in one side's view."""
    number = INPUTS[feature_set.name]
    king = board.king(chess.WHITE if white_view else chess.BLACK)
    found = [number(white_view, king, piece, square) for square, piece in board.piece_map().items()]
    return sorted(index for index in found if index is not None)


def evaluate(network, board, buckets=None):
    """(bucket in use, psqt of each bucket, positional of each bucket) for the side to move; only of
    the `buckets` asked for, or of all."""
    architecture = network.architecture
    inputs = [
        active_inputs(architecture.features, board, view) for view in (board.turn, not board.turn)
    ]
    sums = [network.biases + network.weights[lit].sum(axis=0, dtype=np.int64) for lit in inputs]
    for view in sums:
        require_range(view, INT16)
    bucket = (len(board.piece_map()) - 1) // 4 if len(network.stacks) == 8 else 0
    buckets = range(len(network.stacks)) if buckets is None else buckets
    squeezed = np.concatenate([squeeze(view, architecture) for view in sums])
    positional = [propagate(squeezed, network.stacks[n], architecture) for n in buckets]
    psqt = [0] * len(positional)
    if network.psqt is not None:
        own, other = (network.psqt[lit].sum(axis=0, dtype=np.int64) for lit in inputs)
        psqt = [toward_zero(int(own[n] - other[n]), 2) for n in buckets]
    return bucket, psqt, positional


def squeeze(sums, architecture):
    """An accumulator as bytes."""
    clipped = np.minimum(np.maximum(sums, 0), 127)
    if architecture.transform.value == "clipped":
        return clipped
    half = len(clipped) // 2
    return clipped[:half] * clipped[half:] // 128


def propagate(squeezed, stack, architecture):
    """The positional integer of a stack."""
    first = dense(squeezed, stack.fc0)
    skipped = 0
    if architecture.forwarded:
        require_range(first[-1:] * 9600, INT32)
        skipped = toward_zero(int(first[-1]) * 9600, 8128)
        first = first[:-1]
    seen = clip(first)
    if architecture.squared:
        squares = [min(127, int(value) * int(value) // 2**19) for value in first]
        seen = np.concatenate([squares, seen])
    second = clip(dense(seen, stack.fc1))
    return int(dense(second, stack.fc2)[0]) + skipped


def dense(inputs, layer):
    """Products are below 2**53, so that floats are exact here, and fast."""
    columns = layer.weights[:, : len(inputs)].astype(np.float64)
    outputs = layer.biases + (columns @ inputs.astype(np.float64)).astype(np.int64)
    require_range(outputs, INT32)
    return outputs


def require_range(values, limits):
    """Numbers that Stockfish's own would hold."""
    assert limits.min <= values.min(), f"below {limits.bits} bits"
    assert values.max() <= limits.max, f"beyond {limits.bits} bits"


def clip(values):
    """64 is one; below zero is zero, above 127 is 127."""
    return np.minimum(np.maximum(values // 64, 0), 127)


def toward_zero(dividend, divisor):
    """C's division."""
    quotient = abs(dividend) // divisor
    return quotient if dividend >= 0 else -quotient
