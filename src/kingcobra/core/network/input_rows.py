# SPDX-License-Identifier: GPL-3.0-or-later
"""Which row of the weights belongs to a man, as one side sees it: tables for compiled code.

An input is the sum of what the king's square gives and what the man gives, the man's square turned
as the king's square demands it. So two small tables by king's square and one by man are enough for
every feature set.
"""

import numpy as np

from kingcobra.core.network.architectures import (
    FILES_OF_THE_KINGS,
    FIRST_FILE_OF_THE_KINGS,
    KINGS_APART,
    NO_KINGS,
    PLAIN_PLANES,
)
from kingcobra.core.network.layout import Plan
from kingcobra.core.rules.basics import (
    BLACK,
    COLOUR_SHIFT,
    COLOURS,
    FILES,
    KING,
    PAWN,
    PIECES,
    SQUARES,
    WHITE,
    file_of,
    piece_of,
    rank_of,
)
from kingcobra.kernel.compiled import compiled

MIRROR_FILES = FILES - 1
# The plane of a man that lights no input.
NO_PLANE = -1


def turn_of(features, view, king):
    """What squares are xored with for the side `view`, whose king stands on that square."""
    turn = features.black_flip if view == BLACK else 0
    if features.mirrored and file_of(king ^ turn) < FIRST_FILE_OF_THE_KINGS:
        turn ^= MIRROR_FILES
    return turn


def king_bucket(features, king):
    """The bucket of a king's square, turned already."""
    if not features.mirrored:
        return king
    number = (FILES - 1 - rank_of(king)) * FILES_OF_THE_KINGS + FILES - 1 - file_of(king)
    return features.king_regions[number] if features.king_regions else number


def plane_of(features, relative_piece):
    """The plane of a man: White's stands for the viewer's own, Black's for the other side's."""
    colour, kind = divmod(relative_piece, 1 << COLOUR_SHIFT)
    if kind != KING:
        return (kind - PAWN) * COLOURS + colour
    if features.king_planes == NO_KINGS:
        return NO_PLANE
    return PLAIN_PLANES + (colour if features.king_planes == KINGS_APART else 0)


def input_tables(features):
    """`turns[view, king]`, `bases[view, king]` and `offsets[relative piece]`: the input of a man is
    bases + offsets + (square ^ turns). Offsets of men that light nothing are negative."""
    turns = np.zeros((COLOURS, SQUARES), np.int64)
    bases = np.zeros((COLOURS, SQUARES), np.int64)
    offsets = np.full(PIECES, NO_PLANE, np.int64)
    for view in (WHITE, BLACK):
        for king in range(SQUARES):
            turn = turn_of(features, view, king)
            bucket = king_bucket(features, king ^ turn)
            turns[view, king] = turn
            bases[view, king] = bucket * features.per_king + features.first
    for colour in (WHITE, BLACK):
        for kind in range(PAWN, KING + 1):
            piece = piece_of(colour, kind)
            plane = plane_of(features, piece)
            if plane != NO_PLANE:
                offsets[piece] = plane * SQUARES
    return turns, bases, offsets


def row_finder(plan: Plan):
    """Three compiled functions. `first_row(weights, view, king)` and `turn(view, king)` are what a
    king's square gives; `row(first, turn, view, piece, square)` is the address of a man's row, or
    negative for a man without one."""
    turns, bases, offsets = input_tables(plan.architecture.features)
    row_bytes = plan.row_bytes
    rows_at = plan.rows_at
    all_have_rows = plan.architecture.features.king_planes != NO_KINGS

    @compiled
    def turn(view, king):
        return turns[view, king]

    @compiled
    def first_row(weights, view, king):
        return weights + rows_at + bases[view, king] * row_bytes

    @compiled
    def row(first, turn, view, piece, square):
        offset = offsets[piece ^ (view << COLOUR_SHIFT)]
        if not all_have_rows and offset < 0:
            return np.int64(NO_PLANE)
        return first + (offset + (square ^ turn)) * row_bytes

    return first_row, turn, row
