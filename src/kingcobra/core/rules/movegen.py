# SPDX-License-Identifier: GPL-3.0-or-later
"""Legal moves. Nothing illegal is ever generated, so nothing has to be tested afterwards.

Noisy moves are captures and promotions, quiet moves all others; together they are all moves.
"""

import numpy as np

from kingcobra.core.rules.attacks import (
    BETWEEN,
    KING_ATTACKS,
    KNIGHT_ATTACKS,
    LINE,
    PAWN_ATTACKS,
    bishop_attacks,
    rook_attacks,
)
from kingcobra.core.rules.basics import (
    BISHOP,
    CASTLING,
    EN_PASSANT,
    KNIGHT,
    NO_SQUARE,
    PAWN,
    QUEEN,
    ROOK,
    SIDES,
    castling_right,
    plain_move,
    promotion_move,
    special_move,
)
from kingcobra.core.rules.bitboards import (
    EMPTY,
    EVERYTHING,
    LAST_RANKS,
    more_than_one,
)
from kingcobra.core.rules.pawn_steps import (
    attacked_east,
    attacked_west,
    forward,
    pushed,
    pushed_again,
)
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
from kingcobra.kernel.instructions.bits import bit, lsb, without_lsb

# --- appending --------------------------------------------------------------------------------


@compiled
def add_targets(moves, count, origin, targets):
    """Appends a plain move to each target; returns the new count."""
    while targets:
        moves.moves[count] = plain_move(origin, lsb(targets))
        count += 1
        targets = without_lsb(targets)
    return count


@compiled
def add_pawn_moves(moves, count, targets, step, pinned, king):
    """Appends the pawn moves that arrive on the targets by one step, pinned pawns along their
    line only; returns the new count."""
    while targets:
        target = lsb(targets)
        targets = without_lsb(targets)
        origin = target - step
        if pinned & bit(origin) == EMPTY or LINE[king, origin] & bit(target):
            moves.moves[count] = plain_move(origin, target)
            count += 1
    return count


@compiled
def add_promotions(moves, count, targets, step, pinned, king):
    """As add_pawn_moves, each move in four versions."""
    while targets:
        target = lsb(targets)
        targets = without_lsb(targets)
        origin = target - step
        if pinned & bit(origin) == EMPTY or LINE[king, origin] & bit(target):
            moves.moves[count] = promotion_move(origin, target, QUEEN)
            moves.moves[count + 1] = promotion_move(origin, target, KNIGHT)
            moves.moves[count + 2] = promotion_move(origin, target, ROOK)
            moves.moves[count + 3] = promotion_move(origin, target, BISHOP)
            count += 4
    return count


@compiled
def on_its_line(targets, pinned, king, origin):
    """Those of a piece's targets that are on the line to its king, if it is pinned; else all."""
    return targets & LINE[king, origin] if pinned & bit(origin) else targets


# --- king and pieces --------------------------------------------------------------------------


@compiled
def add_king_moves(pos, moves, count, targets):
    """King moves to those targets that the enemy does not attack once the king has left."""
    us = pos.side
    king = king_square(pos, us)
    without_king = occupied(pos) ^ bit(king)
    reachable = KING_ATTACKS[king] & targets
    while reachable:
        target = lsb(reachable)
        reachable = without_lsb(reachable)
        if not is_attacked(pos, target, us ^ 1, without_king):
            moves.moves[count] = plain_move(king, target)
            count += 1
    return count


@compiled
def add_piece_moves(pos, moves, count, targets):
    """Moves of knights, bishops, rooks and queens to the targets."""
    us = pos.side
    ours = pos.by_colour[us]
    blocking = occupied(pos)
    king = king_square(pos, us)
    pinned = present(pos).blockers[us] & ours

    # A pinned knight never stays on its line.
    movers = pos.by_type[KNIGHT] & ours & ~pinned
    while movers:
        origin = lsb(movers)
        movers = without_lsb(movers)
        count = add_targets(moves, count, origin, KNIGHT_ATTACKS[origin] & targets)

    movers = diagonal_sliders(pos) & ours
    while movers:
        origin = lsb(movers)
        movers = without_lsb(movers)
        reachable = bishop_attacks(origin, blocking) & targets
        count = add_targets(moves, count, origin, on_its_line(reachable, pinned, king, origin))

    movers = straight_sliders(pos) & ours
    while movers:
        origin = lsb(movers)
        movers = without_lsb(movers)
        reachable = rook_attacks(origin, blocking) & targets
        count = add_targets(moves, count, origin, on_its_line(reachable, pinned, king, origin))
    return count


@compiled
def add_castlings(pos, moves, count):
    """Castling moves of a side that is not in check."""
    us = pos.side
    rights = present(pos).castling_rights
    for side in range(SIDES):
        right = castling_right(us, side)
        if rights >> right & 1 and castling_is_legal(pos, right):
            rook = np.int64(pos.castling_rook[right])
            moves.moves[count] = special_move(king_square(pos, us), rook, CASTLING)
            count += 1
    return count


@compiled
def castling_is_legal(pos, right):
    """Whether the way is free for a castling that is still allowed. The king is lifted together
    with the rook that leaves: in Chess960 that rook may have shielded it from a check."""
    us = pos.side
    if pos.castling_empty[right] & occupied(pos):
        return False
    without_both = occupied(pos) ^ bit(king_square(pos, us)) ^ bit(pos.castling_rook[right])
    path = pos.castling_safe[right]
    while path:
        if is_attacked(pos, lsb(path), us ^ 1, without_both):
            return False
        path = without_lsb(path)
    return True


# --- pawns ------------------------------------------------------------------------------------


