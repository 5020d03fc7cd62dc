# SPDX-License-Identifier: GPL-3.0-or-later
"""Which line is played: the one most threads vote for or, in weaker play, one chosen at random."""

from kingcobra.core.search.layout import RootMove
from kingcobra.core.search.scores import INFINITE, MATE_BAND
from kingcobra.engine.search_thread import SearchThread
from kingcobra.engine.search_threads import SearchThreads
from kingcobra.engine.skill import Skill, fraction, next_state

VOTE_OFFSET = 14


def elected_thread(threads: SearchThreads) -> SearchThread:
    """The thread whose best move gets most votes; depth and score give a vote its weight. Several
    lines, and proofs of mate, are the main thread's own."""
    main = threads.main
    candidates = [thread for thread in threads.members if thread.record.completed_depth > 0]
    if len(candidates) < 2 or main.record.lines > 1 or main.record.limits.mate:
        return main
    lowest = min(thread.record.root[0].score for thread in candidates)
    votes: dict[int, int] = {}
    for thread in candidates:
        root = thread.record.root[0]
        weight = (root.score - lowest + VOTE_OFFSET) * thread.record.completed_depth
        votes[root.move] = votes.get(root.move, 0) + weight

    def rank(thread: SearchThread) -> tuple[int, int, int]:
        root = thread.record.root[0]
        shortest_mate = root.score if abs(root.score) >= MATE_BAND else 0
        return shortest_mate, votes[root.move], thread.record.completed_depth

    return max(candidates, key=rank)


def picked_line(main: SearchThread, skill: Skill) -> RootMove:
    """One of the main thread's lines, by the random generator in its record."""
    record = main.record
    lines: list[RootMove] = list(record.picked[: record.picked_count])
    if not lines:
        count = min(record.lines, record.root_count)
        known = [root for root in record.root[:count] if root.score != -INFINITE]
        lines = known or [record.root[0]]
    record.random_state = next_state(record.random_state)
    scores = [root.score for root in lines]
    return lines[skill.choice(scores, fraction(record.random_state))]
