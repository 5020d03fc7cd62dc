# SPDX-License-Identifier: GPL-3.0-or-later
"""Packed records to what a network sees, on the device where they lie.

Both views of a position are decoded together: rows 0 to n - 1 are the movers' views, rows n to
2n - 1 the opponents'.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from kingcobra.core.network.architectures import (
    FILES_OF_THE_KINGS,
    FIRST_FILE_OF_THE_KINGS,
    MEN_PER_BUCKET,
    PLAIN_PLANES,
    FeatureSet,
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
)
from kingcobra.training.data.packed import (
    BITS_PER_MAN,
    BLACK_TO_MOVE,
    MAN_MASK,
    MEN_PER_WORD,
    RESULT_MASK,
    RESULT_SHIFT,
)

SCORE_BITS = 32
SCORE_SIGN, SCORE_RANGE = 1 << 31, 1 << 32
MIRROR_FILES = FILES - 1
NO_PLANE = 99
# Numbers of pieces, some of them unused: four bits.
PIECE_CODES = 1 << BITS_PER_MAN
REGION_BITS, REGION_MASK, REGIONS_PER_WORD = 4, 15, 16
WORD_SIGN, WORD_RANGE = 1 << 63, 1 << 64


class Labels(NamedTuple):
    """What is known of positions: raw scores and results, both the movers'."""

    score: Tensor
    result: Tensor


class Views(NamedTuple):
    """What a feature transformer sees: for each view its king's bucket, and the plane of the man
    on each square, NO_PLANE for none, as eight bits."""

    bucket: Tensor
    planes: Tensor


class Decoded(NamedTuple):
    """A batch: views of both sides, the stack of each position, and the labels."""

    views: Views
    stack: Tensor
    labels: Labels


def decode(words: Tensor, features: FeatureSet, stacks: int) -> Decoded:
    """A batch of records, four words each."""
    occupancy, low, high, rest = words.unbind(1)
    squares = torch.arange(SQUARES, device=words.device)
    occupied = occupancy[:, None] >> squares & 1
    index = occupied.cumsum(1) - 1
    word = torch.where(index < MEN_PER_WORD, low[:, None], high[:, None])
    men = ((word >> BITS_PER_MAN * (index % MEN_PER_WORD) & MAN_MASK) * occupied).to(torch.uint8)
    flags = rest >> SCORE_BITS
    mover = flags & BLACK_TO_MOVE
    unsigned = rest & SCORE_RANGE - 1
    score = unsigned - SCORE_RANGE * (unsigned >= SCORE_SIGN)
    count = index[:, -1] + 1
    stack = (count - 1) // MEN_PER_BUCKET if stacks > 1 else torch.zeros_like(count)
    views = _views(torch.cat([men, men]), torch.cat([mover, 1 - mover]), features)
    return Decoded(views, stack, Labels(score, flags >> RESULT_SHIFT & RESULT_MASK))


def _views(men: Tensor, side: Tensor, features: FeatureSet) -> Views:
    squares = torch.arange(SQUARES, device=men.device)
    own_king = KING + (side << COLOUR_SHIFT)
    king = (men == own_king[:, None]).to(torch.uint8).argmax(1)
    flip = side * features.black_flip
    king = king ^ flip
    if features.mirrored:
        mirror = (king % FILES < FIRST_FILE_OF_THE_KINGS) * MIRROR_FILES
        flip, king = flip ^ mirror, king ^ mirror
        king = king ^ (MIRROR_RANKS | MIRROR_FILES)
        king = king // FILES * FILES_OF_THE_KINGS + king % FILES
        if features.king_regions:
            king = _region_of(king, features.king_regions)
    plane_of = _planes_of_pieces(features, men.device)
    coloured = men + (side[:, None] << COLOUR_SHIFT + 1).to(torch.uint8)
    planes = plane_of[coloured.int()]
    return Views(king, planes.gather(1, squares[None] ^ flip[:, None]))


def _region_of(king: Tensor, regions: tuple[int, ...]) -> Tensor:
    """The entries of a table of 32 small numbers, which lies in two words: a tensor would have to
    travel to the device in every step, and a step that is recorded cannot do that."""
    halves = [regions[:REGIONS_PER_WORD], regions[REGIONS_PER_WORD:]]
    low, high = (
        sum(region << REGION_BITS * place for place, region in enumerate(half)) for half in halves
    )
    word = torch.where(king < REGIONS_PER_WORD, _signed(low), _signed(high))
    return word >> REGION_BITS * (king % REGIONS_PER_WORD) & REGION_MASK


def _signed(word: int) -> int:
    return word - WORD_RANGE if word >= WORD_SIGN else word


def _planes_of_pieces(features: FeatureSet, device: torch.device) -> Tensor:
    """The plane of each piece as White and then as Black sees it."""
    pieces = torch.arange(PIECE_CODES, device=device).repeat(2)
    side = torch.arange(2, device=device).repeat_interleave(PIECE_CODES)
    kind = pieces & TYPE_MASK
    is_other = (pieces >> COLOUR_SHIFT) != side
    plane = ((kind - PAWN) * 2 + is_other).clamp(max=max(features.planes, PLAIN_PLANES + 1) - 1)
    is_lit = kind != NO_PIECE
    if not features.king_planes:
        is_lit &= kind != KING
    return torch.where(is_lit, plane, NO_PLANE).to(torch.uint8)


def lit_columns(views: Views, features: FeatureSet) -> Tensor:
    """Which of the inputs of a king's bucket are lit, `planes * 64` columns: what a matrix product
    takes."""
    planes = torch.arange(features.planes, dtype=torch.uint8, device=views.planes.device)
    return (views.planes[:, None, :] == planes[None, :, None]).flatten(1)


def lit_inputs(views: Views, features: FeatureSet) -> tuple[Tensor, Tensor]:
    """The lit inputs of all views one after the other, and where each view's begin: what
    `embedding_bag` takes."""
    is_lit = views.planes != NO_PLANE
    row, square = is_lit.nonzero(as_tuple=True)
    column = views.planes[is_lit].long() * SQUARES + square
    inputs = views.bucket[row] * features.per_king + features.first + column
    starts = torch.searchsorted(row, torch.arange(len(is_lit), device=row.device))
    return inputs, starts
