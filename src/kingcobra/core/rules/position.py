# SPDX-License-Identifier: GPL-3.0-or-later
"""The position: looking at it, making a move and taking it back.

`pos` is always a Position record, `state` the present State of it.
"""

from kingcobra.core.rules.attacks import (
    BETWEEN,
    BISHOP_RAYS,
    KING_ATTACKS,
    KNIGHT_ATTACKS,
    PAWN_ATTACKS,
    ROOK_RAYS,
    bishop_attacks,
    rook_attacks,
)
from kingcobra.core.rules.basics import (
    BISHOP,
    BLACK,
    CASTLING,
    COLOURS,
    EN_PASSANT,
    KING,
    KING_SIDE,
    KNIGHT,
    NO_PIECE,
    NO_SQUARE,
    NORTH,
    PAWN,
    PROMOTION,
    QUEEN,
    QUEEN_SIDE,
    ROOK,
    WHITE,
    castled_king_square,
    castled_rook_square,
    colour_of,
    move_from,
    move_kind,
    move_promotion,
    move_to,
    piece_of,
    type_of,
)
from kingcobra.core.rules.bitboards import EMPTY, more_than_one
from kingcobra.core.rules.layout import GAME_HISTORY_PLIES, KEPT_HISTORY_PLIES
from kingcobra.core.rules.zobrist import (
    EN_PASSANT_KEYS,
    PIECE_KEYS,
    SIDE_KEY,
)
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import bit, lsb, without_lsb

DOUBLE_PUSH = 2 * NORTH

# --- looking at a position --------------------------------------------------------------------


@compiled
def present(pos):
    """The present state."""
    return pos.states[pos.ply]


@compiled
def occupied(pos):
    """All squares with a piece."""
    return pos.by_type[NO_PIECE]


@compiled
def pieces(pos, colour, piece_type):
    """The squares of one side's pieces of one type."""
    return pos.by_type[piece_type] & pos.by_colour[colour]


@compiled
def king_square(pos, colour):
    """Where that side's king stands."""
    return lsb(pieces(pos, colour, KING))


@compiled
def diagonal_sliders(pos):
    """Bishops and queens of both sides."""
    return pos.by_type[BISHOP] | pos.by_type[QUEEN]


@compiled
def straight_sliders(pos):
    """Rooks and queens of both sides."""
    return pos.by_type[ROOK] | pos.by_type[QUEEN]


@compiled
def attackers_of(pos, square, blocking):
    """Pieces of both sides that attack a square, sliders seeing `blocking` as the occupied
    squares."""
    return (
        (PAWN_ATTACKS[BLACK, square] & pieces(pos, WHITE, PAWN))
        | (PAWN_ATTACKS[WHITE, square] & pieces(pos, BLACK, PAWN))
        | (KNIGHT_ATTACKS[square] & pos.by_type[KNIGHT])
        | (KING_ATTACKS[square] & pos.by_type[KING])
        | (rook_attacks(square, blocking) & straight_sliders(pos))
        | (bishop_attacks(square, blocking) & diagonal_sliders(pos))
    )


@compiled
def is_attacked(pos, square, by, blocking):
    """Whether a side attacks a square, sliders seeing `blocking` as the occupied squares."""
    enemy = pos.by_colour[by]
    return (
        (PAWN_ATTACKS[by ^ 1, square] & pos.by_type[PAWN])
        | (KNIGHT_ATTACKS[square] & pos.by_type[KNIGHT])
        | (KING_ATTACKS[square] & pos.by_type[KING])
        | (rook_attacks(square, blocking) & straight_sliders(pos))
        | (bishop_attacks(square, blocking) & diagonal_sliders(pos))
    ) & enemy != EMPTY


# --- pieces on squares ------------------------------------------------------------------------


@compiled
def put_piece(pos, piece, square):
    """Puts a piece on an empty square. Keys are the caller's business, here and below."""
    here = bit(square)
    pos.by_type[NO_PIECE] |= here
    pos.by_type[type_of(piece)] |= here
    pos.by_colour[colour_of(piece)] |= here
    pos.board[square] = piece


