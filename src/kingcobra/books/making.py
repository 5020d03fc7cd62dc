# SPDX-License-Identifier: GPL-3.0-or-later
"""Books from games, entry for entry as Polyglot's `make-book` makes them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kingcobra.board.polyglot import BookEntry
from kingcobra.books.event_sort import RUN_EVENTS, grouped_by_key
from kingcobra.books.games import WIN, PlayedMove

# When a move of a position has come so often, all counts of the position are halved.
COUNT_LIMIT = 16_384
DEFAULT_MAX_PLY = 1024
DEFAULT_MIN_GAMES = 3


@dataclass(frozen=True)
class BookRules:
    """Which moves are worth an entry. `min_score` is the least share of points, 0 to 1."""

    min_games: int = DEFAULT_MIN_GAMES
    min_score: float = 0.0
    for_white: bool = True
    for_black: bool = True
    uniform: bool = False


@dataclass
class _Count:
    """What games say of one move."""

    games: int = 0
    points: int = 0

    def halve(self) -> None:
        self.games = (self.games + 1) // 2
        self.points = (self.points + 1) // 2


def book_from_moves(
    moves: Iterable[PlayedMove], rules: BookRules, run_events: int = RUN_EVENTS
) -> Iterator[BookEntry]:
    """The entries of a book by rising key, within a key by falling weight. The weight is twice the
    mover's wins and once the draws, or 1 where all shall be alike; a move without points is left
    out."""
    for key, played in grouped_by_key(moves, run_events):
        is_white = played[0].is_white
        if not (rules.for_white if is_white else rules.for_black):
            continue
        counts = _counted(played)
        entries = [
            BookEntry(key, code, 1 if rules.uniform else count.points)
            for code, count in counts.items()
            if _is_worth_keeping(count, rules)
        ]
        yield from sorted(entries, key=lambda entry: -entry.weight)


def _counted(played: Iterable[PlayedMove]) -> dict[int, _Count]:
    counts: dict[int, _Count] = {}
    for move in played:
        count = counts.setdefault(move.move_code, _Count())
        count.games += 1
        count.points += move.points
        if count.games >= COUNT_LIMIT:
            for every in counts.values():
                every.halve()
    return counts


def _is_worth_keeping(count: _Count, rules: BookRules) -> bool:
    return (
        count.games >= rules.min_games
        and count.points > 0
        and count.points >= rules.min_score * WIN * count.games
    )
