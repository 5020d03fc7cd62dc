# SPDX-License-Identifier: GPL-3.0-or-later
"""FEN: bytes to a Setup record.

Castling is read in three spellings: KQkq, Shredder's rook files, and X-FEN's mixture of both.
Missing fields at the end get their defaults. The first error from the left ends the reading, but
for the number of fields and of ranks, which are counted beforehand.
"""

import numpy as np

from kingcobra.core.notation.characters import (
    DASH,
    DECIMAL,
    EIGHT,
    LOWER_B,
    LOWER_W,
    NINE,
    ONE,
    PIECE_OF_BYTE,
    SLASH,
    UPPER_A,
    UPPER_K,
    UPPER_Q,
    UPPER_Z,
    ZERO,
    byte_at,
    capital,
    skip_blanks,
    skip_word,
    square_at,
)
from kingcobra.core.notation.layout import (
    CASTLING_IMPOSSIBLE,
    CASTLING_REPEATED,
    EMPTY_TEXT,
    FEN_IS_FINE,
    MAX_COUNTER,
    MAX_FIELDS,
    MAX_MEN,
    MAX_PAWNS,
    NOT_A_SQUARE,
    OFFSET_SHIFT,
    PAWN_ON_LAST_RANK,
    TOO_MANY_FIELDS,
    TOO_MANY_MEN,
    TOO_MANY_PAWNS,
    WRONG_EN_PASSANT_RANK,
    WRONG_HALFMOVE_CLOCK,
    WRONG_KINGS,
    WRONG_LETTER,
    WRONG_MOVE_NUMBER,
    WRONG_RANK_LENGTH,
    WRONG_RANKS,
    WRONG_SIDE,
)
from kingcobra.core.rules.basics import (
    A8,
    BLACK,
    CASTLINGS,
    COLOUR_SHIFT,
    COLOURS,
    FILES,
    KING,
    KING_SIDE,
    MIRROR_RANKS,
    NO_PIECE,
    NO_SQUARE,
    PAWN,
    QUEEN_SIDE,
    RANKS,
    ROOK,
    SQUARES,
    WHITE,
    castling_right,
    file_of,
    piece_of,
    rank_of,
)
from kingcobra.kernel.compiled import compiled

STANDARD_KING_FILE = 4
# By the side that is castled to.
STANDARD_ROOK_FILES = np.array([7, 0])
# The rank behind a pawn that has just advanced two squares, by the side to move.
EN_PASSANT_RANKS = np.array([5, 2])


@compiled
def error(number, offset):
    """An error and the offset of the byte that it is about, in one integer."""
    return np.int64(number) | np.int64(offset) << OFFSET_SHIFT


@compiled
def count_fields(text, length):
    """How many words the text has."""
    fields = 0
    at = skip_blanks(text, 0, length)
    while at < length:
        fields += 1
        at = skip_blanks(text, skip_word(text, at, length), length)
    return fields


@compiled
def read_fen(setup, text, length, chess960):
    """Fills the record. FEN_IS_FINE, or the error and its offset: the record is then meaningless.
    Whether the side that has just moved is in check is for the caller to find out."""
    fields = count_fields(text, length)
    if fields == 0:
        return error(EMPTY_TEXT, 0)
    if fields > MAX_FIELDS:
        return error(TOO_MANY_FIELDS, 0)
    setup.chess960 = chess960
    setup.side = WHITE
    setup.en_passant = NO_SQUARE
    setup.fifty_plies = 0
    for right in range(CASTLINGS):
        setup.castling_rook[right] = NO_SQUARE

    start = skip_blanks(text, 0, length)
    end = skip_word(text, start, length)
    fault = read_placement(setup, text, start, end)
    full_moves = np.int64(1)
    for field in range(1, fields):
        if fault != FEN_IS_FINE:
            return fault
        start = skip_blanks(text, end, length)
        end = skip_word(text, start, length)
        if field == 1:
            fault = read_side(setup, text, start, end)
        elif field == 2:
            fault = read_castling(setup, text, start, end)
        elif field == 3:
            fault = read_en_passant(setup, text, start, end)
        elif field == 4:
            setup.fifty_plies = read_counter(text, start, end)
            if setup.fifty_plies < 0:
                fault = error(WRONG_HALFMOVE_CLOCK, start)
        else:
            full_moves = read_counter(text, start, end)
            if full_moves < 0:
                fault = error(WRONG_MOVE_NUMBER, start)
    setup.game_ply = 2 * (max(full_moves, np.int64(1)) - 1) + setup.side
    return fault


# --- the men ----------------------------------------------------------------------------------


@compiled
def read_placement(setup, text, start, end):
    """The first field: eight ranks of men, the eighth first."""
    slashes = 0
    for at in range(start, end):
        if byte_at(text, at) == SLASH:
            slashes += 1
    if slashes != RANKS - 1:
        return error(WRONG_RANKS, start)
    for square in range(SQUARES):
        setup.board[square] = NO_PIECE
    square = np.int64(A8)
    rank_end = square + FILES
    rank_start = start
    for at in range(start, end):
        byte = byte_at(text, at)
        piece = np.int64(PIECE_OF_BYTE[byte])
        if piece != NO_PIECE:
            if square < rank_end:
                setup.board[square] = piece
                square += 1
            else:
                # Stays too long, whatever follows.
                square = rank_end + 1
        elif ONE <= byte <= EIGHT:
            square += byte - ZERO
        elif byte != SLASH:
            return error(WRONG_LETTER, at)
        else:
            if square != rank_end:
                return error(WRONG_RANK_LENGTH, rank_start)
            square = rank_end - 2 * FILES
            rank_end = square + FILES
            rank_start = at + 1
    if square != rank_end:
        return error(WRONG_RANK_LENGTH, rank_start)
    return check_men(setup, start)


