# SPDX-License-Identifier: GPL-3.0-or-later
"""The root moves of a search, asked of the endgame tables one by one."""

from collections.abc import Callable

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.rules.layout import Position
from kingcobra.engine.root_ranking import (
    DRAWN,
    GameState,
    RankedRootMove,
    RootRanking,
    rank_of_distance,
    rank_of_result,
    score_of_rank,
)
from kingcobra.engine.tablebases.prober import RankedMove, TablebaseError, TableProber

# Two positions before make the third a draw.
TWICE = 2


def probed_ranking(
    prober: TableProber,
    position: PositionHandle,
    moves: list[int],
    is_fifty_rule: bool,
    is_late: Callable[[], bool],
) -> RootRanking | None:
    """As `EndgameTables.rank_root`, for a position that has few enough men."""
    probed = _probed(prober, position, moves, is_late)
    if not probed:
        return None
    by_distance = all(one.dtz is not None for one in probed)
    game = GameState(position.state.fifty_plies, is_fifty_rule, _has_repeated(position.record))
    ranked = [_ranked(position, one, by_distance, game) for one in probed]
    ranking = RootRanking(ranked, by_distance)
    return ranking if len(ranked) == len(moves) or ranking.has_sure_win else None


def _probed(
    prober: TableProber, position: PositionHandle, moves: list[int], is_late: Callable[[], bool]
) -> list[RankedMove]:
    """The first moves, as far as there is time; none where the tables do not know one."""
    copy = position.copy()
    probed: list[RankedMove] = []
    for move in moves:
        if is_late():
            break
        try:
            probed += prober.rank(copy.address, [move])
        except TablebaseError:
            return []
    return probed


def _ranked(
    position: PositionHandle, one: RankedMove, by_distance: bool, game: GameState
) -> RankedRootMove:
    distance = (one.dtz or 0) if by_distance else 0
    if position.occurrences_before(one.move) >= TWICE:
        rank = DRAWN
    elif by_distance:
        rank = rank_of_distance(distance, game)
    else:
        rank = rank_of_result(one.wdl, game.is_fifty_rule)
    return RankedRootMove(one.move, rank, score_of_rank(rank, distance))


def _has_repeated(record: Position) -> bool:
    """Whether a position since the last irreversible move has stood on the board twice."""
    plies = min(record.states[record.ply].fifty_plies, record.ply)
    keys = [record.states[record.ply - back].key for back in range(plies + 1)]
    return len(set(keys)) < len(keys)
