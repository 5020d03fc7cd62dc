# SPDX-License-Identifier: GPL-3.0-or-later
"""Staged move picking: the most promising moves first, and none generated before it is needed."""

import numpy as np

from kingcobra.core.rules.attacks import KNIGHT_ATTACKS, bishop_attacks, rook_attacks
from kingcobra.core.rules.basics import (
    BISHOP,
    KNIGHT,
    NO_MOVE,
    PROMOTION,
    QUEEN,
    ROOK,
    SQUARES,
    move_from,
    move_kind,
    move_promotion,
    move_to,
    type_of,
)
from kingcobra.core.rules.bitboards import EMPTY
from kingcobra.core.rules.checks import gives_check
from kingcobra.core.rules.exchange import EXCHANGE_VALUES, exchange_reaches
from kingcobra.core.rules.movegen import (
    generate_evasions,
    generate_noisy,
    generate_quiet_beside,
)
from kingcobra.core.rules.position import king_square, occupied, present
from kingcobra.core.search.histories import (
    is_noisy,
    noisy_index,
    piece_to_index,
    quiet_rows,
    quiet_score_in,
    victim_type,
)
from kingcobra.core.search.layout import (
    BY_ALL,
    STACK_BEFORE_ROOT,
    TRIED_NOISY,
    TRIED_QUIETS,
)
from kingcobra.core.search.threats import note_threats, threat_score
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import bit

(
    MAIN_HASH,
    MAIN_NOISY,
    GOOD_NOISY,
    MAIN_QUIETS,
    QUIETS,
    BAD_NOISY,
    EVASION_HASH,
    EVASIONS,
    EVASIONS_LEFT,
    NOISY_HASH,
    NOISY_ONLY,
    NOISY_LEFT,
    DONE,
) = range(13)

# What a victim counts beside the history of its capture.
VICTIM_WEIGHT = 16
# In units of exchanges; moves with so much less come last.
MORE_THAN_ANY_GAIN = 3000
# Evasions that capture come before all that do not.
NOISY_EVASION = 1 << 20
# A capture is tried early unless its exchange loses more than its score by this: about half of what
# it takes, more or less by its history.
EXCUSED_DIVISOR = 2 * VICTIM_WEIGHT
# Room for a move's index below its score: a power of two above MAX_MOVES.
INDEX_ROOM = 512


@compiled
def begin_main(worker, picker, hash_move):
    """All moves of a node. The hash move must be legal, or NO_MOVE."""
    in_check = present(worker.position).checkers != 0
    picker.stage = EVASION_HASH if in_check else MAIN_HASH
    picker.hash_move = hash_move
    picker.skip_quiets = 0
    picker.quiets_tried = 0
    picker.noisy_tried = 0


@compiled
def begin_noisy(picker, hash_move, exchange_threshold):
    """The hash move as it is, then captures and promotions whose exchange reaches a threshold."""
    picker.stage = NOISY_HASH
    picker.hash_move = hash_move
    picker.exchange_threshold = exchange_threshold
    picker.only_forcing = 0


@compiled
def is_underpromotion(move):
    """Whether a move promotes to a rook or a bishop, which is hardly ever better than a queen."""
    if move_kind(move) != PROMOTION:
        return False
    piece_type = move_promotion(move)
    return piece_type == ROOK or piece_type == BISHOP


@compiled
def is_forcing(worker, move, ply):
    """Whether a noisy move promotes, takes what has moved last, or gives check."""
    before = np.int64(worker.stack[STACK_BEFORE_ROOT + ply - 1].move)
    return (
        move_kind(move) == PROMOTION
        or (before != NO_MOVE and move_to(move) == move_to(before))
        or gives_check(worker.position, move)
    )


@compiled
def material_gain(pos, move):
    """What a capture or promotion wins if nothing is taken back, in units of exchanges; the pawn
    that promotes is not counted."""
    gain = EXCHANGE_VALUES[victim_type(pos, move)]
    if move_kind(move) == PROMOTION:
        gain += EXCHANGE_VALUES[move_promotion(move)]
    return gain


@compiled
def noisy_score(worker, move):
    """How promising a capture or promotion looks."""
    pos = worker.position
    gain = material_gain(pos, move)
    if is_underpromotion(move):
        gain -= MORE_THAN_ANY_GAIN
    return gain * VICTIM_WEIGHT + worker.noisy_history[noisy_index(pos, move)]


@compiled
def score_noisy(worker, picker):
    """Scores the noisy moves at the front of the list."""
    for index in range(picker.noisy_end):
        score = noisy_score(worker, np.int64(picker.list.moves[index]))
        picker.keys[index] = keyed(score, index)


@compiled
def score_quiets(worker, picker, ply):
    """Scores the quiet moves, which lie behind the noisy ones: by their histories, by threats, and
    with a bonus for check and for killers. The threats must have been noted. What all moves share
    is looked up once: the compiler cannot know that it does not change."""
    pos = worker.position
    params = worker.params
    king = king_square(pos, pos.side ^ 1)
    diagonal = bishop_attacks(king, occupied(pos))
    straight = rook_attacks(king, occupied(pos))
    here = worker.stack[STACK_BEFORE_ROOT + ply]
    rows = quiet_rows(worker, ply)
    for index in range(picker.noisy_end, picker.end):
        move = np.int64(picker.list.moves[index])
        piece = np.int64(pos.board[move_from(move)])
        score = quiet_score_in(worker, rows, move, piece * SQUARES + move_to(move))
        piece_type = type_of(piece)
        score += threat_score(here.threats, piece_type, move_from(move), move_to(move))
        checks = EMPTY
        if piece_type == KNIGHT:
            checks = KNIGHT_ATTACKS[king]
        elif piece_type == BISHOP:
            checks = diagonal
        elif piece_type == ROOK:
            checks = straight
        elif piece_type == QUEEN:
            checks = diagonal | straight
        if checks & bit(move_to(move)):
            score += params.check_bonus
        if move == here.killers[0]:
            score += params.killer_bonus
        elif move == here.killers[1]:
            score += params.second_killer_bonus
        picker.keys[index] = keyed(score, index)


