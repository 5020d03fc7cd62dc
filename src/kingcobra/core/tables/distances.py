# SPDX-License-Identifier: GPL-3.0-or-later
"""DTZ: how far the next irreversible move is. The fifty-move counter is taken to be zero.

A table holds one side to move only; for the other one, all its moves are tried.
"""

import numpy as np

from kingcobra.core.rules.basics import FIFTY_MOVES_PLIES, PAWN, move_from, type_of
from kingcobra.core.rules.counting import count_all
from kingcobra.core.rules.movegen import generate_all
from kingcobra.core.rules.position import make, present, unmake
from kingcobra.core.tables.layout import BLESSED_LOSS, CURSED_WIN, DAMAGED, DRAW, DTZ, UNKNOWN
from kingcobra.core.tables.lookup import (
    ASK_THE_OTHER_SIDE,
    FIRST_LIST,
    can_probe,
    no_answer,
    table_value,
)
from kingcobra.core.tables.material import material_key
from kingcobra.core.tables.results import is_capture, probe_wdl, wdl_with_captures
from kingcobra.kernel.compiled import compiled

# Typed, as FIRST_LIST.
SECOND_LIST = np.int64(1)


@compiled
def sign_of(value):
    """-1, 0 or 1."""
    return np.int64(value > 0) - np.int64(value < 0)


@compiled
def before_zeroing(result):
    """The DTZ of a position whose best move is irreversible."""
    if result == CURSED_WIN or result == BLESSED_LOSS:
        return sign_of(result) * (FIFTY_MOVES_PLIES + 1)
    return sign_of(result)


@compiled
def is_zeroing(pos, move):
    """Whether a legal move resets the fifty-move counter."""
    return type_of(pos.board[move_from(move)]) == PAWN or is_capture(pos, move)


@compiled
def zeroing_is_best(prober, pos, result, ply):
    """1 where an irreversible move is a best one in a position with that result, a win or a loss:
    it wins, or there are no other moves. 0 where not, UNKNOWN where the tables do not say."""
    moves = prober.lists[ply]
    count = generate_all(pos, moves)
    zeroing = 0
    for number in range(count):
        move = np.int64(moves.moves[number])
        if not is_zeroing(pos, move):
            continue
        zeroing += 1
        if result > DRAW:
            make(pos, move)
            value = wdl_with_captures(prober, pos, ply + 1)
            unmake(pos, move)
            if value == UNKNOWN:
                return UNKNOWN
            if -value == result:
                return 1
    return np.int64(zeroing > 0 and zeroing == count)


@compiled
def dtz_from_own_side(prober, pos, ply):
    """The DTZ of a position from tables for its side to move; or ASK_THE_OTHER_SIDE, or UNKNOWN."""
    result = wdl_with_captures(prober, pos, ply)
    if result == UNKNOWN or result == DRAW:
        return result
    zeroing = zeroing_is_best(prober, pos, result, ply)
    if zeroing == UNKNOWN:
        return UNKNOWN
    if zeroing:
        return before_zeroing(result)
    distance = table_value(prober, pos, DTZ, result)
    if distance >= UNKNOWN:
        return distance
    if result == CURSED_WIN or result == BLESSED_LOSS:
        distance += FIFTY_MOVES_PLIES
    return sign_of(result) * distance


@compiled
def one_ply_before(pos, value):
    """The DTZ before a reversible move, for the side that made it, from the DTZ of the position
    after it. A mate is one ply away."""
    if value == UNKNOWN:
        return UNKNOWN
    if value == -1 and present(pos).checkers and count_all(pos) == 0:
        return np.int64(1)
    return sign_of(-value) - value


@compiled
def dtz_after(prober, pos, move, ply):
    """The DTZ of a position for the side to move if it plays this move, where the tables have the
    other side to move; UNKNOWN where they do not say."""
    zeroing = is_zeroing(pos, move)
    make(pos, move)
    if zeroing:
        value = wdl_with_captures(prober, pos, ply)
        distance = value if value == UNKNOWN else before_zeroing(-value)
    else:
        value = dtz_from_own_side(prober, pos, ply)
        if value == ASK_THE_OTHER_SIDE:  # both sides: only a damaged file says that
            value = no_answer(prober, DAMAGED, material_key(pos), DTZ)
        distance = one_ply_before(pos, value)
    unmake(pos, move)
    return distance


@compiled
def dtz_from_other_side(prober, pos, result):
    """The DTZ of a position with that result, from all its moves."""
    moves = prober.lists[FIRST_LIST]
    best = UNKNOWN
    for number in range(generate_all(pos, moves)):
        distance = dtz_after(prober, pos, np.int64(moves.moves[number]), SECOND_LIST)
        if distance == UNKNOWN:
            return UNKNOWN
        if distance < best and sign_of(distance) == sign_of(result):
            best = distance
    # A side without moves that has lost is mated.
    return np.int64(-1) if best == UNKNOWN else best


@compiled
def probe_dtz(prober, pos):
    """Plies to the next irreversible move if both sides play for it, positive for a win of the
    side to move, beyond a hundred for cursed wins and blessed losses, zero for draws; one ply off
    at times, as the tables round. UNKNOWN where the tables do not say. The fifty-move counter is
    taken to be zero."""
    if not can_probe(prober, pos):
        return UNKNOWN
    distance = dtz_from_own_side(prober, pos, FIRST_LIST)
    if distance != ASK_THE_OTHER_SIDE:
        return distance
    result = wdl_with_captures(prober, pos, FIRST_LIST)
    if result == UNKNOWN:
        return UNKNOWN
    return dtz_from_other_side(prober, pos, result)


@compiled
def probe_dtz_after(prober, pos, move):
    """The DTZ of a position for the side to move if it plays this legal move, which counts as one
    ply; UNKNOWN where the tables do not say."""
    zeroing = is_zeroing(pos, move)
    make(pos, move)
    if zeroing:
        value = probe_wdl(prober, pos)
        distance = value if value == UNKNOWN else before_zeroing(-value)
    else:
        distance = one_ply_before(pos, probe_dtz(prober, pos))
    unmake(pos, move)
    return distance
