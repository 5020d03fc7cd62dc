# SPDX-License-Identifier: GPL-3.0-or-later
"""Totals of a run: games, and how each player did in all of them."""

from dataclasses import dataclass, field

from kingcobra.analysis.records import AnnotatedGame, PlayerSummary
from kingcobra.text_values import printable

SHOWN_PLAYERS = 10


@dataclass
class PlayerTotals:
    """One player in all games of a run; sums."""

    name: str
    games: int = 0
    moves: int = 0
    accuracy_sum: float = 0.0
    loss_sum: float = 0.0
    inaccuracies: int = 0
    mistakes: int = 0
    blunders: int = 0

    def add(self, side: PlayerSummary) -> None:
        """One more game, in which the player has moved and was judged."""
        self.games += 1
        self.moves += side.moves
        self.accuracy_sum += side.accuracy or 0.0
        self.loss_sum += (side.centipawn_loss or 0.0) * side.moves
        self.inaccuracies += side.inaccuracies or 0
        self.mistakes += side.mistakes or 0
        self.blunders += side.blunders or 0

    @property
    def accuracy(self) -> float:
        """The mean of the games."""
        return self.accuracy_sum / self.games

    @property
    def centipawn_loss(self) -> float:
        """The mean of the moves."""
        return self.loss_sum / self.moves


@dataclass
class RunTotals:
    """Counts of games, and the players by name."""

    games: int = 0
    broken: int = 0
    left_out: int = 0
    players: dict[str, PlayerTotals] = field(default_factory=dict)

    def add(self, record: AnnotatedGame) -> None:
        """An annotated game."""
        self.games += 1
        for side in (record.white, record.black):
            if side.moves and side.is_judged:
                self.players.setdefault(side.name, PlayerTotals(side.name)).add(side)

    def ranked(self) -> list[PlayerTotals]:
        """The players, those with most games first."""
        return sorted(self.players.values(), key=lambda player: (-player.games, player.name))

    def lines(self) -> list[str]:
        """For a terminal: the counts, and a line for each of the first players."""
        parts = [f"{counted(self.games, 'game')} annotated"]
        if self.left_out:
            parts.append(f"{self.left_out} of other players left out")
        if self.broken:
            parts.append(f"{self.broken} broken and skipped")
        players = self.ranked()
        lines = [", ".join(parts)]
        for player in players[:SHOWN_PLAYERS]:
            lines.append(
                f"{printable(player.name)}: games {player.games},"
                f" accuracy {player.accuracy:.1f} %,"
                f" loss {player.centipawn_loss:.0f} cp a move,"
                f" inaccuracies {player.inaccuracies}, mistakes {player.mistakes},"
                f" blunders {player.blunders}"
            )
        if len(players) > SHOWN_PLAYERS:
            lines.append(f"and {counted(len(players) - SHOWN_PLAYERS, 'more player')}")
        return lines


def counted(number: int, noun: str) -> str:
    """`1 game`, `2 games`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
