# SPDX-License-Identifier: GPL-3.0-or-later
"""What every node does: count, stop, evaluate, make moves, recognise draws."""

import numpy as np

from kingcobra.core.rules.basics import NO_MOVE
from kingcobra.core.rules.draws import is_fifty_moves, is_insufficient_material, is_repetition
from kingcobra.core.rules.position import (
    key_after_null,
    likely_key_after,
    make_null,
    make_pieces,
    present,
    update_checks,
)
from kingcobra.core.search.hash_table import prefetch_bucket
from kingcobra.core.search.histories import piece_to_index, prefetch_corrections
from kingcobra.core.search.layout import GIVEN_SLOTS, NO_PIECE_TO, STACK_BEFORE_ROOT, SearchWorker
from kingcobra.core.search.scores import DRAW, EVALUATION_LIMIT, MAX_PLY, NO_SCORE
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import call_address, monotonic_ns
from kingcobra.kernel.records import record_at

# The limits are checked once in this many nodes, a power of two; where several threads share a
# limit of nodes, once in this part of it if that is less.
CLOCK_INTERVAL_NODES = 1024
CHECKS_PER_LIMIT = 1024
# Depth 1 is given up for a limit or a stop once it has taken this many nodes.
FIRST_DEPTH_NODES = 100_000
MAIN_WORKER = 0
NS_PER_MS = 1_000_000
# A power of two.
DRAW_NOISE = 1
GIVEN_MASK = np.uint64(GIVEN_SLOTS - 1)
EMPTY_KEY = np.uint64(0)

worker_at = record_at(SearchWorker)


@compiled
def stack_at(worker, ply):
    """The stack entry of a ply; a few plies before the root are there too."""
    return worker.stack[STACK_BEFORE_ROOT + ply]


@compiled
def nodes_of_all(worker):
    """Moves made so far by this worker and all with greater numbers."""
    nodes = np.int64(worker.nodes)
    address = worker.next_worker
    while address:
        other = worker_at(address)
        nodes += other.nodes
        address = other.next_worker
    return nodes


@compiled
def elapsed_ns(worker):
    """Nanoseconds since the search began."""
    return monotonic_ns() - worker.limits.started_ns


@compiled
def spent_ns(worker):
    """How much of the time for this move is spent; where nodes stand for time, what they are
    worth."""
    nodes_per_ms = worker.limits.nodes_per_ms
    if nodes_per_ms:
        return nodes_of_all(worker) * NS_PER_MS // nodes_per_ms
    return elapsed_ns(worker)


@compiled
def has_answer(worker):
    """Whether the search may end: it has finished depth 1, so every move was looked at and the best
    has a score. Where depth 1 explodes, it may end without."""
    return worker.completed_depth > 0 or worker.nodes >= FIRST_DEPTH_NODES


@compiled
def check_limits(worker):
    """Sets `stopped` when a limit is reached. Only for the main worker, which the others follow."""
    if not has_answer(worker):
        return
    limits = worker.limits
    no_nodes_left = limits.nodes and nodes_of_all(worker) >= limits.nodes
    no_time_left = worker.ends_at_ponderhit or (
        limits.hard_ns and spent_ns(worker) >= limits.hard_ns
    )
    if (no_nodes_left or no_time_left) and not worker.pondering:
        worker.stopped = 1


@compiled
def check_stop(worker):
    """Sets `stopped` when a stop was asked for."""
    if worker.stop and has_answer(worker):
        worker.stopped = 1


@compiled
def count_node(worker):
    """Counts a move that was made, and checks the limits now and then."""
    worker.nodes += 1
    check_stop(worker)
    if worker.number == MAIN_WORKER and (
        worker.nodes & worker.clock_mask == 0 or worker.nodes == worker.limits.nodes
    ):
        check_limits(worker)


@compiled
def begin_clock(worker):
    """Decides how often the limits are checked in this search: the threads together make no more
    than a little too many nodes."""
    interval = np.int64(CLOCK_INTERVAL_NODES)
    if worker.next_worker and worker.limits.nodes:
        while interval > 1 and interval * CHECKS_PER_LIMIT > worker.limits.nodes:
            interval //= 2
    worker.clock_mask = interval - 1


@compiled
def prefetch_after(worker, move):
    """Starts fetching what the table knows of the position after a move. Memory is slower than a
    move is made: the earlier this is called, the less the next node has to wait."""
    prefetch_bucket(worker, likely_key_after(worker.position, move))


@compiled
def play(worker, ply, move):
    """Makes a move of the search and notes it on the stack."""
    entry = stack_at(worker, ply)
    entry.move = move
    entry.piece_to = piece_to_index(worker.position, move)
    make_pieces(worker.position, move)
    prefetch_corrections(worker, ply + 1)
    update_checks(worker.position, present(worker.position))
    count_node(worker)


@compiled
def play_null(worker, ply):
    """Makes a null move of the search."""
    entry = stack_at(worker, ply)
    entry.move = NO_MOVE
    entry.piece_to = NO_PIECE_TO
    entry.number = 0
    entry.history = 0
    prefetch_bucket(worker, key_after_null(worker.position))
    make_null(worker.position)
    prefetch_corrections(worker, ply + 1)


@compiled
def evaluate(worker):
    """The evaluation in use, clamped to the band of evaluations."""
    value = call_address(worker.evaluate, worker.address)
    return max(-EVALUATION_LIMIT, min(EVALUATION_LIMIT, value))


@compiled
def given_score(worker, key):
    """The score that the user gave to a position, or NO_SCORE."""
    slot = np.int64(key & GIVEN_MASK)
    while worker.given[slot].key != EMPTY_KEY:
        if worker.given[slot].key == key:
            return np.int64(worker.given[slot].score)
        slot = (slot + 1) & (GIVEN_SLOTS - 1)
    return np.int64(NO_SCORE)


@compiled
def draw_score(worker):
    """Zero give or take DRAW_NOISE: a search that sees no difference between draws never leaves one
    line for another."""
    return DRAW - DRAW_NOISE + np.int64(worker.nodes & (2 * DRAW_NOISE))


@compiled
def is_draw(worker, picker, ply):
    """Whether the position is drawn by the rules. Uses the picker's list."""
    pos = worker.position
    return (
        is_fifty_moves(pos, picker.list) or is_repetition(pos, ply) or is_insufficient_material(pos)
    )


@compiled
def settled_score(worker, picker, ply):
    """The score of a node that is not searched: a draw, a value that the user gave, or the end of
    the stack; NO_SCORE for all others. Uses the picker's list."""
    if is_draw(worker, picker, ply):
        return draw_score(worker)
    state = present(worker.position)
    if worker.given_count:
        given = given_score(worker, state.key)
        if given != NO_SCORE:
            return given
    if ply > worker.deepest:
        worker.deepest = ply
    if ply >= MAX_PLY - 1:
        return np.int64(DRAW) if state.checkers != 0 else evaluate(worker)
    return np.int64(NO_SCORE)


@compiled
def without_noise(score):
    """A score as people see it: a draw is a draw."""
    return np.int64(DRAW) if abs(score) <= DRAW_NOISE else np.int64(score)


@compiled
def extend_pv(worker, ply, move):
    """The line from here on is this move and the line of the next ply."""
    length = stack_at(worker, ply + 1).pv_length
    worker.pv[ply, 0] = move
    for index in range(length):
        worker.pv[ply, index + 1] = worker.pv[ply + 1, index]
    stack_at(worker, ply).pv_length = length + 1