@compiled
def remove_piece(pos, piece, square):
    """Takes a piece off its square."""
    here = bit(square)
    pos.by_type[NO_PIECE] ^= here
    pos.by_type[type_of(piece)] ^= here
    pos.by_colour[colour_of(piece)] ^= here
    pos.board[square] = NO_PIECE


@compiled
def move_piece(pos, piece, origin, target):
    """Moves a piece to an empty square."""
    both = bit(origin) | bit(target)
    pos.by_type[NO_PIECE] ^= both
    pos.by_type[type_of(piece)] ^= both
    pos.by_colour[colour_of(piece)] ^= both
    pos.board[origin] = NO_PIECE
    pos.board[target] = piece


# --- keys -------------------------------------------------------------------------------------


@compiled
def toggle_part_keys(state, piece, square_key):
    """Adds a piece on a square to the partial keys, or takes it out of them."""
    kind = type_of(piece)
    if kind == PAWN:
        state.pawn_key ^= square_key
    else:
        state.non_pawn_key[colour_of(piece)] ^= square_key
        if kind == KNIGHT or kind == BISHOP or kind == KING:
            state.minor_key ^= square_key


# --- checks and pins --------------------------------------------------------------------------


@compiled
def update_sliders_at_king(pos, state, colour):
    """Blockers and pinners of one king; returns the enemy sliders that reach it unhindered."""
    king = king_square(pos, colour)
    enemy = pos.by_colour[colour ^ 1]
    aimed = (
        (ROOK_RAYS[king] & straight_sliders(pos)) | (BISHOP_RAYS[king] & diagonal_sliders(pos))
    ) & enemy
    checkers = EMPTY
    blockers = EMPTY
    pinners = EMPTY
    while aimed:
        slider = lsb(aimed)
        aimed = without_lsb(aimed)
        between = BETWEEN[king, slider] & occupied(pos)
        if between == EMPTY:
            checkers |= bit(slider)
        elif not more_than_one(between):
            blockers |= between
            if between & ~enemy:
                pinners |= bit(slider)
    state.blockers[colour] = blockers
    state.pinners[colour ^ 1] = pinners
    return checkers


@compiled
def update_checks(pos, state):
    """Checkers, blockers and pinners of the present position."""
    us = pos.side
    them = us ^ 1
    king = king_square(pos, us)
    sliders = update_sliders_at_king(pos, state, us)
    leapers = (PAWN_ATTACKS[us, king] & pos.by_type[PAWN]) | (
        KNIGHT_ATTACKS[king] & pos.by_type[KNIGHT]
    )
    state.checkers = sliders | (leapers & pos.by_colour[them])
    update_sliders_at_king(pos, state, them)


# --- en passant -------------------------------------------------------------------------------


@compiled
def en_passant_leaves_king_safe(pos, origin, target, us):
    """Whether `us` may capture en passant from origin to target: two pawns leave one rank at
    once, so pins do not tell; the king is looked at as it would stand afterwards."""
    them = us ^ 1
    victim = target ^ NORTH
    king = king_square(pos, us)
    after = (occupied(pos) ^ bit(origin) ^ bit(victim)) | bit(target)
    enemy = pos.by_colour[them] ^ bit(victim)
    return (
        (PAWN_ATTACKS[us, king] & pos.by_type[PAWN])
        | (KNIGHT_ATTACKS[king] & pos.by_type[KNIGHT])
        | (rook_attacks(king, after) & straight_sliders(pos))
        | (bishop_attacks(king, after) & diagonal_sliders(pos))
    ) & enemy == EMPTY


@compiled
def en_passant_is_possible(pos, target, us):
    """Whether `us` has a legal capture en passant on the target square. Only then is the square
    part of the position and its key."""
    captors = PAWN_ATTACKS[us ^ 1, target] & pieces(pos, us, PAWN)
    while captors:
        if en_passant_leaves_king_safe(pos, lsb(captors), target, us):
            return True
        captors = without_lsb(captors)
    return False


# --- making and taking back -------------------------------------------------------------------


