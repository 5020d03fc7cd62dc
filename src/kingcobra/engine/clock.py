# SPDX-License-Identifier: GPL-3.0-or-later
"""Time for one move: a soft limit, after which no iteration begins, and a hard limit."""

from typing import NamedTuple

from kingcobra.engine.limits import SearchLimits

NS_PER_MS = 1_000_000

# Without a number of moves to go, the clock is shared among this many.
EXPECTED_MOVES = 40
MOST_MOVES = 50
# Of one move's share: the soft limit, in percent, and how much more the hard limit allows.
SOFT_PERCENT = 70
HARD_TIMES_SOFT = 5
# Never more than this part of what is left on the clock.
HARD_PERCENT_OF_CLOCK = 75
SOFT_PERCENT_OF_CLOCK = 60
INCREMENT_PERCENT = 90
PERCENT = 100
# The overhead is reserved for the next moves, at most for so many, and for some more.
MOST_OVERHEADS = 10
OVERHEADS_IN_RESERVE = 2
# An opponent who thinks as long as this engine does gives it half of that time when pondering.
PONDER_BONUS_PERCENT = 25
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


class NodeClock:
    """The option `nodestime`: a game has as many nodes as its first clock has milliseconds, the
    first increment included, times that number. Zero switches it off."""

    def __init__(self) -> None:
        self.nodes_per_ms = 0
        self._left: int | None = None

    def reset(self) -> None:
        """A new game: its first clock decides."""
        self._left = None

    def budget(self, limits: SearchLimits) -> Budget:
        """The budget for one move, in milliseconds of nodes. Move Overhead does not apply."""
        if limits.clock_ms is None:
            return budget(limits, 0, False)._replace(nodes_per_ms=self.nodes_per_ms)
        if self._left is None:
            game_ms = _within_reason(limits.clock_ms)
            game_ms += min(max(limits.increment_ms, 0), MOST_MS)
            self._left = game_ms * self.nodes_per_ms
        in_nodes = limits._replace(clock_ms=self._left // self.nodes_per_ms, increment_ms=0)
        plan = budget(in_nodes, 0, False)
        return plan._replace(nodes_per_ms=self.nodes_per_ms, most_nodes=max(self._left, 1))

    def spend(self, nodes: int) -> None:
        """A search on the game's clock has used so many."""
        if self._left is not None:
            self._left = max(self._left - nodes, 0)


def budget(limits: SearchLimits, overhead_ms: int, ponder: bool) -> Budget:
    """The budget for one move. `overhead_ms` is what is lost between the engine and the clock."""
    shares = []
    if limits.movetime_ms:
        fixed_ns = _within_reason(limits.movetime_ms) * NS_PER_MS
        shares.append(Budget(0, fixed_ns))
    if limits.clock_ms is not None:
        shares.append(_from_clock(limits, limits.clock_ms, overhead_ms, ponder))
    if not shares:
        return Budget()
    soft = [share.soft_ns for share in shares if share.soft_ns]
    return Budget(min(soft, default=0), min(share.hard_ns for share in shares))


def _from_clock(limits: SearchLimits, clock_ms: int, overhead_ms: int, ponder: bool) -> Budget:
    moves = min(limits.movestogo, MOST_MOVES) if limits.movestogo > 0 else EXPECTED_MOVES
    increment = min(max(limits.increment_ms, 0), MOST_MS)
    overheads = OVERHEADS_IN_RESERVE + min(moves, MOST_OVERHEADS)
    left = _within_reason(clock_ms - overhead_ms * overheads)
    share = left / moves + increment * INCREMENT_PERCENT / PERCENT
    if ponder:
        share += share * PONDER_BONUS_PERCENT / PERCENT
    soft = min(share * SOFT_PERCENT / PERCENT, left * SOFT_PERCENT_OF_CLOCK / PERCENT)
    hard = min(soft * HARD_TIMES_SOFT, left * HARD_PERCENT_OF_CLOCK / PERCENT)
    if moves == 1:
        soft = hard = left * HARD_PERCENT_OF_CLOCK / PERCENT
    return Budget(
        max(int(soft * NS_PER_MS), LEAST_MS * NS_PER_MS),
        max(int(hard * NS_PER_MS), LEAST_MS * NS_PER_MS),
    )


def _within_reason(time_ms: int) -> int:
    return max(LEAST_MS, min(time_ms, MOST_MS))
