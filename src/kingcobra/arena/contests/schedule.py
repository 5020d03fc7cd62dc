# SPDX-License-Identifier: GPL-3.0-or-later
"""Which games are played, in which order. The same settings give the same list, so its number
identifies a game."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from kingcobra.arena.engines.engine_spec import EngineSpec
from kingcobra.arena.games.game import GameTask
from kingcobra.arena.games.openings import Opening

GAMES_PER_PAIR = 2


def pairings(engines: Sequence[EngineSpec], gauntlet: bool) -> list[tuple[EngineSpec, EngineSpec]]:
    """All against all, or in a gauntlet the first against each other engine."""
    if gauntlet:
        return [(engines[0], other) for other in engines[1:]]
    return list(combinations(engines, 2))


@dataclass(frozen=True)
class Books:
    """Openings, and others (`by_moves`) for meetings with an engine that cannot set up positions
    (`needing_moves`, by name): these are reached by moves from the starting position."""

    openings: Sequence[Opening]
    by_moves: Sequence[Opening] = ()
    needing_moves: frozenset[str] = frozenset()

    def of(self, first: EngineSpec, second: EngineSpec) -> Sequence[Opening]:
        """The openings for a meeting of two engines."""
        needs_moves = self.by_moves and not self.needing_moves.isdisjoint((first.name, second.name))
        return self.by_moves if needs_moves else self.openings


def schedule(
    engines: Sequence[EngineSpec], books: Books, rounds: int, gauntlet: bool
) -> Iterator[GameTask]:
    """`rounds` openings for each pairing, each opening with both colours. Games 2n and 2n+1 are
    pair n. A book starts again when it ends."""
    pair = 0
    for round_number in range(rounds):
        for first, second in pairings(engines, gauntlet):
            openings = books.of(first, second)
            opening = openings[round_number % len(openings)]
            number = pair * GAMES_PER_PAIR
            yield GameTask(number, pair, opening, first, second)
            yield GameTask(number + 1, pair, opening, second, first)
            pair += 1
