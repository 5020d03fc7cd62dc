# SPDX-License-Identifier: GPL-3.0-or-later
"""The move that the tables would play."""

import numpy as np

from kingcobra.core.rules.basics import NO_MOVE
from kingcobra.core.rules.movegen import generate_all
from kingcobra.core.rules.position import make, unmake
from kingcobra.core.tables.distances import probe_dtz_after
from kingcobra.core.tables.layout import CHOICE_LIST, UNKNOWN
from kingcobra.core.tables.lookup import FIRST_LIST
from kingcobra.core.tables.results import is_capture
from kingcobra.kernel.compiled import compiled

# Orders of moves: wins by rising distance, then draws, then losses by falling distance.
DRAW_ORDER = 1 << 20
LOSS_ORDER = 2 << 20
# How many quiet moves of the opponent a capture counts for.
CAPTURE_COST = 100


@compiled
def order_of(distance):
    """Lower for better moves."""
    if distance > 0:
        return np.int64(distance)
    return np.int64(DRAW_ORDER) if distance == 0 else np.int64(LOSS_ORDER + distance)


@compiled
def cost_of_replies(prober, pos, move):
    """How much a legal move leaves to the opponent: nothing if it mates."""
    make(pos, move)
    replies = prober.lists[FIRST_LIST]
    cost = np.int64(0)
    for number in range(generate_all(pos, replies)):
        cost += CAPTURE_COST if is_capture(pos, np.int64(replies.moves[number])) else 1
    unmake(pos, move)
    return cost


@compiled
def best_move(prober, pos):
    """The shortest way for a winner, the longest for a loser; among equals the move that leaves
    the opponent least. NO_MOVE in a draw, without legal moves, or where the tables do not say."""
    moves = prober.lists[CHOICE_LIST]
    best = np.int64(NO_MOVE)
    best_order = np.int64(DRAW_ORDER)
    best_cost = np.int64(0)
    for number in range(generate_all(pos, moves)):
        move = np.int64(moves.moves[number])
        distance = probe_dtz_after(prober, pos, move)
        if distance == UNKNOWN:
            return np.int64(NO_MOVE)
        order = order_of(distance)
        if best != NO_MOVE and order > best_order:
            continue
        cost = cost_of_replies(prober, pos, move)
        if best == NO_MOVE or order < best_order or cost < best_cost:
            best = move
            best_order = order
            best_cost = cost
    return np.int64(NO_MOVE) if best_order == DRAW_ORDER else best
