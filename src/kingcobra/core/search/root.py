# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of root moves: its order is the ranking."""

import numpy as np

from kingcobra.kernel.compiled import compiled

BEST_LINE = np.int64(0)


@compiled
def copy_root(target, source):
    """Copies one root move onto another, its line included."""
    target.move = source.move
    target.bound = source.bound
    target.pv_length = source.pv_length
    target.score = source.score
    target.previous_score = source.previous_score
    target.mean_score = source.mean_score
    target.mean_square = source.mean_square
    target.depth = source.depth
    target.line_score = source.line_score
    target.deepest = source.deepest
    target.effort = source.effort
    target.reply = source.reply
    target.rank = source.rank
    for index in range(source.pv_length):
        target.pv[index] = source.pv[index]


@compiled
def line_count(worker):
    """How many lines are searched: as many as were asked for, if there are so many moves."""
    return min(worker.lines, worker.root_count)


@compiled
def start_of_rank(worker, index):
    """The first root move with the rank of this one; moves of one rank stand together."""
    first = index
    while first > 0 and worker.root[first - 1].rank == worker.root[index].rank:
        first -= 1
    return first


@compiled
def end_of_rank(worker, index):
    """One past the last root move with the rank of this one."""
    end = index + 1
    while end < worker.root_count and worker.root[end].rank == worker.root[index].rank:
        end += 1
    return end


@compiled
def sort_root(worker, first, end):
    """Sorts a part of the list by score; equal ones by the score before, then as they stood."""
    spare = worker.spare_root
    for index in range(first + 1, end):
        candidate = worker.root[index]
        place = index
        while place > first and (
            worker.root[place - 1].score < candidate.score
            or (
                worker.root[place - 1].score == candidate.score
                and worker.root[place - 1].previous_score < candidate.previous_score
            )
        ):
            place -= 1
        if place == index:
            continue
        copy_root(spare, candidate)
        for back in range(index, place, -1):
            copy_root(worker.root[back], worker.root[back - 1])
        copy_root(worker.root[place], spare)


@compiled
def bring_to_front(worker, index):
    """Makes a root move the first one; those before it move back by one."""
    copy_root(worker.spare_root, worker.root[index])
    for back in range(index, 0, -1):
        copy_root(worker.root[back], worker.root[back - 1])
    copy_root(worker.root[0], worker.spare_root)
