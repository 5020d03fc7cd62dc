# SPDX-License-Identifier: GPL-3.0-or-later
"""The records of self-play, and the bytes that it writes.

A harvested position is 32 bytes, four words: the occupied squares, four bits for each man on them
in two words, then score, flags, fifty plies and game ply. A game is its start position in that
form, a word with what castling and en passant need, and four bytes a ply: move and score.
"""

import ctypes
from ctypes import c_int64, c_uint64

from kingcobra.core.rules.layout import MoveList, Setup
from kingcobra.core.search.layout import SearchWorker

WORD_BYTES = 8
POSITION_BYTES = 32
GAME_HEADER_BYTES = POSITION_BYTES + WORD_BYTES
PLY_BYTES = 4
# More men than a packed position has room for.
MAX_MEN = 32

# The mover's result in a packed position, or White's.
LOSS, DRAWN, WIN, UNKNOWN = range(4)

# Why `play_on` returned.
STOPPED, GAME_OVER, BUFFER_FULL = range(3)

PERMILLE = 1000


class GameRules(ctypes.Structure):
    """How games begin, are played and end. Scores are in internal units, shares in thousandths."""

    _fields_ = (
        ("seed", c_uint64),
        # Whether two games in a row have the same opening, with colours reversed.
        ("paired", c_int64),
        # A search ends after the iteration that reaches so many nodes, or at the hard limit.
        ("soft_nodes", c_int64),
        ("hard_nodes", c_int64),
        # Openings: an array of Setup records, how many games begin there, how many with two
        # shuffled home ranks, and how many random plies follow.
        ("book", c_int64),
        ("book_count", c_int64),
        ("book_share", c_int64),
        ("chess960_share", c_int64),
        ("least_random_plies", c_int64),
        ("most_random_plies", c_int64),
        ("most_book_plies", c_int64),
        ("random_move_share", c_int64),
        # A game whose first score is beyond this gets another opening.
        ("lopsided_score", c_int64),
        # A game is won when so many scores in a row are so high for one side, drawn when so many
        # in a row are so near to zero from some ply on, and when it has lasted too long.
        ("win_score", c_int64),
        ("win_plies", c_int64),
        ("draw_score", c_int64),
        ("draw_plies", c_int64),
        ("draw_from_ply", c_int64),
        ("most_plies", c_int64),
    )


class Harvest(ctypes.Structure):
    """Which positions are kept. Shares are in thousandths."""

    _fields_ = (
        # The evaluation that is asked; the search itself calls the one that harvests.
        ("evaluate", c_int64),
        # Who labels, and what it is called with; zero where the evaluation itself labels. The
        # record of the labelling network, zero for the classical evaluation.
        ("label", c_int64),
        ("label_argument", c_int64),
        ("label_network", c_int64),
        # One evaluated position in so many, on average, is looked at.
        ("one_in", c_int64),
        ("wait", c_int64),
        # How many of the positions with a capture or promotion that wins material are kept.
        ("noisy_share", c_int64),
        # How many of the positions on the board are looked at, besides those of the tree.
        ("game_share", c_int64),
        # Labels beyond this are not kept.
        ("max_raw", c_int64),
        # What a pawn of the classical evaluation is worth in a label.
        ("raw_per_pawn", c_int64),
    )


class Player(ctypes.Structure):
    """All that one thread of self-play owns. It begins with the worker that searches, so an
    evaluation that is called with the worker's address can find the rest."""

    _fields_ = (
        ("worker", SearchWorker),
        # Set by any thread.
        ("stop", c_int64),
        # The search's entry point.
        ("think", c_int64),
        # Another worker for one of the colours, zero where one plays both.
        ("opponent", c_int64),
        ("opponent_colour", c_int64),
        ("rules", GameRules),
        ("harvest", Harvest),
        ("list", MoveList),
        ("setup", Setup),
        # Where the output goes, in bytes.
        ("buffer", c_int64),
        ("room", c_int64),
        ("count", c_int64),
        ("writes_games", c_int64),
        # The game in progress. Streaks count scores in a row; White's wins are positive.
        ("game_number", c_int64),
        # How many games to play, with numbers one after another, and how many of them are over.
        ("games_wanted", c_int64),
        ("games_over", c_int64),
        # How often its opening was given up.
        ("retries", c_int64),
        ("random_state", c_uint64),
        ("playing", c_int64),
        ("plies", c_int64),
        ("win_streak", c_int64),
        ("draw_streak", c_int64),
        ("start_side", c_int64),
        # Where the game's output begins.
        ("game_start", c_int64),
        # White's result of the last game.
        ("white_result", c_int64),
        # Totals.
        ("searches", c_int64),
        ("nodes", c_int64),
    )
