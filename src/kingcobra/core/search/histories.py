# SPDX-License-Identifier: GPL-3.0-or-later
"""What the search learns as it goes: which moves were good, and how far the evaluation errs.

Every value lies between plus and minus a limit. An update pulls it towards one end, and the further
away it is the stronger the pull, so old lessons fade.
"""

import numpy as np

from kingcobra.core.rules.basics import (
    CASTLING,
    COLOURS,
    EN_PASSANT,
    NO_MOVE,
    NO_PIECE,
    NORMAL,
    PAWN,
    PIECE_TYPES,
    move_from,
    move_kind,
    move_to,
    type_of,
)
from kingcobra.core.rules.bitboards import EMPTY
from kingcobra.core.rules.position import present
from kingcobra.core.search.flags import FIRST_PLY
from kingcobra.core.search.layout import (
    BY_ALL,
    CORRECTIONS,
    FROM_TO,
    NO_PIECE_TO,
    PAWN_SHAPES,
    PIECE_TO,
    QUIET_PLACES,
    SQUARES,
    STACK_BEFORE_ROOT,
    SearchWorker,
)
from kingcobra.core.search.scores import EVALUATION_LIMIT
from kingcobra.core.search.threats import note_threats
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import bit, prefetch

HISTORY_LIMIT = 16_384
# By pawn structure old lessons fade sooner, and count twice.
PAWN_HISTORY_LIMIT = 8192
PAWN_HISTORY_WEIGHT = 2
CORRECTION_LIMIT = 1024
PERCENT = 100
# The most that one lesson may change.
CORRECTION_STEP = CORRECTION_LIMIT // 4
CORRECTION_SCALE = 2048
# At this depth a lesson counts with its whole error.
CORRECTION_DEPTHS = 4
# The first moves of a node: the hash move, or the best guess.
EARLY_MOVES = 2
FROM_TO_MASK = FROM_TO - 1
VICTIMS = PIECE_TYPES + 1
# The damping of evaluations: linear in reversible plies, down to a half at the fifty-move draw.
FIFTY_SCALE = 200

CORRECTION_BYTES = 2
PAWN_OFFSET = SearchWorker.pawn_correction.offset
MINOR_OFFSET = SearchWorker.minor_correction.offset
NON_PAWN_OFFSET = SearchWorker.non_pawn_correction.offset
CONTINUATION_OFFSET = SearchWorker.continuation_correction.offset

_PAWN_MASK = np.uint64(PAWN_SHAPES - 1)
_CORRECTION_MASK = np.uint64(CORRECTIONS - 1)


@compiled
def aged(value, bonus, limit):
    """The value after one more lesson."""
    bonus = max(-limit, min(limit, bonus))
    return value + bonus - value * abs(bonus) // limit


# --- where things lie -------------------------------------------------------------------------


@compiled
def is_noisy(pos, move):
    """Whether a legal move captures or promotes."""
    kind = move_kind(move)
    if kind == CASTLING:
        return False
    return kind != NORMAL or pos.board[move_to(move)] != NO_PIECE


@compiled
def victim_type(pos, move):
    """The type of the captured piece; NO_PIECE when a promotion captures nothing."""
    if move_kind(move) == EN_PASSANT:
        return np.int64(PAWN)
    return np.int64(type_of(pos.board[move_to(move)]))


@compiled
def piece_to_index(pos, move):
    """The moving piece and its target as one number."""
    return np.int64(pos.board[move_from(move)]) * SQUARES + move_to(move)


@compiled
def quiet_index(us, move):
    """Place of a side's move among all origins and targets."""
    return us * FROM_TO + (move & FROM_TO_MASK)


@compiled
def threat_index(attacked, move):
    """Where the quiet history begins for moves that leave or enter attacked squares as this one
    does."""
    leaves = np.int64(attacked & bit(move_from(move)) != EMPTY)
    enters = np.int64(attacked & bit(move_to(move)) != EMPTY)
    return (2 * leaves + enters) * (COLOURS * FROM_TO)


@compiled
def noisy_index(pos, move):
    """Place of a move in the history of captures and promotions."""
    return piece_to_index(pos, move) * VICTIMS + victim_type(pos, move)


@compiled
def pawn_index(pos, piece_to):
    """Place of a move in the history by pawn structure."""
    return np.int64(present(pos).pawn_key & _PAWN_MASK) * PIECE_TO + piece_to


@compiled
def continuation_index(worker, ply, back, piece_to):
    """Place of a move in the history of answers to the move `back` plies ago."""
    return worker.stack[STACK_BEFORE_ROOT + ply - back].piece_to * PIECE_TO + piece_to


# --- asking -----------------------------------------------------------------------------------


