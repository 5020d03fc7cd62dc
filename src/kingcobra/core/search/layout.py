# SPDX-License-Identifier: GPL-3.0-or-later
"""The records of the search. One SearchWorker holds all that a thread owns."""

import ctypes
from ctypes import c_int16, c_int32, c_int64, c_uint8, c_uint16, c_uint64

from kingcobra.core.evaluation.layout import Scratch
from kingcobra.core.rules.basics import COLOURS, PIECE_TYPES, PIECES, SQUARES
from kingcobra.core.rules.layout import MAX_MOVES, MoveList, Position
from kingcobra.core.search.scores import MAX_PLY
from kingcobra.core.search.tunables import TUNABLES
from kingcobra.core.tables.layout import Prober

# --- the hash table ---------------------------------------------------------------------------

BUCKET_BYTES = 64
ENTRIES = 6
NO_BOUND, UPPER, LOWER, EXACT = range(4)
# The upper bits of a byte; the lower ones hold bound and flag.
AGE_STEP, AGE_CYCLE = 8, 256


class Entry(ctypes.Structure):
    """What the table remembers of a position. `bound_and_age` holds two bits of bound, one for
    "a principal variation passed here", and five of age."""

    _fields_ = (
        ("key", c_uint16),
        ("move", c_uint16),
        ("score", c_int16),
        ("evaluation", c_int16),
        ("depth", c_uint8),
        ("bound_and_age", c_uint8),
    )


class Bucket(ctypes.Structure):
    """One cache line of entries."""

    _fields_ = (("entries", Entry * ENTRIES), ("spare", c_uint8 * 4))


# --- histories --------------------------------------------------------------------------------

PIECE_TO = PIECES * SQUARES
# In its place: of a pass, and of plies before the root.
NO_PIECE_TO = 0
FROM_TO = SQUARES * SQUARES
# Whether the opponent attacks where a move comes from, and where it goes to.
THREAT_STATES = 4
QUIET_PLACES = THREAT_STATES * COLOURS * FROM_TO
PAWN_SHAPES = 512
CORRECTIONS = 8192

# --- one node ---------------------------------------------------------------------------------

# Entries before the root, so looking a few plies back never leaves the stack.
STACK_BEFORE_ROOT = 6
STACK = STACK_BEFORE_ROOT + MAX_PLY + 4
# A node of the singular search shares its ply with another: twice as many pickers as plies.
PICKERS = 2 * MAX_PLY + 8
TRIED_QUIETS = 64
TRIED_NOISY = 32


KILLERS = 2
# Maps of what the opponent attacks: with pawns, also with minor pieces, also with rooks, with all.
BY_PAWNS, BY_MINORS, BY_ROOKS, BY_ALL = range(4)
THREAT_MAPS = 4


class StackEntry(ctypes.Structure):
    """What nodes know of each other, by ply."""

    _fields_ = (
        ("evaluation", c_int32),
        # Piece and target of the move being searched: index of the continuation histories.
        ("piece_to", c_int32),
        ("move", c_uint16),
        ("excluded", c_uint16),
        ("in_check", c_uint8),
        ("was_pv", c_uint8),
        # By nodes of this ply since the node two plies above, or the root move, was entered.
        ("cutoffs", c_int32),
        ("pv_length", c_int32),
        # Of the move being searched: its place in the order, and what is known of it if quiet.
        ("number", c_int32),
        ("history", c_int32),
        # Quiet moves that were best at this ply, the latest first.
        ("killers", c_uint16 * KILLERS),
        # Squares that the opponent attacks, once the first quiet move is looked at.
        ("threats", c_uint64 * THREAT_MAPS),
    )


class Picker(ctypes.Structure):
    """The moves of one node, best first, and those that were tried."""

    _fields_ = (
        ("stage", c_int64),
        ("hash_move", c_int64),
        ("next", c_int64),
        ("bad_end", c_int64),
        ("noisy_end", c_int64),
        ("end", c_int64),
        ("quiets_tried", c_int64),
        ("noisy_tried", c_int64),
        ("skip_quiets", c_int64),
        ("exchange_threshold", c_int64),
        # Whether captures are left out that do not force matters.
        ("only_forcing", c_int64),
        # Of the move handed out last, while moves come sorted.
        ("score", c_int64),
        ("list", MoveList),
        # Scores of the moves, each with its move's index in the lowest bits.
        ("keys", c_int32 * MAX_MOVES),
        ("quiets", c_uint16 * TRIED_QUIETS),
        ("noisy", c_uint16 * TRIED_NOISY),
    )


