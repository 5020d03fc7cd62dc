# SPDX-License-Identifier: GPL-3.0-or-later
"""The positions of a game in compiled memory, each with its past: repetitions count."""

from collections.abc import Iterable

from kingcobra.board.position_handle import PositionHandle

# A position with its past takes 50 kB. Some are kept; those between are played again.
KEPT_EVERY = 32


class GamePositions:
    """The positions before the first move and after each."""

    def __init__(self, start: PositionHandle, moves: Iterable[str]) -> None:
        """The moves are legal, as UCI text."""
        position = start.copy()
        self._kept = [start.copy()]
        self._moves: list[int] = []
        for text in moves:
            move = position.parse_move(text)
            position.play_move(move)
            self._moves.append(move)
            if len(self._moves) % KEPT_EVERY == 0:
                self._kept.append(position.copy())

    def __len__(self) -> int:
        return len(self._moves) + 1

    def __getitem__(self, ply: int) -> PositionHandle:
        """The position after so many plies; independent of all others."""
        nearest = ply // KEPT_EVERY
        position = self._kept[nearest].copy()
        for move in self._moves[nearest * KEPT_EVERY : ply]:
            position.play_move(move)
        return position