@compiled
def note_dirty(state, piece, origin, target):
    """Records that a piece went from one square to another."""
    number = state.dirty_count
    state.dirty_piece[number] = piece
    state.dirty_from[number] = origin
    state.dirty_to[number] = target
    state.dirty_count = number + 1


@compiled
def open_next_state(pos):
    """The next state with what it inherits from the present one; the position still shows the
    present."""
    old = pos.states[pos.ply]
    new = pos.states[pos.ply + 1]
    new.pawn_key = old.pawn_key
    new.minor_key = old.minor_key
    for colour in range(COLOURS):
        new.non_pawn_key[colour] = old.non_pawn_key[colour]
    new.castling_rights = old.castling_rights
    new.en_passant = NO_SQUARE
    new.captured = NO_PIECE
    new.fifty_plies = old.fifty_plies + 1
    new.plies_since_null = old.plies_since_null + 1
    new.dirty_count = 0
    return new


@compiled
def likely_key_after(pos, move):
    """The key that a move will make, right for all but castling, promotion, capture en passant and
    moves that change the rights: good enough to fetch memory ahead of its use."""
    origin = move_from(move)
    target = move_to(move)
    piece = pos.board[origin]
    victim = pos.board[target]
    key = key_after_null(pos)
    if victim != NO_PIECE:
        key ^= PIECE_KEYS[victim, target]
    return key ^ PIECE_KEYS[piece, origin] ^ PIECE_KEYS[piece, target]


@compiled
def key_after_null(pos):
    """The key that a pass will make."""
    state = present(pos)
    return state.key ^ SIDE_KEY ^ EN_PASSANT_KEYS[state.en_passant]


@compiled
def make(pos, move):
    """Plays a legal move."""
    make_pieces(pos, move)
    update_checks(pos, pos.states[pos.ply])


@compiled
def make_pieces(pos, move):
    """The first part of `make`: all but checks and pins. The key is known after it."""
    old = pos.states[pos.ply]
    state = open_next_state(pos)
    us = pos.side
    them = us ^ 1
    origin = move_from(move)
    target = move_to(move)
    kind = move_kind(move)
    piece = pos.board[origin]
    key = key_after_null(pos)

    if kind == CASTLING:
        key ^= make_castling(pos, state, us, origin, target)
    else:
        victim_square = target ^ NORTH if kind == EN_PASSANT else target
        victim = pos.board[victim_square]
        note_dirty(state, piece, origin, target)
        if victim != NO_PIECE:
            key ^= make_capture(pos, state, victim, victim_square)
        change = PIECE_KEYS[piece, origin] ^ PIECE_KEYS[piece, target]
        key ^= change
        move_piece(pos, piece, origin, target)
        toggle_part_keys(state, piece, change)
        if type_of(piece) == PAWN:
            state.fifty_plies = 0
            if kind == PROMOTION:
                key ^= make_promotion(pos, state, piece, move)

    kept = old.castling_rights & pos.rights_kept[origin] & pos.rights_kept[target]
    if kept != old.castling_rights:
        key ^= pos.castling_keys[old.castling_rights] ^ pos.castling_keys[kept]
        state.castling_rights = kept

    pos.side = them
    pos.ply += 1
    pos.game_ply += 1
    if type_of(piece) == PAWN and origin ^ target == DOUBLE_PUSH:
        passed = (origin + target) >> 1
        if en_passant_is_possible(pos, passed, them):
            state.en_passant = passed
            key ^= EN_PASSANT_KEYS[passed]
    state.key = key


@compiled
def make_capture(pos, state, victim, square):
    """Takes the captured piece off; returns what that changes in the key."""
    square_key = PIECE_KEYS[victim, square]
    remove_piece(pos, victim, square)
    toggle_part_keys(state, victim, square_key)
    state.captured = victim
    state.fifty_plies = 0
    note_dirty(state, victim, square, NO_SQUARE)
    return square_key