@compiled
def score_evasions(worker, picker, ply):
    """Scores the evasions: captures first."""
    pos = worker.position
    note_threats(pos, worker.stack[STACK_BEFORE_ROOT + ply].threats)
    rows = quiet_rows(worker, ply)
    for index in range(picker.end):
        move = np.int64(picker.list.moves[index])
        if is_noisy(pos, move):
            score = NOISY_EVASION + noisy_score(worker, move)
        else:
            score = quiet_score_in(worker, rows, move, piece_to_index(pos, move))
        picker.keys[index] = keyed(score, index)


@compiled
def keyed(score, index):
    """A score with its move's index in the lowest bits: the greatest key is the best move, and
    finding it takes a loop without branches."""
    return score * INDEX_ROOM + index


@compiled
def take_best(picker, end):
    """Moves the best of the remaining moves to the front of them and takes it."""
    front = picker.next
    best_key = picker.keys[front]
    for index in range(front + 1, end):
        best_key = max(best_key, picker.keys[index])
    best = np.int64(best_key) & (INDEX_ROOM - 1)
    move = np.int64(picker.list.moves[best])
    picker.list.moves[best] = picker.list.moves[front]
    picker.keys[best] = (np.int64(picker.keys[front]) & -INDEX_ROOM) | best
    picker.list.moves[front] = move
    picker.score = np.int64(best_key) // INDEX_ROOM
    picker.next = front + 1
    return move


@compiled
def next_move(worker, picker, ply):
    """The next move to try, NO_MOVE when there is none left."""
    pos = worker.position
    while True:
        stage = picker.stage
        if stage == MAIN_HASH or stage == EVASION_HASH or stage == NOISY_HASH:
            picker.stage = stage + 1
            if picker.hash_move != NO_MOVE:
                return picker.hash_move

        elif stage == MAIN_NOISY or stage == NOISY_ONLY:
            picker.noisy_end = generate_noisy(pos, picker.list, 0)
            picker.next = 0
            picker.bad_end = 0
            score_noisy(worker, picker)
            picker.stage = stage + 1

        elif stage == GOOD_NOISY:
            if picker.next == picker.noisy_end:
                picker.stage = MAIN_QUIETS
                continue
            move = take_best(picker, picker.noisy_end)
            if move == picker.hash_move:
                continue
            threshold = -picker.score // EXCUSED_DIVISOR
            if exchange_reaches(pos, move, threshold):
                return move
            picker.list.moves[picker.bad_end] = move
            picker.bad_end += 1

        elif stage == MAIN_QUIETS:
            picker.end = picker.noisy_end
            if not picker.skip_quiets:
                threats = worker.stack[STACK_BEFORE_ROOT + ply].threats
                note_threats(pos, threats)
                picker.end = generate_quiet_beside(
                    pos, picker.list, picker.noisy_end, np.uint64(threats[BY_ALL])
                )
                score_quiets(worker, picker, ply)
            picker.next = picker.noisy_end
            picker.stage = QUIETS

        elif stage == QUIETS:
            if picker.next == picker.end or picker.skip_quiets:
                picker.next = 0
                picker.stage = BAD_NOISY
                continue
            move = take_best(picker, picker.end)
            if move != picker.hash_move:
                return move

        elif stage == BAD_NOISY:
            if picker.next == picker.bad_end:
                picker.stage = DONE
                continue
            picker.next += 1
            return np.int64(picker.list.moves[picker.next - 1])

        elif stage == EVASIONS:
            picker.end = generate_evasions(pos, picker.list)
            picker.next = 0
            score_evasions(worker, picker, ply)
            picker.stage = EVASIONS_LEFT

        elif stage == EVASIONS_LEFT:
            if picker.next == picker.end:
                picker.stage = DONE
                continue
            move = take_best(picker, picker.end)
            if move != picker.hash_move:
                return move

        elif stage == NOISY_LEFT:
            if picker.next == picker.noisy_end:
                picker.stage = DONE
                continue
            move = take_best(picker, picker.noisy_end)
            if move == picker.hash_move:
                continue
            if picker.only_forcing and not is_forcing(worker, move, ply):
                continue
            if exchange_reaches(pos, move, picker.exchange_threshold):
                return move

        else:
            return NO_MOVE


@compiled
def exchange_is_known(picker, threshold):
    """Whether the picker has found out that the exchange of its last move reaches a threshold."""
    return picker.stage == GOOD_NOISY and -picker.score // EXCUSED_DIVISOR >= threshold


@compiled
def note_tried(picker, move, noisy):
    """Remembers a move that did not become the best."""
    if noisy:
        if picker.noisy_tried < TRIED_NOISY:
            picker.noisy[picker.noisy_tried] = move
            picker.noisy_tried += 1
    elif picker.quiets_tried < TRIED_QUIETS:
        picker.quiets[picker.quiets_tried] = move
        picker.quiets_tried += 1
