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
from kingcobra.core.rules.basics import SQUARES
from kingcobra.training.model.decoding import Views, lit_columns, lit_inputs
from kingcobra.training.model.scales import ROW_ONE

# Where training begins: sums around 0.3 with most neurons alive.
BIAS_START, ROW_SPREAD = 0.3, 0.04
# What men are worth before anything is learnt, in units of a network's output (600 of
# Stockfish's units): pawn, knight, bishop, rook, queen.
MEN_VALUES = (0.21, 1.30, 1.375, 2.13, 4.23)
# Multiples of 1/64 below 32 have eleven bits.
PSQT_PARTS = 64
# Rows and columns of the product that says whether a device can do it.
PROBE_SIZE = 16


class FeatureTransformer(nn.Module):
    """Views to sums of rows, without the biases, and PSQT sums; one is 127 and 9600 of the exported
    integers."""

    def __init__(self, architecture: Architecture) -> None:
        super().__init__()
        features = architecture.features
        inputs = features.planes * SQUARES
        width, self.psqt_buckets = architecture.width, architecture.psqt_buckets
        self.features = features
        own_king_bucket, own_king = own_king_rows(features)
        virtual_inputs = inputs + (int(own_king.max()) + 1 if len(own_king) else 0)
        self.rows = nn.Parameter(torch.zeros(features.king_buckets, inputs, width))
        self.virtual = nn.Parameter(torch.randn(virtual_inputs, width) * ROW_SPREAD)
        self.biases = nn.Parameter(torch.full((width,), BIAS_START))
        self.psqt_rows = nn.Parameter(torch.zeros(features.king_buckets, inputs, self.psqt_buckets))
        self.psqt_virtual = nn.Parameter(_men_values(inputs, self.psqt_buckets))
        self.register_buffer("own_king_bucket", own_king_bucket, persistent=False)
        self.register_buffer("own_king", own_king, persistent=False)
        self.own_king_bucket: Tensor
        self.own_king: Tensor

    def table(self) -> Tensor:
        """The rows of all buckets with their virtual parts. Written without looking most rows up by
        number, so the gradients of virtual rows are plain sums over the buckets."""
        inputs = self.rows.shape[1]
        shared = self.rows + self.virtual[:inputs]
        if not len(self.own_king):
            return shared
        buckets = self.own_king_bucket
        columns = PLAIN_PLANES * SQUARES + self.own_king
        own = self.rows[buckets, columns] + self.virtual[inputs + self.own_king]
        return shared.index_put((buckets, columns), own)

    def psqt_table(self) -> Tensor:
        """Likewise for the PSQT."""
        return self.psqt_rows + self.psqt_virtual

    def begin_psqt(self, table: Tensor) -> None:
        """Makes this the PSQT of all buckets. Their mean becomes the virtual part: it is large, and
        no way of this transformer rounds it."""
        shared = table.mean(dim=0)
        self.psqt_virtual.copy_(shared)
        self.psqt_rows.copy_(table - shared)

    def by_bags(self, views: Views, table: Tensor) -> tuple[Tensor, Tensor]:
        """Both sums by looking rows up: the CPU's way, in single precision. `table` is
        `self.table()`, perhaps rounded."""
        inputs, offsets = lit_inputs(views, self.features)
        column_of = inputs - self.features.first
        if self.features.first:
            bucket = column_of // self.features.per_king
            column_of = column_of - bucket * self.features.first
        both = torch.cat([table, self.psqt_table()], dim=2).flatten(0, 1)
        sums = functional.embedding_bag(column_of, both, offsets, mode="sum")
        width = table.shape[2]
        return sums[:, :width], sums[:, width:]

    def by_products(
        self, views: Views, table: Tensor, precision: torch.dtype = torch.bfloat16
    ) -> tuple[Tensor, Tensor]:
        """The same by one matrix product for each king's bucket: the GPU's way, fast in half
        precision only. The PSQT's virtual part is not rounded, because a queen would be off by nine
        of its units; the rest of it is small. Rows are multiplied in the units of an export, whose
        whole numbers half precision has up to 256."""
        lit = lit_columns(views, self.features)
        # Sorting bytes is quick, and nothing here has a shape that depends on the data.
        bucket, order = views.bucket.to(torch.uint8).sort()
        every = torch.arange(self.features.king_buckets, dtype=torch.int32, device=order.device)
        ends = torch.searchsorted(bucket.int(), every, right=True, out_int32=True)
        both = torch.cat([table, self.psqt_rows], dim=2) * ROW_ONE
        found = functional.grouped_mm(
            lit[order].to(precision),
            both.to(precision),
            offs=ends,
        )
        sums = torch.empty_like(found).index_copy(0, order, found).float() / ROW_ONE
        width = table.shape[2]
        psqt = sums[:, width:] + self._psqt_by_product(lit)
        return sums[:, :width], psqt

    def _psqt_by_product(self, lit: Tensor) -> Tensor:
        """PSQT sums of the virtual rows. A GPU may keep no more than eleven bits of a product's
        factors (TF32), so each weight comes in two parts: one that fits, and a small rest."""
        coarse = (self.psqt_virtual.detach() * PSQT_PARTS).round() / PSQT_PARTS
        parts = torch.cat([coarse, self.psqt_virtual - coarse], dim=1)
        return torch.add(*(lit.float() @ parts).chunk(2, dim=1))


def can_group(device: torch.device) -> bool:
    """Whether products by king's bucket can be had on a device, gradients included."""
    if not hasattr(functional, "grouped_mm"):
        return False
    left = torch.ones(PROBE_SIZE, PROBE_SIZE, dtype=torch.bfloat16, device=device)
    right = torch.ones(1, PROBE_SIZE, PROBE_SIZE, dtype=torch.bfloat16, device=device)
    right.requires_grad_()
    ends = torch.tensor([PROBE_SIZE], dtype=torch.int32, device=device)
    try:
        functional.grouped_mm(left, right, offs=ends).square().sum().backward()
    except (RuntimeError, NotImplementedError):
        return False
    return True


def own_king_rows(features: FeatureSet) -> tuple[Tensor, Tensor]:
    """Where own kings may stand: buckets and squares, pair by pair; none where kings do not share a
    plane. Where they do, each of these rows has a virtual row of its own."""
    pairs = [
        (bucket, square)
        for bucket in range(features.king_buckets)
        for square in features.king_squares(bucket)
        if features.king_planes == KINGS_TOGETHER
    ]
    buckets, squares = torch.tensor(pairs, dtype=torch.int64).reshape(-1, 2).unbind(1)
    return buckets, squares


def _men_values(inputs: int, psqt_buckets: int) -> Tensor:
    values = torch.zeros(inputs // SQUARES, SQUARES, psqt_buckets)
    for kind, value in enumerate(MEN_VALUES):
        values[2 * kind], values[2 * kind + 1] = value, -value
    return values.flatten(0, 1)
