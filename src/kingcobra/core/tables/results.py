# SPDX-License-Identifier: GPL-3.0-or-later
"""WDL: win, draw or loss. The fifty-move counter is taken to be zero.

A table's value holds for positions in which no capture is better: where one is, the value may be
anything that is not above it. Captures are therefore played out. Tables do not know captures en
passant either.
"""

import numpy as np

from kingcobra.core.rules.basics import EN_PASSANT, NO_PIECE, move_kind, move_to
from kingcobra.core.rules.counting import count_all
from kingcobra.core.rules.movegen import generate_noisy
from kingcobra.core.rules.position import make, occupied, unmake
from kingcobra.core.tables.layout import DRAW, UNKNOWN, WDL, WIN
from kingcobra.core.tables.lookup import (
    BARE_KINGS,
    FIRST_LIST,
    NOTHING_YET,
    can_probe,
    table_value,
)
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import popcount


@compiled
def is_capture(pos, move):
    """Whether a legal move takes something; the side to move has no castling rights."""
    return move_kind(move) == EN_PASSANT or pos.board[move_to(move)] != NO_PIECE


@compiled
def wdl_with_captures(prober, pos, ply):
    """LOSS to WIN of a position without castling rights, or UNKNOWN. Uses the prober's lists from
    `ply` on."""
    if popcount(occupied(pos)) == BARE_KINGS:
        return DRAW
    moves = prober.lists[ply]
    best = NOTHING_YET
    captures = 0
    for number in range(generate_noisy(pos, moves, 0)):
        move = np.int64(moves.moves[number])
        if not is_capture(pos, move):
            continue
        captures += 1
        make(pos, move)
        value = wdl_with_captures(prober, pos, ply + 1)
        unmake(pos, move)
        if value == UNKNOWN:
            return UNKNOWN
        best = max(best, -value)
        if best == WIN:
            return WIN
    # No other moves: the table adds nothing, and without its capture en passant it may take the
    # position for a stalemate.
    if captures and captures == count_all(pos):
        return best
    value = table_value(prober, pos, WDL, DRAW)
    return value if value == UNKNOWN else max(best, value)


@compiled
def probe_wdl(prober, pos):
    """LOSS to WIN for the side to move, UNKNOWN where the tables do not say. The fifty-move counter
    is taken to be zero."""
    if not can_probe(prober, pos):
        return UNKNOWN
    return wdl_with_captures(prober, pos, FIRST_LIST)


@compiled
def wdl_after(prober, pos, move):
    """The WDL of a position for the side to move if it plays this legal move."""
    make(pos, move)
    value = probe_wdl(prober, pos)
    unmake(pos, move)
    return value if value == UNKNOWN else -value
