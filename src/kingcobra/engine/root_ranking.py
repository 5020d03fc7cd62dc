# SPDX-License-Identifier: GPL-3.0-or-later
"""Root moves ranked by the endgame tables.

The search chooses among moves of equal rank. A rank is SURE less something for what holds within
the fifty-move rule, UNSURE less something for what the rule may turn into a draw, zero for draws,
and the negative of these for losses.
"""

from typing import NamedTuple

from kingcobra.core.rules.basics import FIFTY_MOVES_PLIES
from kingcobra.core.search.scores import DRAW, MATE_BAND, MAX_PLY, TABLE_BAND, TABLE_WIN

SURE, UNSURE = 1 << 18, 1 << 17
DRAWN = 0
CURSED = 1
# Up to this ply of the fifty moves a win may take any way; what ends later must not lose time, so
# rounded distances never decide.
FREE_PLIES = 80


class GameState(NamedTuple):
    """What ranks depend on besides the tables."""

    # Plies since the last irreversible move.
    fifty_plies: int = 0
    # Whether the fifty-move rule counts.
    is_fifty_rule: bool = True
    # Whether a position since then has stood on the board twice: it is time to make progress.
    has_repeated: bool = False


def rank_of_distance(distance: int, game: GameState) -> int:
    """The rank of a move with that DTZ, this move counted. Wins that arrive with plies to spare are
    equal as long as nothing has repeated; of all others the shorter is better, of losses the
    longer."""
    if distance == 0:
        return DRAWN
    if not game.is_fifty_rule:
        return SURE - distance if distance > 0 else -SURE - distance
    if distance > 0:
        end = distance + game.fifty_plies
        # One ply to spare, as tables round; but a single ply is never rounded.
        if distance == 1 or end < FIFTY_MOVES_PLIES:
            return SURE - (distance if game.has_repeated else max(end - FREE_PLIES, 0))
        return UNSURE - end
    if game.fifty_plies - 2 * distance < FIFTY_MOVES_PLIES:
        return -SURE - distance
    return -UNSURE - distance + game.fifty_plies


def rank_of_result(wdl: int, is_fifty_rule: bool) -> int:
    """The rank of a move where only its result is known."""
    sign = (wdl > 0) - (wdl < 0)
    if abs(wdl) == CURSED and is_fifty_rule:
        return sign * (UNSURE - 2 * FIFTY_MOVES_PLIES)
    return sign * SURE


def score_of_rank(rank: int, distance: int) -> int:
    """What a move of that rank is worth: a win so many plies away, as far as there is room for
    them, a loss, or a draw. A win that arrives just in time is a win."""
    if abs(rank) < UNSURE - FIFTY_MOVES_PLIES:
        return DRAW
    win = TABLE_WIN - min(abs(distance), MAX_PLY - 1)
    return win if rank > 0 else -win


class RankedRootMove(NamedTuple):
    """A root move, its rank, and what the tables say that it is worth."""

    move: int
    rank: int
    score: int


class RootRanking:
    """Root moves, best first. `by_distance`: DTZ has ranked them, not WDL."""

    def __init__(self, moves: list[RankedRootMove], by_distance: bool) -> None:
        self.moves = sorted(moves, key=lambda one: -one.rank)
        self._by_distance = by_distance
        self._scores = {one.move: one.score for one in moves}

    @property
    def best(self) -> list[RankedRootMove]:
        """The moves of the highest rank."""
        return [one for one in self.moves if one.rank == self.moves[0].rank]

    @property
    def has_sure_win(self) -> bool:
        """Whether a move wins, whatever the others do."""
        return self.moves[0].rank > UNSURE

    @property
    def is_settled(self) -> bool:
        """Whether the search need not probe: the distances see to it that a win is won, and
        nothing else can be won."""
        return self._by_distance or self.moves[0].rank <= DRAWN

    def shown_score(self, move: int, score: int) -> int:
        """The score of a line that begins with a root move: the search's if that is a mate, or a
        table win that it found its own way to; else that of the tables."""
        if abs(score) >= MATE_BAND or (not self.is_settled and abs(score) >= TABLE_BAND):
            return score
        return self._scores[move]
