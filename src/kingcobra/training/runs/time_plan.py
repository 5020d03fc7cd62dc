# SPDX-License-Identifier: GPL-3.0-or-later
"""How the time of a run is divided, so that everything is out before a deadline."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from kingcobra.training.runs.settings import SettingsError

# What comes after learning, the match apart: the last validation, the export, its check, the
# report. Short runs are given a part of their time.
FINISHING_S = 30.0
FINISHING_SHARE = 0.15
# At least this share of a run is for preparing and learning.
LEAST_LEARNING_SHARE = 0.3


@dataclass(frozen=True)
class TimePlan:
    """Counts from when it is made. Without a deadline, learning takes `learning_s` and the match
    `match_s`; with one, the match has its place before the deadline and learning gets the rest."""

    learning_s: float
    match_s: float = 0.0
    deadline_s: float | None = None
    clock: Callable[[], float] = time.monotonic
    started: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "started", self.clock())
        if self.deadline_s is None:
            return
        learning = self.deadline_s - self.finishing_s - self.match_s
        if learning < LEAST_LEARNING_SHARE * self.deadline_s:
            raise SettingsError(
                f"a match of {self.match_s:g} s (match.seconds) leaves too little of"
                f" {self.deadline_s:g} s for learning"
            )

    @property
    def finishing_s(self) -> float:
        """What is kept for the end of the run, the match apart."""
        if self.deadline_s is None:
            return 0.0
        return min(FINISHING_S, FINISHING_SHARE * self.deadline_s)

    def elapsed_s(self) -> float:
        """Since the run began."""
        return self.clock() - self.started

    def learning_left_s(self, learnt_s: float) -> float:
        """How long to learn from now on, if a part was done earlier."""
        if self.deadline_s is None:
            return max(self.learning_s - learnt_s, 0.0)
        end = self.deadline_s - self.finishing_s - self.match_s
        return max(end - self.elapsed_s(), 0.0)

    def match_left_s(self) -> float:
        """How long the match may take from now on; half of what was kept for finishing is still
        in hand then."""
        if self.deadline_s is None:
            return self.match_s
        left = self.deadline_s - self.finishing_s / 2 - self.elapsed_s()
        return max(min(self.match_s, left), 0.0)
