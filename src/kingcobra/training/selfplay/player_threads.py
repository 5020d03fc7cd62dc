# SPDX-License-Identifier: GPL-3.0-or-later
"""Threads that play side by side until somebody ends them: what all runs of self-play share."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from kingcobra.training.selfplay.player import SelfPlayer

# How often whoever waits for the end looks around.
LOOK_S = 0.2


class PlayerThreads(ABC):
    """A thread for each player. They share a lock for what they count."""

    def __init__(self, players: Sequence[SelfPlayer]) -> None:
        self.lock = threading.Lock()
        self._players = players
        self._ended = threading.Event()
        self._failure: Exception | None = None

    @abstractmethod
    def play_games(self, player: SelfPlayer) -> None:
        """Plays until there is nothing left to do, or the player says that it was stopped."""

    @abstractmethod
    def is_out_of_time(self) -> bool:
        """Whether a run has lasted as long as it may."""

    def run(self, tell: Callable[[], None]) -> None:
        """Returns when a limit is reached; `tell` is called now and then. Raises what a thread
        raised. On an interrupt all threads finish properly before it goes further up."""
        threads = [
            threading.Thread(target=self._play, args=(player,), daemon=True)
            for player in self._players
        ]
        for thread in threads:
            thread.start()
        try:
            while any(thread.is_alive() for thread in threads):
                self._ended.wait(LOOK_S)
                if self._ended.is_set() or self.is_out_of_time():
                    break
                tell()
        finally:
            self.stop()
            for thread in threads:
                thread.join()
        if self._failure is not None:
            raise self._failure

    def end(self) -> None:
        """A thread has reached a limit that concerns all."""
        self._ended.set()

    def stop(self) -> None:
        """Ends the run within a move of each thread; callable from any thread."""
        for player in self._players:
            player.stop()

    def _play(self, player: SelfPlayer) -> None:
        try:
            self.play_games(player)
        except Exception as error:  # raised again where somebody waits
            self._failure = self._failure or error
            self.end()
