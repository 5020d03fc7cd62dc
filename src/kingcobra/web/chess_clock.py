# SPDX-License-Identifier: GPL-3.0-or-later
"""The clock of a game. It does not read the time: whoever asks says what time it is."""

import chess

MS_PER_S = 1000


class ChessClock:
    """Time left for both sides, one of which may be running."""

    def __init__(self, base_s: int, increment_s: int) -> None:
        self.increment_ms = increment_s * MS_PER_S
        self._left_ms = dict.fromkeys(chess.COLORS, base_s * MS_PER_S)
        self._running: chess.Color | None = None
        self._since_ms = 0

    def left_ms(self, colour: chess.Color, now_ms: int) -> int:
        """What a side has left; never below zero."""
        spent_ms = now_ms - self._since_ms if colour == self._running else 0
        return max(self._left_ms[colour] - spent_ms, 0)

    @property
    def running(self) -> chess.Color | None:
        """The side whose time is running."""
        return self._running

    def start(self, colour: chess.Color, now_ms: int) -> None:
        """Lets the time of one side run, and that of no other."""
        self.stop(now_ms)
        self._running, self._since_ms = colour, now_ms

    def stop(self, now_ms: int) -> None:
        """Halts."""
        if self._running is not None:
            self._left_ms[self._running] = self.left_ms(self._running, now_ms)
        self._running = None

    def press(self, now_ms: int) -> None:
        """The running side has moved: it gets its increment, and the other side's time runs."""
        mover = self._running
        if mover is None:
            return
        self.stop(now_ms)
        self._left_ms[mover] += self.increment_ms
        self.start(not mover, now_ms)

    def has_fallen(self, now_ms: int) -> bool:
        """Whether the running side has no time left."""
        return self._running is not None and self.left_ms(self._running, now_ms) == 0
