# SPDX-License-Identifier: GPL-3.0-or-later
"""Colours, pieces, squares and moves: numbers that all modules share.

A square is 0 (a1) to 63 (h8). A piece is its type plus its colour's bit. A move is 16 bits:
origin, destination, promotion piece, kind. Castling is stored as the king taking its own rook.
"""

from kingcobra.kernel.compiled import compiled

WHITE, BLACK = 0, 1
COLOURS = 2

NO_PIECE = 0
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)
PIECE_TYPES = 7
TYPE_MASK = 7
COLOUR_SHIFT = 3
PIECES = 16

SQUARES = 64
NO_SQUARE = 64
A1, C1, D1, F1, G1 = 0, 2, 3, 5, 6
A8 = 56
FILES = RANKS = 8
NORTH = 8
# Flips a square between the first and the last rank; times a colour, its point of view.
MIRROR_RANKS = 56

# Castling rights: one bit each.
KING_SIDE, QUEEN_SIDE = 0, 1
SIDES = 2
CASTLINGS = COLOURS * SIDES
NO_CASTLING = 0
ALL_CASTLINGS = (1 << CASTLINGS) - 1

# Moves.
NO_MOVE = 0
NORMAL, PROMOTION, EN_PASSANT, CASTLING = range(4)
TO_SHIFT, PROMOTION_SHIFT, KIND_SHIFT = 6, 12, 14
SQUARE_MASK, TWO_BITS = 63, 3
MOVE_CODES = 1 << 16

# This many plies without a capture or a pawn move make a draw.
FIFTY_MOVES_PLIES = 100


@compiled
def piece_of(colour, piece_type):
    """The piece of a type and colour."""
    return piece_type | colour << COLOUR_SHIFT


@compiled
def type_of(piece):
    """PAWN to KING; NO_PIECE for an empty square."""
    return piece & TYPE_MASK


@compiled
def colour_of(piece):
    """WHITE or BLACK; meaningless for an empty square."""
    return piece >> COLOUR_SHIFT


@compiled
def plain_move(origin, target):
    """A move of the kind NORMAL."""
    return origin | target << TO_SHIFT


@compiled
def special_move(origin, target, kind):
    """En passant, or castling with `target` the rook's square."""
    return origin | target << TO_SHIFT | kind << KIND_SHIFT


@compiled
def promotion_move(origin, target, piece_type):
    """A pawn reaching its last rank and becoming `piece_type`."""
    return (
        origin
        | target << TO_SHIFT
        | (piece_type - KNIGHT) << PROMOTION_SHIFT
        | PROMOTION << KIND_SHIFT
    )


@compiled
def move_from(move):
    """The square that the piece leaves."""
    return move & SQUARE_MASK


@compiled
def move_to(move):
    """The square that it goes to; for castling, the rook's square."""
    return move >> TO_SHIFT & SQUARE_MASK


@compiled
def move_kind(move):
    """NORMAL, PROMOTION, EN_PASSANT or CASTLING."""
    return move >> KIND_SHIFT


@compiled
def move_promotion(move):
    """The piece type a pawn becomes; meaningless unless the kind is PROMOTION."""
    return (move >> PROMOTION_SHIFT & TWO_BITS) + KNIGHT


@compiled
def file_of(square):
    """0 for the a-file to 7 for the h-file."""
    return square & (FILES - 1)


@compiled
def rank_of(square):
    """0 for the first rank to 7 for the eighth."""
    return square >> 3


@compiled
def castling_right(colour, side):
    """Number of a castling: index of its tables, and of its bit among the rights."""
    return colour * SIDES + side


@compiled
def castled_king_square(colour, side):
    """Where the king stands after castling, wherever it came from."""
    return (G1 if side == KING_SIDE else C1) + colour * MIRROR_RANKS


@compiled
def castled_rook_square(colour, side):
    """Where the rook stands after castling, wherever it came from."""
    return (F1 if side == KING_SIDE else D1) + colour * MIRROR_RANKS
