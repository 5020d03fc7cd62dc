# SPDX-License-Identifier: GPL-3.0-or-later
"""The records of the rules, described once for compiled and plain code alike."""

import ctypes
from ctypes import c_int32, c_int64, c_uint8, c_uint16, c_uint64

from kingcobra.core.rules.basics import ALL_CASTLINGS, CASTLINGS, COLOURS, PIECE_TYPES, SQUARES

# A game's past reaches back to its last irreversible move. Beyond a hundred reversible plies
# every position is a draw by the fifty-move rule, so no more than this is ever looked at.
GAME_HISTORY_PLIES = 256
# How many of them stay when a game of nothing but reversible moves fills that history.
KEPT_HISTORY_PLIES = 128
# Plies that a search, or a perft, may go beyond the game.
SEARCH_PLIES = 256
STATES = GAME_HISTORY_PLIES + SEARCH_PLIES + 1

# Fifteen queens with 27 squares each and a king with 8 make 413 moves: no position has more.
MAX_MOVES = 416
MAX_DIRTY_PIECES = 3
MAX_PERFT_DEPTH = 64

# Which moves to generate.
ALL, EVASIONS, NOISY, QUIET = range(4)
# What a move does to the opponent's king.
NOTHING, CHECK, CHECKMATE = range(3)


class State(ctypes.Structure):
    """What a move changes and its undoing brings back, one for each ply."""

    _fields_ = (
        # Hash keys: of the whole position, and of parts of it for the search's histories.
        ("key", c_uint64),
        ("pawn_key", c_uint64),
        ("minor_key", c_uint64),
        ("non_pawn_key", c_uint64 * COLOURS),
        # Pieces that give check to the side to move.
        ("checkers", c_uint64),
        # For each king: pieces of either colour that alone stand between it and a slider.
        ("blockers", c_uint64 * COLOURS),
        # Sliders of each colour that pin an enemy piece to its king.
        ("pinners", c_uint64 * COLOURS),
        ("fifty_plies", c_int32),
        ("plies_since_null", c_int32),
        ("castling_rights", c_uint8),
        ("en_passant", c_uint8),
        ("captured", c_uint8),
        # What the last move did to the pieces, for incremental evaluation: each came from a
        # square and went to a square, NO_SQUARE standing for "off the board".
        ("dirty_count", c_uint8),
        ("dirty_piece", c_uint8 * MAX_DIRTY_PIECES),
        ("dirty_from", c_uint8 * MAX_DIRTY_PIECES),
        ("dirty_to", c_uint8 * MAX_DIRTY_PIECES),
    )


class Position(ctypes.Structure):
    """A position with its past. `states[ply]` is the present one."""

    _fields_ = (
        # By piece type; the slot of NO_PIECE holds all occupied squares.
        ("by_type", c_uint64 * PIECE_TYPES),
        ("by_colour", c_uint64 * COLOURS),
        ("board", c_uint8 * SQUARES),
        ("side", c_int64),
        # Index of the present state, and plies since the game's first move.
        ("ply", c_int64),
        ("game_ply", c_int64),
        ("chess960", c_int64),
        # For each castling: the rook's square, squares that must be empty, and squares that
        # must not be attacked. For each square: the rights that remain when it is touched.
        ("castling_rook", c_uint8 * CASTLINGS),
        ("castling_empty", c_uint64 * CASTLINGS),
        ("castling_safe", c_uint64 * CASTLINGS),
        ("rights_kept", c_uint8 * SQUARES),
        # For each set of rights: its part of the key, made of the rooks' squares.
        ("castling_keys", c_uint64 * (ALL_CASTLINGS + 1)),
        ("states", State * STATES),
    )


class Setup(ctypes.Structure):
    """A position as text describes it: what FEN says, in numbers."""

    _fields_ = (
        ("board", c_uint8 * SQUARES),
        ("side", c_int64),
        # The rook of each castling still allowed, NO_SQUARE where it is not.
        ("castling_rook", c_uint8 * CASTLINGS),
        ("en_passant", c_int64),
        ("fifty_plies", c_int64),
        ("game_ply", c_int64),
        ("chess960", c_int64),
    )


class MoveList(ctypes.Structure):
    """The moves of one position. Generators append from `count` on."""

    _fields_ = (
        ("count", c_int64),
        ("moves", c_uint16 * MAX_MOVES),
    )


class PerftRun(ctypes.Structure):
    """All that a perft owns. Any thread may set `stop`; the counts are then meaningless."""

    _fields_ = (
        ("position", Position),
        ("lists", MoveList * (MAX_PERFT_DEPTH + 1)),
        ("stop", c_int64),
    )
