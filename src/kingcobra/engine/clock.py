# SPDX-License-Identifier: GPL-3.0-or-later
"""Time for one move: a soft limit, which it may use on average, and a hard limit."""

from typing import NamedTuple

from kingcobra.core.search.tunables import DEFAULTS
from kingcobra.engine.limits import SearchLimits

NS_PER_MS = 1_000_000

# Without a number of moves to go, so many are expected; fewer on a short clock, which would be used
# up by overheads otherwise.
EXPECTED_MOVES = 50
SHORT_CLOCK_MS = 1000
# How a move's share of what is left grows with the game: with this power of the ply.
GROWTH_POWER = 0.46
FIRST_PLIES = 3
# The shares are counted in these parts, the hard limit in tenths of the soft one.
SHARE_WHOLE = 10_000
TENTHS = 10
# How many plies of the game allow the hard limit one soft limit more, and the most of these.
PLIES_FOR_ONE_MORE = 12
MOST_SOFT_LIMITS = 6.7
# With a number of moves to go: a move's part of its even share, growing with the ply, and the hard
# limit in soft ones, growing with the moves.
EVEN_PART, EVEN_PLIES = 0.88, 116
HARD_TO_GO_BASE, HARD_TO_GO_SLOPE = 1.3, 0.11
# Never more than these parts of the clock.
SOFT_PART_OF_CLOCK = 0.2
SOFT_PART_TO_GO = 0.85
HARD_PART_OF_CLOCK = 0.8
# The shorter the clock below this, the less of it a hard limit may take, unless more time comes
# after some moves: whoever has a tenth of a second left loses the game when the machine stalls.
SAFE_CLOCK_MS = 2000
HARD_PART_OF_NO_CLOCK = 0.4
# The overhead is reserved for the moves to come and for some more, but never more than a part of
# the clock: who sets it far too high still wants to think.
OVERHEADS_IN_RESERVE = 2
MOST_RESERVED_PART = 0.5
# An opponent who thinks as long as this engine does gives it half of that time when pondering.
PONDER_BONUS_PART = 0.25
LEAST_MS = 1
# A year: the nanoseconds of much longer clocks would not fit into 64 bits.
MOST_MS = 365 * 24 * 3600 * 1000


class Budget(NamedTuple):
    """Nanoseconds from the start of the search; zero means no limit."""

    soft_ns: int = 0
    hard_ns: int = 0
    # Where nodes stand for time: how many make a millisecond, and how many the game has left.
    nodes_per_ms: int = 0
    most_nodes: int = 0


class ClockTuning(NamedTuple):
    """The tunables of time that the clock reads, by their names without `time_`."""

    share: int = DEFAULTS["time_share"]
    growth: int = DEFAULTS["time_growth"]
    most: int = DEFAULTS["time_most"]


class Situation(NamedTuple):
    """What a budget depends on besides the limits: what is lost between the engine and the clock,
    whether the engine may ponder, how far the game is, and the tunables of time."""

    overhead_ms: int = 0
    ponder: bool = False
    game_ply: int = 0
    tuning: ClockTuning = ClockTuning()


