# SPDX-License-Identifier: GPL-3.0-or-later
"""A run of self-play that makes data: threads play games until a limit and hand on what they
write."""

import itertools
import time
from collections.abc import Sequence

from kingcobra.training.selfplay.player import BUFFER_FULL, GAME_OVER, STOPPED, SelfPlayer
from kingcobra.training.selfplay.player_threads import PlayerThreads
from kingcobra.training.selfplay.run_output import RunOutput

# Games are begun together as far as they are short: so many nodes a move of all of them. Every
# return to Python waits for its lock, which a thread that trains holds most of the time.
NODES_TOGETHER = 1600
# Output is handed on when there is so much of it, or when it has waited so long.
FULL_BYTES = 1 << 20
LONGEST_WAIT_S = 5.0


class SelfPlayRun(PlayerThreads):
    """Threads that share the games' numbers. What a game contains depends on its number and the
    settings alone, not on who plays it."""

    def __init__(self, players: Sequence[SelfPlayer], output: RunOutput) -> None:
        super().__init__(players)
        self._output = output
        nodes = max((player.soft_nodes for player in players), default=NODES_TOGETHER)
        self._together = max(NODES_TOGETHER // nodes, 1)
        self._numbers = itertools.count(step=self._together)

    def is_out_of_time(self) -> bool:
        return self._output.is_out_of_time()

    def play_games(self, player: SelfPlayer) -> None:
        handed_on = time.monotonic()
        outcome = GAME_OVER
        while outcome != STOPPED:
            if outcome == GAME_OVER:
                number = next(self._numbers)
                games = self._games_from(number)
                if games <= 0:
                    break
                player.begin(number, games)
            counted = player.games_over
            outcome = player.play_on()
            self._output.count_games(player.games_over - counted)
            is_due = (
                outcome == BUFFER_FULL
                or player.waiting_bytes >= FULL_BYTES
                or time.monotonic() - handed_on >= LONGEST_WAIT_S
            )
            if is_due:
                self._hand_on(player)
                handed_on = time.monotonic()
        self._hand_on(player)

    def _games_from(self, number: int) -> int:
        """How many games to begin with that one."""
        most = self._output.limits.games
        return min(self._together, most - number) if most else self._together

    def _hand_on(self, player: SelfPlayer) -> None:
        if self._output.add(player.take()):
            self.end()