@compiled
def add_pawn_captures_and_promotions(pos, moves, count, allowed):
    """Pawn captures, promotions and captures en passant that end on, or capture on, `allowed`."""
    us = pos.side
    ours = pieces(pos, us, PAWN)
    victims = pos.by_colour[us ^ 1] & allowed
    free = ~occupied(pos) & allowed
    king = king_square(pos, us)
    pinned = present(pos).blockers[us]
    push = forward(us)
    west = push - 1
    east = push + 1
    pushes = pushed(us, ours) & free & LAST_RANKS
    wests = attacked_west(us, ours) & victims
    easts = attacked_east(us, ours) & victims
    if (pushes | wests | easts) & LAST_RANKS:
        count = add_promotions(moves, count, pushes, push, pinned, king)
        count = add_promotions(moves, count, wests & LAST_RANKS, west, pinned, king)
        count = add_promotions(moves, count, easts & LAST_RANKS, east, pinned, king)
    count = add_pawn_moves(moves, count, wests & ~LAST_RANKS, west, pinned, king)
    count = add_pawn_moves(moves, count, easts & ~LAST_RANKS, east, pinned, king)
    if present(pos).en_passant != NO_SQUARE:
        count = add_en_passant(pos, moves, count)
    return count


@compiled
def add_en_passant(pos, moves, count):
    """Captures en passant. Each is tried on the king itself, checks and pins included."""
    us = pos.side
    target = np.int64(present(pos).en_passant)
    captors = PAWN_ATTACKS[us ^ 1, target] & pieces(pos, us, PAWN)
    while captors:
        origin = lsb(captors)
        captors = without_lsb(captors)
        if en_passant_leaves_king_safe(pos, origin, target, us):
            moves.moves[count] = special_move(origin, target, EN_PASSANT)
            count += 1
    return count


@compiled
def add_quiet_pawn_moves(pos, moves, count, allowed):
    """Single and double pushes that end on `allowed`, promotions apart."""
    us = pos.side
    ours = pieces(pos, us, PAWN)
    free = ~occupied(pos)
    king = king_square(pos, us)
    pinned = present(pos).blockers[us]
    push = forward(us)
    singles = pushed(us, ours) & free & ~LAST_RANKS
    doubles = pushed_again(us, singles) & free
    count = add_pawn_moves(moves, count, singles & allowed, push, pinned, king)
    return add_pawn_moves(moves, count, doubles & allowed, push * 2, pinned, king)


# --- whole lists ------------------------------------------------------------------------------


@compiled
def check_mask(pos):
    """The squares on which a piece other than the king may end: all when there is no check, those
    that end it when there is one, none when there are two."""
    checkers = present(pos).checkers
    if checkers == EMPTY:
        return EVERYTHING
    if more_than_one(checkers):
        return EMPTY
    return checkers | BETWEEN[king_square(pos, pos.side), lsb(checkers)]


@compiled
def generate_all(pos, moves):
    """Replaces the list by all legal moves; returns their number."""
    ours = pos.by_colour[pos.side]
    if present(pos).checkers:
        return generate_evasions(pos, moves)
    count = add_king_moves(pos, moves, 0, ~ours)
    count = add_piece_moves(pos, moves, count, ~ours)
    count = add_pawn_captures_and_promotions(pos, moves, count, EVERYTHING)
    count = add_quiet_pawn_moves(pos, moves, count, EVERYTHING)
    count = add_castlings(pos, moves, count)
    moves.count = count
    return count


@compiled
def generate_evasions(pos, moves):
    """Replaces the list by all legal moves of a side in check; returns their number."""
    ours = pos.by_colour[pos.side]
    allowed = check_mask(pos)
    count = add_king_moves(pos, moves, 0, ~ours)
    if allowed:
        count = add_piece_moves(pos, moves, count, allowed & ~ours)
        count = add_pawn_captures_and_promotions(pos, moves, count, allowed)
        count = add_quiet_pawn_moves(pos, moves, count, allowed)
    moves.count = count
    return count


@compiled
def generate_noisy(pos, moves, first):
    """Writes the legal captures and promotions into the list from `first` on; returns where they
    end."""
    theirs = pos.by_colour[pos.side ^ 1]
    allowed = check_mask(pos)
    count = add_king_moves(pos, moves, first, theirs)
    if allowed:
        count = add_piece_moves(pos, moves, count, allowed & theirs)
        count = add_pawn_captures_and_promotions(pos, moves, count, allowed)
    moves.count = count
    return count


@compiled
def generate_quiet(pos, moves, first):
    """Writes the legal moves that are neither captures nor promotions into the list from `first`
    on; returns where they end."""
    free = ~occupied(pos)
    allowed = check_mask(pos)
    count = add_king_moves(pos, moves, first, free)
    if allowed:
        count = add_piece_moves(pos, moves, count, allowed & free)
        count = add_quiet_pawn_moves(pos, moves, count, allowed)
        if present(pos).checkers == EMPTY:
            count = add_castlings(pos, moves, count)
    moves.count = count
    return count


@compiled
def generate_quiet_beside(pos, moves, first, attacked):
    """As generate_quiet, for a side that is not in check and knows all squares that the enemy
    attacks: no slider sees through its king then, so the king may go to any other square."""
    free = ~occupied(pos)
    king = king_square(pos, pos.side)
    count = add_targets(moves, first, king, KING_ATTACKS[king] & free & ~attacked)
    count = add_piece_moves(pos, moves, count, free)
    count = add_quiet_pawn_moves(pos, moves, count, EVERYTHING)
    count = add_castlings(pos, moves, count)
    moves.count = count
    return count