class NodeClock:
    """The option `nodestime`: a game has as many nodes as its first clock has milliseconds, the
    first increment included, times that number. Zero switches it off."""

    def __init__(self) -> None:
        self.nodes_per_ms = 0
        self._left: int | None = None

    def reset(self) -> None:
        """A new game: its first clock decides."""
        self._left = None

    def budget(self, limits: SearchLimits, situation: Situation) -> Budget:
        """The budget for one move, in milliseconds of nodes. Move Overhead does not apply."""
        situation = situation._replace(overhead_ms=0, ponder=False)
        if limits.clock_ms is None:
            return budget(limits, situation)._replace(nodes_per_ms=self.nodes_per_ms)
        if self._left is None:
            game_ms = _within_reason(limits.clock_ms)
            game_ms += min(max(limits.increment_ms, 0), MOST_MS)
            self._left = game_ms * self.nodes_per_ms
        in_nodes = limits._replace(clock_ms=self._left // self.nodes_per_ms, increment_ms=0)
        plan = budget(in_nodes, situation)
        return plan._replace(nodes_per_ms=self.nodes_per_ms, most_nodes=max(self._left, 1))

    def spend(self, nodes: int) -> None:
        """A search on the game's clock has used so many."""
        if self._left is not None:
            self._left = max(self._left - nodes, 0)


def budget(limits: SearchLimits, situation: Situation) -> Budget:
    """The budget for one move."""
    shares = []
    if limits.movetime_ms:
        fixed_ns = _within_reason(limits.movetime_ms) * NS_PER_MS
        shares.append(Budget(0, fixed_ns))
    if limits.clock_ms is not None:
        shares.append(_from_clock(limits, limits.clock_ms, situation))
    if not shares:
        return Budget()
    soft = [share.soft_ns for share in shares if share.soft_ns]
    return Budget(min(soft, default=0), min(share.hard_ns for share in shares))


def _from_clock(limits: SearchLimits, clock_ms: int, situation: Situation) -> Budget:
    clock = _within_reason(clock_ms - situation.overhead_ms)
    moves = _moves_to_go(limits, clock)
    increment = min(max(limits.increment_ms, 0), MOST_MS)
    overheads = situation.overhead_ms * (moves + OVERHEADS_IN_RESERVE)
    left = clock + increment * (moves - 1)
    left -= min(overheads, left * MOST_RESERVED_PART)
    if limits.movestogo > 0:
        soft, hard = _of_moves_to_go(left, clock, moves, situation)
    else:
        soft, hard = _of_whole_game(left, clock, situation)
    if situation.ponder:
        soft += soft * PONDER_BONUS_PART
    return Budget(
        max(int(min(soft, hard) * NS_PER_MS), LEAST_MS * NS_PER_MS),
        max(int(hard * NS_PER_MS), LEAST_MS * NS_PER_MS),
    )


def _moves_to_go(limits: SearchLimits, clock_ms: float) -> float:
    moves = min(limits.movestogo, EXPECTED_MOVES) if limits.movestogo > 0 else EXPECTED_MOVES
    if clock_ms < SHORT_CLOCK_MS:
        return max(1.0, min(moves, EXPECTED_MOVES * clock_ms / SHORT_CLOCK_MS))
    return float(moves)


def _of_whole_game(left: float, clock: float, situation: Situation) -> tuple[float, float]:
    """Soft and hard limit without a number of moves to go: the share grows with the game, because
    ever fewer moves are left."""
    tuning = situation.tuning
    ply = max(situation.game_ply, 0)
    share = tuning.share + tuning.growth * float(ply + FIRST_PLIES) ** GROWTH_POWER
    soft = min(left * share / SHARE_WHOLE, clock * SOFT_PART_OF_CLOCK)
    soft_limits = min(tuning.most / TENTHS + ply / PLIES_FOR_ONE_MORE, MOST_SOFT_LIMITS)
    return soft, min(soft * soft_limits, clock * _hard_part(clock))


def _hard_part(clock_ms: float) -> float:
    """The part of the clock that one move may take at most."""
    safe = min(clock_ms / SAFE_CLOCK_MS, 1.0)
    return HARD_PART_OF_NO_CLOCK + (HARD_PART_OF_CLOCK - HARD_PART_OF_NO_CLOCK) * safe


def _of_moves_to_go(
    left: float, clock: float, moves: float, situation: Situation
) -> tuple[float, float]:
    """Soft and hard limit when more time comes after some moves."""
    part = min(EVEN_PART + max(situation.game_ply, 0) / EVEN_PLIES, 1.0) / moves
    soft = min(left * part, clock * SOFT_PART_TO_GO)
    hard = soft * (HARD_TO_GO_BASE + HARD_TO_GO_SLOPE * moves)
    return soft, min(hard, clock * HARD_PART_OF_CLOCK)


def _within_reason(time_ms: int) -> int:
    return max(LEAST_MS, min(time_ms, MOST_MS))
