# SPDX-License-Identifier: GPL-3.0-or-later
"""How games begin: home ranks, positions of a book, random plies."""

import ctypes

import numpy as np

from kingcobra.core.rules.basics import (
    A1,
    A8,
    BISHOP,
    BLACK,
    CASTLING,
    CASTLINGS,
    EN_PASSANT,
    FILES,
    KING,
    KING_SIDE,
    KNIGHT,
    NO_PIECE,
    NO_SQUARE,
    NORTH,
    PAWN,
    QUEEN,
    QUEEN_SIDE,
    ROOK,
    SQUARES,
    WHITE,
    castling_right,
    move_kind,
    move_to,
    piece_of,
)
from kingcobra.core.rules.draws import is_insufficient_material
from kingcobra.core.rules.exchange import exchange_reaches
from kingcobra.core.rules.layout import Setup
from kingcobra.core.rules.movegen import generate_all
from kingcobra.core.rules.position import forget_unreachable_past, make
from kingcobra.core.rules.setup import set_up
from kingcobra.core.selfplay.chance import happens, random_below
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.records import record_at

setup_at = record_at(Setup)
SETUP_BYTES = ctypes.sizeof(Setup)

# Chess960's numbering: home ranks, that of chess, and its parts.
HOME_RANKS = 960
STANDARD_RANK = 518
BISHOP_PLACES = 4
QUEEN_PLACES = 6
# Where two knights stand among five free squares.
KNIGHT_PAIRS = np.array(
    [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]], np.int64
)


@compiled
def free_square(setup, first, number):
    """The free square with that number, from 0, of a rank that begins at `first`."""
    for square in range(first, first + FILES):
        if setup.board[square] == NO_PIECE:
            if number == 0:
                return square
            number -= 1
    return NO_SQUARE


@compiled
def place(setup, colour, piece_type, number):
    """Puts a piece on the free home square with that number; returns the square."""
    square = free_square(setup, np.int64(A8 if colour == BLACK else A1), number)
    setup.board[square] = piece_of(colour, piece_type)
    return square


@compiled
def fill_home_rank(setup, colour, number):
    """Places a side's men as Chess960's number says."""
    first = np.int64(A8 if colour == BLACK else A1)
    ahead = -NORTH if colour == BLACK else NORTH
    for square in range(first, first + FILES):
        setup.board[square + ahead] = piece_of(colour, PAWN)
    bishop = piece_of(colour, BISHOP)
    setup.board[first + 2 * (number % BISHOP_PLACES) + 1] = bishop
    number //= BISHOP_PLACES
    setup.board[first + 2 * (number % BISHOP_PLACES)] = bishop
    number //= BISHOP_PLACES
    place(setup, colour, QUEEN, number % QUEEN_PLACES)
    number //= QUEEN_PLACES
    # The second knight's number counts the square that the first one has just taken.
    place(setup, colour, KNIGHT, KNIGHT_PAIRS[number, 0])
    place(setup, colour, KNIGHT, KNIGHT_PAIRS[number, 1] - 1)
    leftmost = np.int64(0)
    setup.castling_rook[castling_right(colour, QUEEN_SIDE)] = place(setup, colour, ROOK, leftmost)
    place(setup, colour, KING, leftmost)
    setup.castling_rook[castling_right(colour, KING_SIDE)] = place(setup, colour, ROOK, leftmost)


@compiled
def describe_start(setup, white_number, black_number):
    """The start position with these home ranks."""
    for square in range(SQUARES):
        setup.board[square] = NO_PIECE
    for right in range(CASTLINGS):
        setup.castling_rook[right] = NO_SQUARE
    fill_home_rank(setup, WHITE, white_number)
    fill_home_rank(setup, BLACK, black_number)
    setup.side = WHITE
    setup.en_passant = NO_SQUARE
    setup.fifty_plies = 0
    setup.game_ply = 0
    setup.chess960 = white_number != STANDARD_RANK or black_number != STANDARD_RANK


@compiled
def is_losing_capture(pos, move):
    """Whether a legal move takes something and loses more."""
    kind = move_kind(move)
    takes = kind == EN_PASSANT or (kind != CASTLING and pos.board[move_to(move)] != NO_PIECE)
    return takes and not exchange_reaches(pos, move, np.int64(0))


@compiled
def random_move(player, pos):
    """One of the legal moves, which are in the player's list, losing captures left out as long as
    there is anything else."""
    moves = player.list
    kept = 0
    for index in range(moves.count):
        move = np.int64(moves.moves[index])
        if not is_losing_capture(pos, move):
            moves.moves[index] = moves.moves[kept]
            moves.moves[kept] = move
            kept += 1
    choices = kept if kept else np.int64(moves.count)
    return np.int64(moves.moves[random_below(player, choices)])


@compiled
def play_random_plies(player, pos, plies):
    """Plays random moves; False when the game is over before or after them."""
    for _ in range(plies):
        if generate_all(pos, player.list) == 0:
            return False
        make(pos, random_move(player, pos))
        forget_unreachable_past(pos)
    return generate_all(pos, player.list) > 0 and not is_insufficient_material(pos)


@compiled
def try_opening(player, pos):
    """Sets up a start position and plays the random plies; False when that leads nowhere."""
    rules = player.rules
    if rules.book_count and happens(player, rules.book_share):
        chosen = rules.book + random_below(player, rules.book_count) * SETUP_BYTES
        plies = random_below(player, rules.most_book_plies + 1)
        return set_up(pos, setup_at(chosen)) and play_random_plies(player, pos, plies)
    white = np.int64(STANDARD_RANK)
    black = np.int64(STANDARD_RANK)
    if happens(player, rules.chess960_share):
        white = random_below(player, np.int64(HOME_RANKS))
        black = random_below(player, np.int64(HOME_RANKS))
    describe_start(player.setup, white, black)
    span = rules.most_random_plies - rules.least_random_plies + 1
    plies = rules.least_random_plies + random_below(player, span)
    return set_up(pos, player.setup) and play_random_plies(player, pos, plies)
