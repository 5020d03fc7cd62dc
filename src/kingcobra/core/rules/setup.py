# SPDX-License-Identifier: GPL-3.0-or-later
"""Setting up a position from its description, and all keys from scratch."""

from kingcobra.core.rules.attacks import BETWEEN
from kingcobra.core.rules.basics import (
    ALL_CASTLINGS,
    BLACK,
    CASTLINGS,
    COLOURS,
    NO_CASTLING,
    NO_PIECE,
    NO_SQUARE,
    NORTH,
    PAWN,
    PIECE_TYPES,
    SIDES,
    SQUARES,
    castled_king_square,
    castled_rook_square,
    castling_right,
)
from kingcobra.core.rules.bitboards import EMPTY
from kingcobra.core.rules.pawn_steps import forward
from kingcobra.core.rules.position import (
    en_passant_is_possible,
    is_attacked,
    king_square,
    occupied,
    pieces,
    present,
    put_piece,
    toggle_part_keys,
    update_checks,
)
from kingcobra.core.rules.zobrist import (
    CASTLING_ROOK_KEYS,
    EN_PASSANT_KEYS,
    PIECE_KEYS,
    SIDE_KEY,
)
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import bit


@compiled
def compute_keys(pos, state):
    """All keys from the pieces on the board: what `make` keeps up to date move by move."""
    key = EN_PASSANT_KEYS[state.en_passant] ^ pos.castling_keys[state.castling_rights]
    if pos.side == BLACK:
        key ^= SIDE_KEY
    state.pawn_key = EMPTY
    state.minor_key = EMPTY
    for colour in range(COLOURS):
        state.non_pawn_key[colour] = EMPTY
    for square in range(SQUARES):
        piece = pos.board[square]
        if piece != NO_PIECE:
            key ^= PIECE_KEYS[piece, square]
            toggle_part_keys(state, piece, PIECE_KEYS[piece, square])
    state.key = key


@compiled
def clear(pos):
    """An empty board without a past."""
    for piece_type in range(PIECE_TYPES):
        pos.by_type[piece_type] = EMPTY
    for colour in range(COLOURS):
        pos.by_colour[colour] = EMPTY
    for square in range(SQUARES):
        pos.board[square] = NO_PIECE
        pos.rights_kept[square] = ALL_CASTLINGS
    for right in range(CASTLINGS):
        pos.castling_rook[right] = NO_SQUARE
        pos.castling_empty[right] = EMPTY
        pos.castling_safe[right] = EMPTY
    pos.ply = 0


@compiled
def allow_castling(pos, colour, side, rook):
    """Fills the tables of one castling, king and rook being on their squares."""
    right = castling_right(colour, side)
    king = king_square(pos, colour)
    king_target = castled_king_square(colour, side)
    rook_target = castled_rook_square(colour, side)
    king_path = BETWEEN[king, king_target] | bit(king_target)
    rook_path = BETWEEN[rook, rook_target] | bit(rook_target)
    pos.castling_rook[right] = rook
    pos.castling_empty[right] = (king_path | rook_path) & ~(bit(king) | bit(rook))
    pos.castling_safe[right] = king_path | bit(king)
    others = ALL_CASTLINGS ^ (1 << right)
    pos.rights_kept[king] &= others
    pos.rights_kept[rook] &= others


@compiled
def fill_castling_keys(pos):
    """The key of every set of rights, from the rooks that may castle."""
    for rights in range(ALL_CASTLINGS + 1):
        key = EMPTY
        for right in range(CASTLINGS):
            if rights >> right & 1 and pos.castling_rook[right] != NO_SQUARE:
                key ^= CASTLING_ROOK_KEYS[pos.castling_rook[right]]
        pos.castling_keys[rights] = key


@compiled
def set_up(pos, setup):
    """Makes `pos` the described position. One king a side and rooks where castling is allowed are
    the caller's promise. False when the side that has just moved is in check: `pos` is then
    meaningless."""
    clear(pos)
    for square in range(SQUARES):
        if setup.board[square] != NO_PIECE:
            put_piece(pos, setup.board[square], square)
    pos.side = setup.side
    pos.game_ply = setup.game_ply
    pos.chess960 = setup.chess960

    state = present(pos)
    state.castling_rights = NO_CASTLING
    for colour in range(COLOURS):
        for side in range(SIDES):
            rook = setup.castling_rook[castling_right(colour, side)]
            if rook != NO_SQUARE:
                allow_castling(pos, colour, side, rook)
                state.castling_rights |= 1 << castling_right(colour, side)
    fill_castling_keys(pos)
    state.fifty_plies = setup.fifty_plies
    state.plies_since_null = 0
    state.captured = NO_PIECE
    state.dirty_count = 0
    state.en_passant = kept_en_passant(pos, setup.en_passant)
    compute_keys(pos, state)
    update_checks(pos, state)
    return not is_attacked(pos, king_square(pos, pos.side ^ 1), pos.side, occupied(pos))


@compiled
def kept_en_passant(pos, target):
    """The en-passant square if a pawn just passed it and a legal capture exists, else NO_SQUARE."""
    if target == NO_SQUARE:
        return NO_SQUARE
    us = pos.side
    passed = pieces(pos, us ^ 1, PAWN) & bit(target ^ NORTH)
    origin = target + forward(us)
    if passed == EMPTY or (bit(target) | bit(origin)) & occupied(pos):
        return NO_SQUARE
    return target if en_passant_is_possible(pos, target, us) else NO_SQUARE
