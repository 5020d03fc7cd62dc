# SPDX-License-Identifier: GPL-3.0-or-later
"""Which line is played: the one most threads vote for or, in weaker play, one chosen at random."""

from kingcobra.core.search.layout import RootMove
from kingcobra.core.search.scores import INFINITE, TABLE_BAND
from kingcobra.engine.search_thread import SearchThread
from kingcobra.engine.search_threads import SearchThreads
from kingcobra.engine.skill import Skill, fraction, next_state

VOTE_OFFSET = 14
# What a thread has found, from the least to the most that is worth knowing: an estimate, a proof
# that all is lost, a proven win.
ESTIMATE, LOSS, WIN = range(3)


def elected_thread(threads: SearchThreads) -> SearchThread:
    """The thread whose best move gets most votes; depth and score give a vote its weight. A proof
    beats all votes: of wins and of losses the nearest. Several lines, proofs of mate, and the depth
    that was asked for are the main thread's own."""
    main = threads.main
    candidates = [thread for thread in threads.members if thread.record.completed_depth > 0]
    limits = main.record.limits
    if len(candidates) < 2 or main.record.lines > 1 or limits.mate or limits.depth:
        return main
    lowest = min(thread.record.root[0].score for thread in candidates)
    votes: dict[int, int] = {}
    for thread in candidates:
        root = thread.record.root[0]
        weight = (root.score - lowest + VOTE_OFFSET) * thread.record.completed_depth
        votes[root.move] = votes.get(root.move, 0) + weight

    def rank(thread: SearchThread) -> tuple[int, int, int]:
        root, depth = thread.record.root[0], thread.record.completed_depth
        if root.score >= TABLE_BAND:
            return WIN, root.score, depth
        if root.score <= -TABLE_BAND and is_from_whole_iteration(thread):
            return LOSS, -root.score, depth
        return ESTIMATE, votes[root.move], depth

    return max(candidates, key=rank)


def is_from_whole_iteration(thread: SearchThread) -> bool:
    """Whether a thread's best move has the score with which an iteration ended. A loss of one that
    was cut short may have been averted by moves not looked at."""
    best, finished = thread.record.root[0], thread.record.finished_best
    return bool(best.move == finished.move and best.score == finished.score)


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
