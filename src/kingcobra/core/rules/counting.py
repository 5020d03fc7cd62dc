# SPDX-License-Identifier: GPL-3.0-or-later
"""How many legal moves there are, without writing them down.

The twin of movegen.generate_all: piece by piece the same sets of targets, counted instead of
listed. This is what makes the last ply of a perft cheap.
"""

import numpy as np

from kingcobra.core.rules.attacks import (
    KING_ATTACKS,
    KNIGHT_ATTACKS,
    LINE,
    PAWN_ATTACKS,
    bishop_attacks,
    rook_attacks,
)
from kingcobra.core.rules.basics import (
    KNIGHT,
    NO_SQUARE,
    PAWN,
    SIDES,
    castling_right,
)
from kingcobra.core.rules.bitboards import (
    EMPTY,
    LAST_RANKS,
)
from kingcobra.core.rules.movegen import castling_is_legal, check_mask, on_its_line
from kingcobra.core.rules.pawn_steps import attacked_east, attacked_west, pushed, pushed_again
from kingcobra.core.rules.position import (
    diagonal_sliders,
    en_passant_leaves_king_safe,
    is_attacked,
    king_square,
    occupied,
    pieces,
    present,
    straight_sliders,
)
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import bit, lsb, popcount, without_lsb

PROMOTIONS = 4


@compiled
def count_all(pos):
    """How many legal moves the side to move has."""
    us = pos.side
    count = count_king_moves(pos, us)
    allowed = check_mask(pos)
    if allowed == EMPTY:
        return count
    state = present(pos)
    count += count_piece_moves(pos, us, allowed & ~pos.by_colour[us])
    count += count_pawn_moves(pos, us, allowed)
    if state.en_passant != NO_SQUARE:
        count += count_en_passant(pos, us, np.int64(state.en_passant))
    if state.castling_rights and state.checkers == EMPTY:
        count += count_castlings(pos, us, state.castling_rights)
    return count


@compiled
def count_king_moves(pos, us):
    """King moves to squares that the enemy does not attack once the king has left."""
    king = king_square(pos, us)
    without_king = occupied(pos) ^ bit(king)
    reachable = KING_ATTACKS[king] & ~pos.by_colour[us]
    count = 0
    while reachable:
        if not is_attacked(pos, lsb(reachable), us ^ 1, without_king):
            count += 1
        reachable = without_lsb(reachable)
    return count


@compiled
def count_piece_moves(pos, us, targets):
    """Moves of knights, bishops, rooks and queens to the targets."""
    ours = pos.by_colour[us]
    blocking = occupied(pos)
    king = king_square(pos, us)
    pinned = present(pos).blockers[us] & ours
    count = 0

    movers = pos.by_type[KNIGHT] & ours & ~pinned
    while movers:
        count += popcount(KNIGHT_ATTACKS[lsb(movers)] & targets)
        movers = without_lsb(movers)

    movers = diagonal_sliders(pos) & ours
    while movers:
        origin = lsb(movers)
        movers = without_lsb(movers)
        reachable = bishop_attacks(origin, blocking) & targets
        count += popcount(on_its_line(reachable, pinned, king, origin))

    movers = straight_sliders(pos) & ours
    while movers:
        origin = lsb(movers)
        movers = without_lsb(movers)
        reachable = rook_attacks(origin, blocking) & targets
        count += popcount(on_its_line(reachable, pinned, king, origin))
    return count


@compiled
def count_pawn_moves(pos, us, allowed):
    """Pushes, captures and promotions: free pawns all at once, pinned ones one by one."""
    pawns = pieces(pos, us, PAWN)
    pinned = pawns & present(pos).blockers[us]
    count = count_pawn_targets(pos, us, pawns ^ pinned, allowed)
    king = king_square(pos, us)
    while pinned:
        origin = lsb(pinned)
        pinned = without_lsb(pinned)
        count += count_pawn_targets(pos, us, bit(origin), allowed & LINE[king, origin])
    return count


@compiled
def count_pawn_targets(pos, us, pawns, allowed):
    """Moves of these pawns to allowed squares, a promotion counting four times."""
    free = ~occupied(pos)
    victims = pos.by_colour[us ^ 1] & allowed
    singles = pushed(us, pawns) & free
    doubles = pushed_again(us, singles) & free & allowed
    wests = attacked_west(us, pawns) & victims
    easts = attacked_east(us, pawns) & victims
    singles &= allowed
    count = popcount(singles) + popcount(doubles) + popcount(wests) + popcount(easts)
    if (singles | wests | easts) & LAST_RANKS:
        promotions = (
            popcount(singles & LAST_RANKS)
            + popcount(wests & LAST_RANKS)
            + popcount(easts & LAST_RANKS)
        )
        count += (PROMOTIONS - 1) * promotions
    return count


@compiled
def count_en_passant(pos, us, target):
    """Captures en passant, each tried on the king itself."""
    captors = PAWN_ATTACKS[us ^ 1, target] & pieces(pos, us, PAWN)
    count = 0
    while captors:
        if en_passant_leaves_king_safe(pos, lsb(captors), target, us):
            count += 1
        captors = without_lsb(captors)
    return count


@compiled
def count_castlings(pos, us, rights):
    """Castling moves of a side that is not in check."""
    count = 0
    for side in range(SIDES):
        right = castling_right(us, side)
        if rights >> right & 1 and castling_is_legal(pos, right):
            count += 1
    return count