# How many lines weaker play chooses from.
PICKED_LINES = 4


class RootMove(ctypes.Structure):
    """A move at the root and all that is known of it. The order of the list is the ranking."""

    _fields_ = (
        ("move", c_uint16),
        ("bound", c_uint8),
        ("pv_length", c_int32),
        ("score", c_int32),
        ("previous_score", c_int32),
        ("mean_score", c_int32),
        ("mean_square", c_int64),
        # With its line: the iteration in which it was found, and its score then.
        ("depth", c_int32),
        ("line_score", c_int32),
        ("deepest", c_int32),
        # How many nodes its searches have taken.
        ("effort", c_int64),
        # What refuted the move when it was last refuted, NO_MOVE where nothing did.
        ("reply", c_uint16),
        # By the endgame tables: a move of a lower rank never comes before one of a higher rank.
        ("rank", c_int32),
        ("pv", c_uint16 * (MAX_PLY + 1)),
    )


# --- time -------------------------------------------------------------------------------------

# The score of an iteration is compared with that of four iterations before.
REMEMBERED_SCORES = 5


class Timing(ctypes.Structure):
    """What decides, beside the limits, when a search on the clock ends."""

    _fields_ = (
        # How often the best move has changed lately, in parts of a change.
        ("changes", c_int64),
        # The number of iterations so far, and after which of them the best move was another one.
        ("iterations", c_int64),
        ("settled_since", c_int64),
        ("scores", c_int32 * REMEMBERED_SCORES),
    )


# --- reports ----------------------------------------------------------------------------------

REPORTS = 512
PV_REPORT, CURRENT_MOVE_REPORT, REFUTATION_REPORT = 1, 2, 3


class Report(ctypes.Structure):
    """One report to the user, in numbers; the plain half turns it into text."""

    _fields_ = (
        ("kind", c_int64),
        ("depth", c_int64),
        ("deepest", c_int64),
        ("line", c_int64),
        ("score", c_int64),
        ("bound", c_int64),
        ("nodes", c_int64),
        ("elapsed_ns", c_int64),
        ("pv_length", c_int64),
        ("pv", c_uint16 * (MAX_PLY + 1)),
    )


class ReportedLine(ctypes.Structure):
    """What was last reported of a line."""

    _fields_ = (("move", c_uint16), ("depth", c_int32), ("score", c_int32))


# --- values that the user gave ------------------------------------------------------------------

# A power of two, kept half empty so every lookup ends after a few steps.
GIVEN_SLOTS = 1024
MOST_GIVEN = GIVEN_SLOTS // 2


class GivenValue(ctypes.Structure):
    """The score that the user gave to a position, for its side to move; no entry if the key is
    zero."""

    _fields_ = (("key", c_uint64), ("score", c_int64))


# --- proofs of mate -----------------------------------------------------------------------------

# A power of two.
PROOFS = 1 << 17


class Proof(ctypes.Structure):
    """What is known of mates from a position on: the fewest plies in which there is one, zero when
    none is known, and the most plies in which there is none. The key's lowest bit says whether
    the side to move gives the mate."""

    _fields_ = (
        ("key", c_uint64),
        ("mate_plies", c_uint8),
        ("refuted_plies", c_uint8),
        ("move", c_uint16),
    )


# --- a thread's whole memory ------------------------------------------------------------------

REDUCTIONS = 256
# Reductions are counted in these parts of a ply.
PLY = 1024


class Params(ctypes.Structure):
    """The tunables, in the order of their table."""

    _fields_ = tuple((tunable.name, c_int32) for tunable in TUNABLES)


class Limits(ctypes.Structure):
    """When to stop. Zero means no limit of that kind."""

    _fields_ = (
        ("depth", c_int64),
        ("nodes", c_int64),
        # No iteration begins after so many.
        ("soft_nodes", c_int64),
        ("mate", c_int64),
        ("started_ns", c_int64),
        ("soft_ns", c_int64),
        ("hard_ns", c_int64),
        # Where nodes stand for time: how many make a millisecond.
        ("nodes_per_ms", c_int64),
    )


