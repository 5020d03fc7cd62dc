# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run of self-play has made so far, and when it is enough."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from kingcobra.training.data.games import games_in
from kingcobra.training.data.packed import RECORD_BYTES

SHORTEST_S = 1e-9

Take = Callable[[bytes], None]


@dataclass(frozen=True)
class RunLimits:
    """When a run ends; zero for no limit of that kind."""

    games: int = 0
    positions: int = 0
    seconds: float = 0.0


@dataclass
class RunProgress:
    """How far a run has got."""

    started: float = field(default_factory=time.monotonic)
    games: int = 0
    positions: int = 0

    @property
    def elapsed_s(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self.started

    @property
    def positions_per_s(self) -> float:
        """On average so far."""
        return self.positions / max(self.elapsed_s, SHORTEST_S)


class RunOutput:
    """Counts data on its way to `take`, which gets whole packed positions or whole games. Any
    thread may call it."""

    def __init__(self, limits: RunLimits, harvests: bool, take: Take) -> None:
        self.progress = RunProgress()
        self.limits = limits
        self._harvests = harvests
        self._take = take
        self._lock = threading.Lock()

    def is_out_of_time(self) -> bool:
        """Whether the run has lasted as long as it may."""
        return 0 < self.limits.seconds <= self.progress.elapsed_s

    def count_games(self, games: int) -> None:
        """Some games are over."""
        with self._lock:
            self.progress.games += games

    def add(self, data: bytes) -> bool:
        """Hands on what was written, packed positions not beyond the limit; whether that limit is
        reached. Raises what `take` raises."""
        with self._lock:
            if self._harvests and self.limits.positions:
                left = max(self.limits.positions - self.progress.positions, 0)
                data = data[: left * RECORD_BYTES]
            self.progress.positions += self._positions_in(data)
            is_enough = 0 < self.limits.positions <= self.progress.positions
        if data:
            self._take(data)
        return is_enough

    def _positions_in(self, data: bytes) -> int:
        if self._harvests:
            return len(data) // RECORD_BYTES
        return sum(len(game.plies) for game in games_in(data))
