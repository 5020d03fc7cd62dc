# SPDX-License-Identifier: GPL-3.0-or-later
"""Which games are played, in which order. The same settings give the same list, so a game's
number is enough to know it again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from kingcobra.arena.engines.engine_spec import EngineSpec
from kingcobra.arena.games.game import GameTask
from kingcobra.arena.games.openings import Opening

GAMES_PER_PAIR = 2


def pairings(engines: Sequence[EngineSpec], gauntlet: bool) -> list[tuple[EngineSpec, EngineSpec]]:
    """Everyone against everyone, or in a gauntlet the first against each other one."""
    if gauntlet:
        return [(engines[0], other) for other in engines[1:]]
    return list(combinations(engines, 2))


@dataclass(frozen=True)
class Books:
    """Openings for everybody, and others for meetings with an engine that cannot set up a
    position (`needing_moves`, by name): those are reached by moves from the start."""

    openings: Sequence[Opening]
    by_moves: Sequence[Opening] = ()
    needing_moves: frozenset[str] = frozenset()

    def of(self, first: EngineSpec, second: EngineSpec) -> Sequence[Opening]:
        """The openings of a meeting."""
        needs_moves = self.by_moves and not self.needing_moves.isdisjoint((first.name, second.name))
        return self.by_moves if needs_moves else self.openings


def schedule(
    engines: Sequence[EngineSpec], books: Books, rounds: int, gauntlet: bool
) -> Iterator[GameTask]:
    """`rounds` openings for each pairing, each opening with both colours. Games 2n and 2n+1 are
    the two halves of pair n. A book begins anew when it ends."""
    pair = 0
    for round_number in range(rounds):
        for first, second in pairings(engines, gauntlet):
            openings = books.of(first, second)
            opening = openings[round_number % len(openings)]
            number = pair * GAMES_PER_PAIR
            yield GameTask(number, pair, opening, first, second)
            yield GameTask(number + 1, pair, opening, second, first)
            pair += 1
