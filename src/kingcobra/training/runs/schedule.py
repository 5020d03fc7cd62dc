# SPDX-License-Identifier: GPL-3.0-or-later
"""The learning rate over a run, by the share of the run that is over: a deadline always ends with
the rate at its lowest."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Schedule:
    """A rise over `warm_up` of the run, then a cosine from `peak` to `end`. Weights are rounded
    as export rounds them during the last `rounded` of the run."""

    peak: float = 1e-3
    end: float = 1e-5
    warm_up: float = 0.03
    rounded: float = 0.2

    def rate(self, progress: float) -> float:
        """The learning rate when that share of the run, 0 to 1, is over."""
        progress = min(max(progress, 0.0), 1.0)
        if progress < self.warm_up:
            return self.end + (self.peak - self.end) * progress / self.warm_up
        fall = (progress - self.warm_up) / max(1.0 - self.warm_up, 1e-9)
        return self.end + (self.peak - self.end) * 0.5 * (1.0 + math.cos(math.pi * fall))

    def rounds(self, progress: float) -> bool:
        """Whether weights are rounded in the forward pass now."""
        return progress >= 1.0 - self.rounded
