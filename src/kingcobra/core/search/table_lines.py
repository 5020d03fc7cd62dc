# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines that the hash table continues where the search itself kept no moves."""

import numpy as np

from kingcobra.core.rules.basics import NO_MOVE
from kingcobra.core.rules.legality import is_legal
from kingcobra.core.rules.position import make, present, unmake
from kingcobra.core.search.flags import NON_PV, ROOT_PLY
from kingcobra.core.search.hash_table import probe
from kingcobra.core.search.steps import is_draw
from kingcobra.kernel.compiled import compiled


@compiled
def known_reply(worker, plies_from_root):
    """The move that the table knows for the present position; NO_MOVE where it knows none, or where
    the game is drawn. Uses the root's picker."""
    if is_draw(worker, worker.pickers[0], plies_from_root):
        return np.int64(NO_MOVE)
    state = present(worker.position)
    move = probe(worker, state.key, ROOT_PLY, state.fifty_plies, NON_PV).move
    if move == NO_MOVE or not is_legal(worker.position, move):
        return np.int64(NO_MOVE)
    return move


@compiled
def continue_line(worker, holder, most_moves):
    """Lengthens the line of a root move or of a report, which starts at the root, by moves that the
    table knows, up to a number of moves in all. Not counted as nodes: nothing is searched."""
    pos = worker.position
    length = np.int64(holder.pv_length)
    for ply in range(length):
        make(pos, np.int64(holder.pv[ply]))
    while length < most_moves:
        move = known_reply(worker, length)
        if move == NO_MOVE:
            break
        holder.pv[length] = move
        length += 1
        make(pos, move)
    holder.pv_length = length
    for ply in range(length - 1, -1, -1):
        unmake(pos, np.int64(holder.pv[ply]))