@compiled
def quiet_rows(worker, ply):
    """What the histories of a node's quiet moves share: the squares that the opponent attacks,
    noted before, and where they begin by side, by pawns, and after the moves one, two and four
    plies ago."""
    pos = worker.position
    return (
        np.uint64(worker.stack[STACK_BEFORE_ROOT + ply].threats[BY_ALL]),
        quiet_index(pos.side, 0),
        pawn_index(pos, 0),
        continuation_index(worker, ply, 1, 0),
        continuation_index(worker, ply, 2, 0),
        continuation_index(worker, ply, 4, 0),
    )


@compiled
def quiet_score_in(worker, rows, move, piece_to):
    """All that is known of a quiet move; `rows` are the node's."""
    attacked, by_side, by_pawns, after_one, after_two, after_four = rows
    return (
        np.int64(
            worker.quiet_history[threat_index(attacked, move) + by_side + quiet_index(0, move)]
        )
        + PAWN_HISTORY_WEIGHT * np.int64(worker.pawn_history[by_pawns + piece_to])
        + worker.continuation[after_one + piece_to]
        + worker.continuation[after_two + piece_to]
        + worker.continuation[after_four + piece_to] // 2
    )


@compiled
def quiet_score(worker, ply, move):
    """As quiet_score_in, for one move alone. The node's threats must have been noted."""
    piece_to = piece_to_index(worker.position, move)
    return quiet_score_in(worker, quiet_rows(worker, ply), move, piece_to)


# --- learning ---------------------------------------------------------------------------------


@compiled
def learn_continuations(worker, ply, piece_to, bonus):
    """Teaches the histories of the moves before; nothing answers a pass, or what came before the
    root."""
    in_check = worker.stack[STACK_BEFORE_ROOT + ply].in_check
    for back in (1, 2, 4):
        if in_check and back > 2:
            break
        if worker.stack[STACK_BEFORE_ROOT + ply - back].piece_to == NO_PIECE_TO:
            continue
        index = continuation_index(worker, ply, back, piece_to)
        value = np.int64(worker.continuation[index])
        worker.continuation[index] = aged(value, bonus, HISTORY_LIMIT)


@compiled
def learn_quiet(worker, ply, move, bonus):
    """Teaches all histories of a quiet move. The node's threats must have been noted."""
    pos = worker.position
    piece_to = piece_to_index(pos, move)
    attacked = np.uint64(worker.stack[STACK_BEFORE_ROOT + ply].threats[BY_ALL])
    index = threat_index(attacked, move) + quiet_index(pos.side, move)
    worker.quiet_history[index] = aged(np.int64(worker.quiet_history[index]), bonus, HISTORY_LIMIT)
    index = pawn_index(pos, piece_to)
    worker.pawn_history[index] = aged(
        np.int64(worker.pawn_history[index]), bonus, PAWN_HISTORY_LIMIT
    )
    learn_continuations(worker, ply, piece_to, bonus)


@compiled
def learn_noisy(worker, move, bonus):
    """Teaches the history of captures and promotions."""
    index = noisy_index(worker.position, move)
    worker.noisy_history[index] = aged(np.int64(worker.noisy_history[index]), bonus, HISTORY_LIMIT)


@compiled
def bonus_at(params, depth):
    """What a move gains that was good at this depth."""
    return min(params.bonus_slope * depth - params.bonus_offset, params.bonus_limit)


@compiled
def malus_at(params, depth, quiets_tried):
    """What a move loses that was tried in vain at this depth. The more were, the less each says."""
    malus = min(params.malus_slope * depth - params.malus_offset, params.malus_limit)
    return max(malus - params.malus_tried * quiets_tried, np.int64(0))


@compiled
def learn_cutoff(worker, picker, ply, best_move, depth):
    """Rewards the best move; punishes the captures tried before it and, if it is quiet, the quiet
    moves."""
    bonus = bonus_at(worker.params, depth)
    malus = malus_at(worker.params, depth, np.int64(picker.quiets_tried))
    if is_noisy(worker.position, best_move):
        learn_noisy(worker, best_move, bonus)
    else:
        learn_quiet(worker, ply, best_move, bonus)
        for index in range(picker.quiets_tried):
            learn_quiet(worker, ply, np.int64(picker.quiets[index]), -malus)
    for index in range(picker.noisy_tried):
        learn_noisy(worker, np.int64(picker.noisy[index]), -malus)


@compiled
def learn_hash_cut(worker, ply, hash_move, depth):
    """The hash table cut a node: its move was right, and the quiet move that led here was not, if
    it came early."""
    pos = worker.position
    if hash_move != NO_MOVE and not is_noisy(pos, hash_move):
        note_threats(pos, worker.stack[STACK_BEFORE_ROOT + ply].threats)
        learn_quiet(worker, ply, hash_move, bonus_at(worker.params, depth))
    before = worker.stack[STACK_BEFORE_ROOT + ply - 1]
    if (
        ply > FIRST_PLY
        and before.move != NO_MOVE
        and before.number <= EARLY_MOVES
        and present(pos).captured == NO_PIECE
    ):
        malus = bonus_at(worker.params, depth + 1)
        learn_continuations(worker, ply - 1, np.int64(before.piece_to), -malus)