@compiled
def make_promotion(pos, state, pawn, move):
    """Replaces the pawn that has just arrived; returns what that changes in the key."""
    target = move_to(move)
    piece = piece_of(colour_of(pawn), move_promotion(move))
    pawn_key = PIECE_KEYS[pawn, target]
    piece_key = PIECE_KEYS[piece, target]
    remove_piece(pos, pawn, target)
    toggle_part_keys(state, pawn, pawn_key)
    put_piece(pos, piece, target)
    toggle_part_keys(state, piece, piece_key)
    state.dirty_to[0] = NO_SQUARE
    note_dirty(state, piece, NO_SQUARE, target)
    return pawn_key ^ piece_key


@compiled
def castling_side(origin, target):
    """Which way the king castles when it takes its rook on `target`."""
    return KING_SIDE if target > origin else QUEEN_SIDE


@compiled
def make_castling(pos, state, us, king_from, rook_from):
    """Moves king and rook at once: in Chess960 either may land where the other stood.
    Returns what that changes in the key."""
    side = castling_side(king_from, rook_from)
    king_to = castled_king_square(us, side)
    rook_to = castled_rook_square(us, side)
    king = piece_of(us, KING)
    rook = piece_of(us, ROOK)
    remove_piece(pos, king, king_from)
    remove_piece(pos, rook, rook_from)
    put_piece(pos, king, king_to)
    put_piece(pos, rook, rook_to)
    king_change = PIECE_KEYS[king, king_from] ^ PIECE_KEYS[king, king_to]
    rook_change = PIECE_KEYS[rook, rook_from] ^ PIECE_KEYS[rook, rook_to]
    toggle_part_keys(state, king, king_change)
    toggle_part_keys(state, rook, rook_change)
    note_dirty(state, king, king_from, king_to)
    note_dirty(state, rook, rook_from, rook_to)
    return king_change ^ rook_change


@compiled
def unmake(pos, move):
    """Takes back the move that was made last."""
    state = pos.states[pos.ply]
    us = pos.side ^ 1
    origin = move_from(move)
    target = move_to(move)
    kind = move_kind(move)
    pos.side = us
    pos.ply -= 1
    pos.game_ply -= 1
    if kind == CASTLING:
        side = castling_side(origin, target)
        remove_piece(pos, piece_of(us, KING), castled_king_square(us, side))
        remove_piece(pos, piece_of(us, ROOK), castled_rook_square(us, side))
        put_piece(pos, piece_of(us, KING), origin)
        put_piece(pos, piece_of(us, ROOK), target)
        return
    if kind == PROMOTION:
        remove_piece(pos, piece_of(us, move_promotion(move)), target)
        put_piece(pos, piece_of(us, PAWN), origin)
    else:
        move_piece(pos, pos.board[target], target, origin)
    if state.captured != NO_PIECE:
        put_piece(pos, state.captured, target ^ NORTH if kind == EN_PASSANT else target)


@compiled
def make_null(pos):
    """Passes. Only for a side that is not in check."""
    old = pos.states[pos.ply]
    state = open_next_state(pos)
    state.plies_since_null = 0
    state.key = key_after_null(pos)
    # The board is the same, and now neither side is in check.
    state.checkers = EMPTY
    for colour in range(COLOURS):
        state.blockers[colour] = old.blockers[colour]
        state.pinners[colour] = old.pinners[colour]
    pos.side ^= 1
    pos.ply += 1
    pos.game_ply += 1


@compiled
def unmake_null(pos):
    """Takes back a pass."""
    pos.side ^= 1
    pos.ply -= 1
    pos.game_ply -= 1


@compiled
def forget_unreachable_past(pos):
    """Makes room after a move of the game: positions before an irreversible move cannot return,
    and of a very long reversible past only the near part matters."""
    kept = pos.ply
    if pos.states[pos.ply].fifty_plies == 0:
        kept = 0
    elif pos.ply == GAME_HISTORY_PLIES:
        kept = KEPT_HISTORY_PLIES
    dropped = pos.ply - kept
    if dropped == 0:
        return
    for ply in range(kept + 1):
        pos.states[ply] = pos.states[ply + dropped]
    pos.ply = kept
