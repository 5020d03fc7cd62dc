# SPDX-License-Identifier: GPL-3.0-or-later
"""The feature transformer as it is trained.

A king's bucket sees few positions, so what a man is worth wherever the king stands is learnt
apart: *virtual* rows, one for each kind of man and square, are added to the rows of every bucket.
The same holds for the PSQT. An exported network has only the sums.
"""

import torch
import torch.nn.functional as functional
from torch import Tensor, nn

from kingcobra.core.network.architectures import (
    KINGS_TOGETHER,
    PLAIN_PLANES,
    Architecture,
    FeatureSet,
)
from kingcobra.core.rules.basics import FILES, SQUARES
from kingcobra.training.model.decoding import HALF_OF_THE_FILES, Views, lit_inputs

# Where training begins: sums around 0.3 with most neurons alive.
BIAS_START, ROW_SPREAD = 0.3, 0.04
# What men are worth before anything is learnt, in units of a network's output (600 of
# Stockfish's units): pawn, knight, bishop, rook, queen.
MEN_VALUES = (0.21, 1.30, 1.375, 2.13, 4.23)


class FeatureTransformer(nn.Module):
    """Views to accumulators and PSQT sums; one is 127 and 9600 of the exported integers."""

    def __init__(self, architecture: Architecture) -> None:
        super().__init__()
        features = architecture.features
        inputs = features.planes * SQUARES
        width, self.psqt_buckets = architecture.width, architecture.psqt_buckets
        self.features = features
        virtual_inputs = int(virtual_rows(features).max()) + 1
        self.rows = nn.Parameter(torch.zeros(features.king_buckets, inputs, width))
        self.virtual = nn.Parameter(torch.randn(virtual_inputs, width) * ROW_SPREAD)
        self.biases = nn.Parameter(torch.full((width,), BIAS_START))
        self.psqt_rows = nn.Parameter(torch.zeros(features.king_buckets, inputs, self.psqt_buckets))
        self.psqt_virtual = nn.Parameter(_men_values(inputs, self.psqt_buckets))
        self.register_buffer("virtual_row", virtual_rows(features), persistent=False)
        self.virtual_row: Tensor

    def table(self) -> Tensor:
        """The rows of all buckets with their virtual parts."""
        return self.rows + self.virtual[self.virtual_row]

    def psqt_table(self) -> Tensor:
        """Likewise for the PSQT."""
        return self.psqt_rows + self.psqt_virtual

    def by_bags(self, views: Views, table: Tensor) -> tuple[Tensor, Tensor]:
        """Accumulators and PSQT sums by looking rows up: the CPU's way, in single precision.
        `table` is `self.table()`, perhaps rounded."""
        inputs, offsets = lit_inputs(views, self.features)
        column_of = inputs - self.features.first
        if self.features.first:
            bucket = column_of // self.features.per_king
            column_of = column_of - bucket * self.features.first
        sums = functional.embedding_bag(column_of, table.flatten(0, 1), offsets, mode="sum")
        if not self.psqt_buckets:
            return sums + self.biases, sums.new_zeros(len(sums), 0)
        psqt = functional.embedding_bag(
            column_of, self.psqt_table().flatten(0, 1), offsets, mode="sum"
        )
        return sums + self.biases, psqt

    def by_products(self, views: Views, table: Tensor) -> tuple[Tensor, Tensor]:
        """The same by one matrix product for each king's bucket: the GPU's way, fast in half
        precision only. The PSQT's virtual part stays in single precision, because a queen would be
        rounded by nine of its units; the rest of it is small."""
        order = views.bucket.argsort()
        ends = torch.bincount(views.bucket, minlength=self.features.king_buckets).cumsum(0)
        both = torch.cat([table, self.psqt_rows], dim=2)
        found = functional.grouped_mm(
            views.lit[order].to(torch.bfloat16), both.to(torch.bfloat16), offs=ends.to(torch.int32)
        )
        sums = torch.empty_like(found).index_copy(0, order, found).float()
        width = table.shape[2]
        psqt = sums[:, width:] + views.lit.float() @ self.psqt_virtual
        return sums[:, :width] + self.biases, psqt


def virtual_rows(features: FeatureSet) -> Tensor:
    """For each bucket and input, the virtual row that it shares with other buckets. Where both
    kings have one plane, the own king's square of a bucket has a row of its own."""
    inputs = features.planes * SQUARES
    rows = torch.arange(inputs).repeat(features.king_buckets, 1)
    if features.king_planes == KINGS_TOGETHER:
        for bucket in range(features.king_buckets):
            square = own_king_square(features, bucket)
            rows[bucket, PLAIN_PLANES * SQUARES + square] = inputs + square
    return rows


def own_king_square(features: FeatureSet, bucket: int) -> int:
    """Where the own king of a bucket stands, as its side sees the board."""
    if not features.mirrored:
        return bucket
    rank, file = divmod(bucket, HALF_OF_THE_FILES)
    return (FILES - 1 - rank) * FILES + FILES - 1 - file


def _men_values(inputs: int, psqt_buckets: int) -> Tensor:
    values = torch.zeros(inputs // SQUARES, SQUARES, psqt_buckets)
    for kind, value in enumerate(MEN_VALUES):
        values[2 * kind], values[2 * kind + 1] = value, -value
    return values.flatten(0, 1)