@compiled
def check_men(setup, start):
    """Whether the men can be played with: one king a side, no more pawns and men than a game begins
    with, no pawns where none can be."""
    for colour in range(COLOURS):
        kings = pawns = men = 0
        for square in range(SQUARES):
            piece = setup.board[square]
            if piece == piece_of(colour, KING):
                kings += 1
            if piece == piece_of(colour, PAWN):
                pawns += 1
            if piece != NO_PIECE and piece >> COLOUR_SHIFT == colour:
                men += 1
        if kings != 1:
            return error(WRONG_KINGS, start)
        if pawns > MAX_PAWNS:
            return error(TOO_MANY_PAWNS, start)
        if men > MAX_MEN:
            return error(TOO_MANY_MEN, start)
    for file in range(FILES):
        if is_pawn(setup.board[file]) or is_pawn(setup.board[A8 + file]):
            return error(PAWN_ON_LAST_RANK, start)
    return np.int64(FEN_IS_FINE)


@compiled
def is_pawn(piece):
    """Whether it is a pawn of either colour."""
    return piece == piece_of(WHITE, PAWN) or piece == piece_of(BLACK, PAWN)


# --- the other fields -------------------------------------------------------------------------


@compiled
def read_side(setup, text, start, end):
    """The second field: w or b."""
    byte = byte_at(text, start)
    if end - start != 1 or (byte != LOWER_W and byte != LOWER_B):
        return error(WRONG_SIDE, start)
    setup.side = WHITE if byte == LOWER_W else BLACK
    return np.int64(FEN_IS_FINE)


@compiled
def read_castling(setup, text, start, end):
    """The third field: a letter for each castling that is still allowed."""
    if end - start == 1 and byte_at(text, start) == DASH:
        return np.int64(FEN_IS_FINE)
    for at in range(start, end):
        byte = byte_at(text, at)
        colour = WHITE if UPPER_A <= byte <= UPPER_Z else BLACK
        king = np.int64(0)
        while setup.board[king] != piece_of(colour, KING):
            king += 1
        rook = castling_rook(setup, capital(byte), colour, king)
        if rook == NO_SQUARE:
            return error(CASTLING_IMPOSSIBLE, at)
        right = castling_right(colour, KING_SIDE if rook > king else QUEEN_SIDE)
        if setup.castling_rook[right] != NO_SQUARE:
            return error(CASTLING_REPEATED, at)
        setup.castling_rook[right] = rook
    return np.int64(FEN_IS_FINE)


@compiled
def castling_rook(setup, letter, colour, king):
    """The rook that a capital letter of the castling field refers to; NO_SQUARE if there is
    none."""
    first = np.int64(colour * MIRROR_RANKS)
    if king < first or king >= first + FILES:
        return np.int64(NO_SQUARE)
    own_rook = piece_of(colour, ROOK)
    rook = np.int64(NO_SQUARE)
    if letter == UPPER_K:
        # The outermost rook on that side of the king, here and below.
        for square in range(king + 1, first + FILES):
            if setup.board[square] == own_rook:
                rook = square
    elif letter == UPPER_Q:
        for square in range(king - 1, first - 1, -1):
            if setup.board[square] == own_rook:
                rook = square
    elif UPPER_A <= letter < UPPER_A + FILES:
        if setup.board[first + letter - UPPER_A] == own_rook:
            rook = first + letter - UPPER_A
    if rook == NO_SQUARE or setup.chess960:
        return rook
    side = KING_SIDE if rook > king else QUEEN_SIDE
    is_standard = file_of(king) == STANDARD_KING_FILE and file_of(rook) == STANDARD_ROOK_FILES[side]
    return rook if is_standard else np.int64(NO_SQUARE)


@compiled
def read_en_passant(setup, text, start, end):
    """The fourth field: the square behind a pawn that has just advanced two squares."""
    if end - start == 1 and byte_at(text, start) == DASH:
        return np.int64(FEN_IS_FINE)
    if end - start != 2:
        return error(NOT_A_SQUARE, start)
    square = square_at(text, start)
    if square < 0:
        return error(NOT_A_SQUARE, start)
    if rank_of(square) != EN_PASSANT_RANKS[setup.side]:
        return error(WRONG_EN_PASSANT_RANK, start)
    setup.en_passant = square
    return np.int64(FEN_IS_FINE)


@compiled
def read_counter(text, start, end):
    """A number up to MAX_COUNTER; negative for anything else."""
    value = np.int64(0)
    for at in range(start, end):
        byte = byte_at(text, at)
        if byte < ZERO or byte > NINE:
            return np.int64(-1)
        # Bounded: a longer number must not overflow before all of it has been read.
        value = min(value * DECIMAL + byte - ZERO, np.int64(MAX_COUNTER + 1))
    return value if value <= MAX_COUNTER else np.int64(-1)
