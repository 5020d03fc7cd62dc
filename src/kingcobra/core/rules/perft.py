# SPDX-License-Identifier: GPL-3.0-or-later
"""Counting the leaves of the tree of legal moves."""

from kingcobra.core.rules.counting import count_all
from kingcobra.core.rules.movegen import generate_all
from kingcobra.core.rules.position import make, unmake
from kingcobra.kernel.compiled import compiled


@compiled
def perft(run, depth):
    """Leaves `depth` plies below the run's position, the last ply counted without being played.
    Meaningless once run.stop is set."""
    if depth <= 1:
        return count_all(run.position)
    moves = run.lists[depth]
    count = generate_all(run.position, moves)
    leaves = 0
    for index in range(count):
        if run.stop:
            break
        move = moves.moves[index]
        make(run.position, move)
        leaves += perft(run, depth - 1)
        unmake(run.position, move)
    return leaves


@compiled
def perft_making_all(run, depth):
    """As perft, but every leaf is played and taken back: the measure of make and unmake."""
    moves = run.lists[depth]
    count = generate_all(run.position, moves)
    leaves = 0
    for index in range(count):
        if run.stop:
            break
        move = moves.moves[index]
        make(run.position, move)
        leaves += perft_making_all(run, depth - 1) if depth > 1 else 1
        unmake(run.position, move)
    return leaves
