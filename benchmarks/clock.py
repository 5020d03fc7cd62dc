# SPDX-License-Identifier: GPL-3.0-or-later
"""How everything is timed. Contenders take turns, round after round, so that disturbances of the
machine affect all alike; the best round is the least disturbed."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class Contender:
    """Something to time. `run` is timed as a whole unless it returns the seconds itself."""

    name: str
    run: Callable[[], float | None]
    seconds: list[float] = field(default_factory=list)

    @property
    def best_s(self) -> float:
        """The shortest round."""
        return min(self.seconds)

    @property
    def median_s(self) -> float:
        """The round in the middle."""
        return statistics.median(self.seconds)


def race(contenders: list[Contender], rounds: int) -> None:
    """Fills in the seconds of every contender; one turn each before the rounds warms them up."""
    for contender in contenders:
        contender.run()
    for _ in range(rounds):
        for contender in contenders:
            started = time.perf_counter()
            own_timing = contender.run()
            elapsed = time.perf_counter() - started
            contender.seconds.append(elapsed if own_timing is None else own_timing)
