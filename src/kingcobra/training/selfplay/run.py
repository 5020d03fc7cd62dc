# SPDX-License-Identifier: GPL-3.0-or-later
"""A run of self-play that makes data: threads play games until a limit and hand on what they
write."""

import itertools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from kingcobra.training.data.games import games_in
from kingcobra.training.data.packed import RECORD_BYTES
from kingcobra.training.selfplay.player import GAME_OVER, STOPPED, SelfPlayer
from kingcobra.training.selfplay.player_threads import PlayerThreads

# Output is handed on when there is so much of it, or when it has waited so long.
FULL_BYTES = 1 << 20
LONGEST_WAIT_S = 5.0
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


class SelfPlayRun(PlayerThreads):
    """Threads that share the games' numbers. What a game contains depends on its number and the
    settings alone, not on who plays it. `take` gets whole packed positions or whole games, from any
    thread; what it raises ends the run."""

    def __init__(
        self, players: Sequence[SelfPlayer], limits: RunLimits, harvests: bool, take: Take
    ) -> None:
        super().__init__(players)
        self.progress = RunProgress()
        self._limits = limits
        self._harvests = harvests
        self._take = take
        self._numbers = itertools.count()

    def is_out_of_time(self) -> bool:
        return 0 < self._limits.seconds <= self.progress.elapsed_s

    def play_games(self, player: SelfPlayer) -> None:
        handed_on = time.monotonic()
        outcome = GAME_OVER
        while outcome != STOPPED:
            if outcome == GAME_OVER:
                number = next(self._numbers)
                if 0 < self._limits.games <= number:
                    break
                player.begin(number)
            outcome = player.play_on()
            if outcome == GAME_OVER:
                with self.lock:
                    self.progress.games += 1
            is_due = (
                outcome not in (GAME_OVER, STOPPED)
                or player.waiting_bytes >= FULL_BYTES
                or time.monotonic() - handed_on >= LONGEST_WAIT_S
            )
            if is_due:
                self._hand_on(player)
                handed_on = time.monotonic()
        self._hand_on(player)

    def _hand_on(self, player: SelfPlayer) -> None:
        """Counts what a player has written and gives it to `take`, not beyond the limit."""
        data = player.take()
        with self.lock:
            left = self._limits.positions - self.progress.positions
            if self._harvests and self._limits.positions:
                data = data[: max(left, 0) * RECORD_BYTES]
            self.progress.positions += self._positions_in(data)
            reached = 0 < self._limits.positions <= self.progress.positions
        if data:
            self._take(data)
        if reached:
            self.end()

    def _positions_in(self, data: bytes) -> int:
        if self._harvests:
            return len(data) // RECORD_BYTES
        return sum(len(game.plies) for game in games_in(data))