class SearchWorker(ctypes.Structure):
    """All that a thread owns. It begins like the Evaluated record that evaluations take."""

    _fields_ = (
        ("position", Position),
        ("scratch", Scratch),
        ("network", c_int64),
        # Set by any thread: what the search is asked to do.
        ("stop", c_int64),
        ("pondering", c_int64),
        # Set by the search while it ponders: the time for this move is used up.
        ("ends_at_ponderhit", c_int64),
        # Set by the search itself: whether it is over. A request waits until depth 1 is finished.
        ("stopped", c_int64),
        # What the worker is connected to, and its own address.
        ("address", c_int64),
        ("evaluate", c_int64),
        ("table", c_int64),
        ("buckets", c_uint64),
        ("age", c_int64),
        ("limits", Limits),
        ("params", Params),
        ("reductions", c_int32 * REDUCTIONS),
        ("number", c_int64),
        # The address of the worker with the next number, zero for the last.
        ("next_worker", c_int64),
        # State of the random generator with which weaker play chooses among lines.
        ("random_state", c_uint64),
        # The search under way.
        ("nodes", c_int64),
        ("quiescence_nodes", c_int64),
        # The main worker checks the limits when these bits of its nodes are zero.
        ("clock_mask", c_int64),
        ("deepest", c_int64),
        ("root_depth", c_int64),
        # The width of the root's window.
        ("root_window", c_int64),
        ("completed_depth", c_int64),
        ("null_allowed_from", c_int64),
        ("timing", Timing),
        # The root.
        ("line", c_int64),
        ("lines", c_int64),
        # One past the last root move that the present line is chosen from.
        ("line_end", c_int64),
        ("root_count", c_int64),
        ("root", RootMove * MAX_MOVES),
        ("spare_root", RootMove),
        # The best move as it stood after the last finished iteration, NO_MOVE before the first.
        ("finished_best", RootMove),
        # For weaker play: up to which depth (zero: never) each iteration's best lines are kept, and
        # those of the last.
        ("pick_depth", c_int64),
        ("picked_count", c_int64),
        ("picked", RootMove * PICKED_LINES),
        # Whether refutations are reported.
        ("tells_refutations", c_int64),
        # Values that the user gave.
        ("given_count", c_int64),
        ("given", GivenValue * GIVEN_SLOTS),
        # Proofs of mate: the plies proved so far to hold none, and how many nodes they may take.
        ("refuted_mate_plies", c_int64),
        ("proof_nodes", c_int64),
        ("proof_node_limit", c_int64),
        ("proof_given_up", c_int64),
        ("proof_history", c_int32 * (COLOURS * FROM_TO)),
        ("proofs", Proof * PROOFS),
        # Endgame tables: up to how many men they are probed, zero for never; from which depth on
        # with as many; whether the fifty-move rule counts; and how often they have answered.
        ("table_men", c_int64),
        ("table_depth", c_int64),
        ("table_fifty", c_int64),
        ("table_hits", c_int64),
        ("prober", Prober),
        ("stack", StackEntry * STACK),
        ("pv", (c_uint16 * (MAX_PLY + 2)) * (MAX_PLY + 2)),
        ("pickers", Picker * PICKERS),
        # Reports: `written` and `read` only grow; the slot is the number modulo REPORTS.
        ("reports_written", c_int64),
        ("reports_read", c_int64),
        ("reports", Report * REPORTS),
        ("reported", ReportedLine * MAX_MOVES),
        # What the search has learnt.
        ("quiet_history", c_int16 * QUIET_PLACES),
        ("noisy_history", c_int16 * (PIECE_TO * (PIECE_TYPES + 1))),
        ("pawn_history", c_int16 * (PAWN_SHAPES * PIECE_TO)),
        ("continuation", c_int16 * (PIECE_TO * PIECE_TO)),
        ("pawn_correction", c_int16 * (COLOURS * CORRECTIONS)),
        ("minor_correction", c_int16 * (COLOURS * CORRECTIONS)),
        ("non_pawn_correction", c_int16 * (COLOURS * COLOURS * CORRECTIONS)),
        ("continuation_correction", c_int16 * (PIECE_TO * PIECE_TO)),
        # Of the search before: its side plus one (zero: there was none), the mean of its scores,
        # and how settled its move was.
        ("last_side", c_int64),
        ("last_mean", c_int64),
        ("last_settled", c_int64),
    )
