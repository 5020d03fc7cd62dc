# SPDX-License-Identifier: GPL-3.0-or-later
"""A match of two evaluations at a fixed number of nodes, played inside compiled code: every opening
twice, with colours reversed."""

import itertools
import time
from collections.abc import Sequence

from kingcobra.core.rules.basics import WHITE
from kingcobra.core.selfplay.layout import WIN
from kingcobra.training.selfplay.player import BUFFER_FULL, STOPPED, SelfPlayer
from kingcobra.training.selfplay.player_threads import PlayerThreads

GAMES_PER_PAIR = 2
LOSSES_DRAWS_WINS = 3
# Half points in a pair: none to four.
PAIR_RESULTS = 5


class NetworkMatch(PlayerThreads):
    """Counts games and pairs from the first evaluation's side, worst result first."""

    def __init__(
        self,
        players: Sequence[SelfPlayer],
        end_pair: int = 0,
        seconds: float = 0.0,
        first_pair: int = 0,
    ) -> None:
        """Ends before the pair of number `end_pair`, or after so long; zero is no limit."""
        super().__init__(players)
        self.games = [0] * LOSSES_DRAWS_WINS
        self.pairs = [0] * PAIR_RESULTS
        self._end_pair = end_pair
        self._seconds = seconds
        self._started = time.monotonic()
        self._numbers = itertools.count(first_pair)

    def is_out_of_time(self) -> bool:
        return 0 < self._seconds <= time.monotonic() - self._started

    def play_games(self, player: SelfPlayer) -> None:
        for number in self._numbers:
            if 0 < self._end_pair <= number:
                return
            played = self.play_pair(player, number)
            if played is None:
                return
            first, second = played
            with self.lock:
                self.pairs[first + second] += 1
                self.games[first] += 1
                self.games[second] += 1

    def play_pair(self, player: SelfPlayer, number: int) -> tuple[int, int] | None:
        """Half points of the first evaluation in both games of a pair; None when stopped."""
        first = play_game(player, number * GAMES_PER_PAIR)
        second = play_game(player, number * GAMES_PER_PAIR + 1)
        return None if first is None or second is None else (first, second)


def play_game(player: SelfPlayer, number: int) -> int | None:
    """Half points of the player's own evaluation in a game; None when it was stopped."""
    player.begin(number)
    while (outcome := player.play_on()) == BUFFER_FULL:
        player.take()
    player.take()
    if outcome == STOPPED:
        return None
    white = int(player.record.white_result)
    return WIN - white if player.record.opponent_colour == WHITE else white