@compiled
def forget_siblings(entry):
    """Nothing is known yet from nodes of this ply: no killer moves, no cutoffs."""
    entry.killers[0] = NO_MOVE
    entry.killers[1] = NO_MOVE
    entry.cutoffs = 0


@compiled
def note_killer(entry, move):
    """A quiet move was best at a ply: siblings of this node will try it early."""
    if move != entry.killers[0]:
        entry.killers[1] = entry.killers[0]
        entry.killers[0] = move


@compiled
def fade_history(worker):
    """A search begins: what earlier ones have learnt of quiet moves by origin and target counts
    less from now on."""
    for index in range(QUIET_PLACES):
        value = np.int64(worker.quiet_history[index])
        worker.quiet_history[index] = value * worker.params.history_kept // PERCENT


# --- correcting the evaluation ----------------------------------------------------------------


@compiled
def correction_index(us, key):
    """Place of a key in a correction table of the side to move."""
    return us * CORRECTIONS + np.int64(key & _CORRECTION_MASK)


@compiled
def continuation_correction_index(worker, ply):
    """Place of the last two moves in their correction table."""
    before = worker.stack[STACK_BEFORE_ROOT + ply - 2].piece_to
    return before * PIECE_TO + worker.stack[STACK_BEFORE_ROOT + ply - 1].piece_to


@compiled
def prefetch_corrections(worker, ply):
    """Starts fetching what `corrected` will look up in the present position, at that ply."""
    pos = worker.position
    state = present(pos)
    first = worker.address + pos.side * CORRECTIONS * CORRECTION_BYTES
    prefetch(first + PAWN_OFFSET + np.int64(state.pawn_key & _CORRECTION_MASK) * CORRECTION_BYTES)
    prefetch(first + MINOR_OFFSET + np.int64(state.minor_key & _CORRECTION_MASK) * CORRECTION_BYTES)
    for colour in range(COLOURS):
        place = correction_index(COLOURS * colour, state.non_pawn_key[colour])
        prefetch(first + NON_PAWN_OFFSET + place * CORRECTION_BYTES)
    place = continuation_correction_index(worker, ply)
    prefetch(worker.address + CONTINUATION_OFFSET + place * CORRECTION_BYTES)


@compiled
def corrected(worker, raw, ply):
    """The evaluation as experience with similar positions corrects it, and damped as the
    fifty-move draw comes near."""
    pos = worker.position
    state = present(pos)
    params = worker.params
    us = pos.side
    non_pawn = np.int64(worker.non_pawn_correction[correction_index(us, state.non_pawn_key[0])])
    non_pawn += worker.non_pawn_correction[correction_index(us + COLOURS, state.non_pawn_key[1])]
    correction = (
        params.correct_pawn * np.int64(worker.pawn_correction[correction_index(us, state.pawn_key)])
        + params.correct_minor
        * np.int64(worker.minor_correction[correction_index(us, state.minor_key)])
        + params.correct_non_pawn * non_pawn
        + params.correct_continuation
        * np.int64(worker.continuation_correction[continuation_correction_index(worker, ply)])
    )
    damped = raw * (FIFTY_SCALE - state.fifty_plies) // FIFTY_SCALE
    value = damped + correction // CORRECTION_SCALE
    return max(-EVALUATION_LIMIT, min(EVALUATION_LIMIT, value))


@compiled
def learn_correction(worker, ply, error, depth):
    """The search found the evaluation wrong by `error`."""
    pos = worker.position
    state = present(pos)
    us = pos.side
    bonus = error * depth // CORRECTION_DEPTHS
    bonus = max(-CORRECTION_STEP, min(CORRECTION_STEP, bonus))
    index = correction_index(us, state.pawn_key)
    worker.pawn_correction[index] = aged(
        np.int64(worker.pawn_correction[index]), bonus, CORRECTION_LIMIT
    )
    index = correction_index(us, state.minor_key)
    worker.minor_correction[index] = aged(
        np.int64(worker.minor_correction[index]), bonus, CORRECTION_LIMIT
    )
    for colour in range(COLOURS):
        index = correction_index(us + COLOURS * colour, state.non_pawn_key[colour])
        worker.non_pawn_correction[index] = aged(
            np.int64(worker.non_pawn_correction[index]), bonus, CORRECTION_LIMIT
        )
    index = continuation_correction_index(worker, ply)
    worker.continuation_correction[index] = aged(
        np.int64(worker.continuation_correction[index]), bonus, CORRECTION_LIMIT
    )
