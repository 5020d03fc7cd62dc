# SPDX-License-Identifier: GPL-3.0-or-later
"""What a network is trained for: expected scores that agree with the labels'."""

from dataclasses import dataclass

import torch
from torch import Tensor

from kingcobra.training.data.packed import UNKNOWN, WIN
from kingcobra.training.model.decoding import Labels
from kingcobra.training.model.scales import OUTPUT_ONE


@dataclass(frozen=True)
class LossRule:
    """Both scales are raw units for which the expected score is that of one logistic unit. They
    are equal where labels are a network's own static values: then the teacher is the fixed point.

    `result_weight`  how much the game's result counts beside the score, 0 to 1
    `power`          of the difference of expected scores
    """

    score_scale: float = 6400.0
    output_scale: float = 6400.0
    result_weight: float = 0.0
    power: float = 2.5

    def loss(self, values: Tensor, labels: Labels) -> Tensor:
        """The mean over a batch; `values` are the network's, in which one is OUTPUT_ONE raw."""
        expected = torch.sigmoid(values * (OUTPUT_ONE / self.output_scale))
        wanted = torch.sigmoid(labels.score.float() / self.score_scale)
        if self.result_weight:
            known = labels.result != UNKNOWN
            result = labels.result.float() / WIN
            share = self.result_weight * known
            wanted = wanted * (1 - share) + result * share
        return (expected - wanted).abs().pow(self.power).mean()
