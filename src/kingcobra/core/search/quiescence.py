# SPDX-License-Identifier: GPL-3.0-or-later
"""Quiescence: follows captures, promotions and evasions until the position is quiet."""

import numpy as np

from kingcobra.core.rules.basics import NO_MOVE
from kingcobra.core.rules.exchange import EXCHANGE_VALUES, exchange_reaches
from kingcobra.core.rules.legality import is_legal
from kingcobra.core.rules.position import present, unmake
from kingcobra.core.search.flags import STOPPED
from kingcobra.core.search.hash_table import (
    NOT_FOUND,
    QUIESCENCE_DEPTH,
    UNSEARCHED_DEPTH,
    is_sharper,
    probe,
    proves_side,
    store,
)
from kingcobra.core.search.histories import corrected, is_noisy, victim_type
from kingcobra.core.search.layout import EXACT, LOWER, UPPER
from kingcobra.core.search.ordering import (
    begin_main,
    begin_noisy,
    is_forcing,
    is_underpromotion,
    next_move,
)
from kingcobra.core.search.scores import (
    INFINITE,
    NO_SCORE,
    is_decided,
    is_loss,
    mated_in,
    to_table,
)
from kingcobra.core.search.steps import (
    evaluate,
    extend_pv,
    play,
    prefetch_after,
    settled_score,
    stack_at,
)
from kingcobra.kernel.compiled import compiled

# How many quiet evasions are tried: if they do not save the position, later ones rarely do.
QUIET_EVASIONS = 2
# How many captures are tried without a special reason.
FEW_CAPTURES = 2
# Threshold of exchanges that win something.
SOME_EXCHANGE_GAIN = 1
# A score above beta rests on few moves: half of what it is above counts.
SURPLUS_DIVISOR = 2


@compiled
def quiescence(worker, alpha, beta, ply, slot, is_pv):
    """Fail-soft score of a position with only forcing moves searched; a bound as in `search`.
    Meaningless once worker.stopped is set."""
    pos = worker.position
    here = stack_at(worker, ply)
    picker = worker.pickers[slot]
    here.pv_length = 0
    if worker.stopped:
        return STOPPED

    # Step 1. Draws, values that the user gave, and the end of the stack.
    state = present(pos)
    in_check = state.checkers != 0
    here.in_check = in_check
    settled = settled_score(worker, picker, ply)
    if settled != NO_SCORE:
        return settled

    # Step 2. The hash table: any stored result is deep enough here.
    key = state.key
    known = probe(worker, key, ply, state.fifty_plies, is_pv)
    was_pv = known.was_pv
    if not is_pv and known.score != NO_SCORE and proves_side(known, beta):
        return known.score
    hash_move = known.move
    if hash_move != NO_MOVE and not is_legal(pos, hash_move):
        hash_move = np.int64(NO_MOVE)

    # Step 3. Standing pat: not having to capture is worth at least the evaluation.
    raw = np.int64(NO_SCORE)
    best = -np.int64(INFINITE)
    futility = -np.int64(INFINITE)
    if not in_check:
        raw = known.evaluation if known.evaluation != NO_SCORE else evaluate(worker)
        best = corrected(worker, raw, ply)
        here.evaluation = best
        # A mate of the principal variation needs the line that leads to it.
        if is_sharper(known, best) and not (is_pv and is_decided(known.score)):
            best = known.score
        if best >= beta:
            if not is_decided(best):
                best = (best + beta) // SURPLUS_DIVISOR
            if known.found == NOT_FOUND:
                store(
                    worker, key, NO_MOVE, to_table(best, ply), raw, UNSEARCHED_DEPTH, LOWER, was_pv
                )
            return best
        alpha = max(alpha, best)
        futility = here.evaluation + worker.params.delta_margin
        if hash_move != NO_MOVE and not is_noisy(pos, hash_move):
            hash_move = np.int64(NO_MOVE)
        begin_noisy(picker, hash_move, -worker.params.quiescence_loss)
    else:
        here.evaluation = NO_SCORE
        begin_main(worker, picker, hash_move)

    # Step 4. The moves; of captures that do not force matters the first few only.
    best_move = np.int64(NO_MOVE)
    original_alpha = alpha
    number = 0
    quiets = 0
    while True:
        picker.only_forcing = number >= FEW_CAPTURES and not is_loss(best)
        move = next_move(worker, picker, ply)
        if move == NO_MOVE:
            break
        prefetch_after(worker, move)
        number += 1
        if not is_loss(best):
            if is_underpromotion(move):
                continue
            if in_check:
                if not is_noisy(pos, move):
                    quiets += 1
                    if quiets > QUIET_EVASIONS:
                        break
                elif not exchange_reaches(pos, move, -worker.params.quiescence_loss):
                    continue
            elif futility <= alpha and not is_forcing(worker, move, ply):
                # Step 5. Captures that do not force matters: not if even winning the victim for
                # nothing would not reach alpha.
                reach = futility + EXCHANGE_VALUES[victim_type(pos, move)]
                if reach <= alpha:
                    best = max(best, reach)
                    continue
                if not exchange_reaches(pos, move, SOME_EXCHANGE_GAIN):
                    best = max(best, futility)
                    continue
        play(worker, ply, move)
        worker.quiescence_nodes += 1
        score = -quiescence(worker, -beta, -alpha, ply + 1, slot + 1, is_pv)
        unmake(pos, move)
        if worker.stopped:
            return STOPPED
        if score > best:
            best = score
            if score > alpha:
                best_move = move
                alpha = score
                if is_pv:
                    extend_pv(worker, ply, move)
                if score >= beta:
                    break

    # Step 6. In check every move was looked at: none means mate.
    if in_check and best == -INFINITE:
        return mated_in(ply)

    # Step 7. Take the middle between beta and a score above it, and store the result.
    if best >= beta and not is_decided(best):
        best = (best + beta) // SURPLUS_DIVISOR
    bound = LOWER if best >= beta else EXACT if is_pv and alpha > original_alpha else UPPER
    store(worker, key, best_move, to_table(best, ply), raw, QUIESCENCE_DEPTH, bound, was_pv)
    return best
