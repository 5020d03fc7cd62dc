# SPDX-License-Identifier: GPL-3.0-or-later
"""One node of the principal variation search, in numbered steps."""

import numpy as np

from kingcobra.core.rules.basics import NO_MOVE
from kingcobra.core.rules.checks import gives_check
from kingcobra.core.rules.cycles import can_repeat
from kingcobra.core.rules.exchange import exchange_reaches
from kingcobra.core.rules.legality import is_legal
from kingcobra.core.rules.position import present, unmake, unmake_null
from kingcobra.core.search.endgame_tables import (
    DEPTH_BONUS,
    bound_of_result,
    probe_tables,
    score_of_result,
    settles_window,
)
from kingcobra.core.search.flags import (
    CUT_NODE,
    LEAST_DEPTH,
    NO,
    NON_PV,
    NOT_CUT_NODE,
    PV,
    STOPPED,
    child_of,
)
from kingcobra.core.search.hash_table import (
    NOT_FOUND,
    UNSEARCHED_DEPTH,
    is_sharper,
    nothing_known,
    probe,
    proves_side,
    store,
)
from kingcobra.core.search.histories import (
    corrected,
    forget_siblings,
    is_noisy,
    learn_continuations,
    learn_correction,
    learn_cutoff,
    learn_hash_cut,
    noisy_index,
    note_killer,
    quiet_score,
)
from kingcobra.core.search.layout import BY_ALL, EXACT, LOWER, NO_BOUND, PLY, UPPER
from kingcobra.core.search.ordering import (
    begin_main,
    begin_noisy,
    exchange_is_known,
    next_move,
    note_tried,
)
from kingcobra.core.search.pruning import (
    base_reduction,
    has_bad_record,
    has_pieces,
    is_futile_capture,
    is_futile_quiet,
    is_improving,
    late_move_limit,
    loses_material,
    may_pass,
    move_reduction,
    node_reduction,
    null_reduction,
    pass_margin,
    razor_margin,
    reverse_margin,
    singular_extension,
    singular_margin,
    window_reduction,
)
from kingcobra.core.search.quiescence import quiescence
from kingcobra.core.search.scores import (
    DRAW,
    INFINITE,
    MAX_PLY,
    NO_SCORE,
    is_decided,
    is_loss,
    is_win,
    mated_in,
    mating_in,
    to_table,
)
from kingcobra.core.search.steps import (
    draw_score,
    evaluate,
    extend_pv,
    play,
    play_null,
    prefetch_after,
    settled_score,
    stack_at,
)
from kingcobra.core.search.threats import note_threats
from kingcobra.core.tables.layout import UNKNOWN
from kingcobra.kernel.compiled import compiled

# Near the fifty-move draw, scores from elsewhere in the tree deceive.
TRUSTED_FIFTY_PLIES = 90
# Depths are in plies here and below. Greater ones would not fit into the hash table.
DEEPEST = np.int64(MAX_PLY - 1)
RAZOR_DEPTH = 4
# A node cut by reverse futility keeps a third of the surplus.
REVERSE_DIVISOR = 3
# No pass is tried in the first three quarters of the search that verifies one.
NO_NULL_QUARTERS, QUARTERS = 3, 4
# How much shallower than the node a hash entry may be and still count as evidence.
TRUSTED_DEPTH_GAP = 3
# By how much the search that confirms a ProbCut is shallower.
PROBCUT_REDUCTION = 4
# The search without the hash move has half of the depth that is left.
SINGULAR_DIVISOR = 2
# Extensions of the hash move end at this multiple of the root's depth, so every search ends.
EXTENDED_ROOT_DEPTHS = 2
# By how much the hash move is searched shallower when it is not the only good one; outside the
# principal variation one ply more.
NOT_SINGULAR_REDUCTION = np.int64(2)
SHORT_EXTENSION = np.int64(1)
# Checks are extended where the evaluation is further from zero than this.
BALANCED = 40
# Between these depths, less is left for the moves after one that has raised alpha.
RAISED_DEPTH, RAISED_BELOW_DEPTH = 3, 14


@compiled
def search(worker, alpha, beta, depth, ply, slot, is_pv, cut_node):
    """Fail-soft score for the side to move: <= alpha is an upper bound, >= beta a lower bound.
    Meaningless once worker.stopped is set; the caller discards it. `slot` is the first picker that
    this node may use."""
    # Step 1. Nothing left to search: quiescence.
    if depth <= 0:
        return quiescence(worker, alpha, beta, ply, slot, is_pv)
    depth = min(depth, DEEPEST)
    pos = worker.position
    params = worker.params
    here = stack_at(worker, ply)
    before = stack_at(worker, ply - 1)
    below = stack_at(worker, ply + 1)
    picker = worker.pickers[slot]
    here.pv_length = 0
    if worker.stopped:
        return STOPPED
    state = present(pos)
    in_check = state.checkers != 0
    here.in_check = in_check
    excluded = np.int64(here.excluded)
    child = child_of(cut_node)

    # Step 2. Draws, also those that one move can reach, values that the user gave, and the end of
    # the stack. A draw within reach raises alpha alone: the moves must beat it, and it is not
    # stored.
    if alpha < DRAW and can_repeat(pos, ply):
        alpha = draw_score(worker)
        if alpha >= beta:
            return alpha
    settled = settled_score(worker, picker, ply)
    if settled != NO_SCORE:
        return settled

    # Step 3. Mate distance: no line from here can beat a shorter mate already found.
    alpha = max(alpha, mated_in(ply))
    beta = min(beta, mating_in(ply + 1))
    if alpha >= beta:
        return alpha

    # Step 4. The hash table. The entry also knows whether a principal variation was ever here.
    # A singular search asks what the position is worth without its hash move: the entry is no help.
    # More than beta counts only from a deeper search.
    key = state.key
    if excluded == NO_MOVE:
        known = probe(worker, key, ply, state.fifty_plies, is_pv)
    else:
        known = nothing_known(np.int64(here.was_pv))
    was_pv = known.was_pv
    hash_move = known.move
    if hash_move != NO_MOVE and not is_legal(pos, hash_move):
        hash_move = np.int64(NO_MOVE)
    here.was_pv = was_pv
    needed_depth = depth if known.score <= beta else depth + 1
    if (
        not is_pv
        and known.score != NO_SCORE
        and known.depth >= needed_depth
        and proves_side(known, beta)
        and state.fifty_plies < TRUSTED_FIFTY_PLIES
    ):
        if known.score >= beta:
            learn_hash_cut(worker, ply, hash_move, depth)
        return known.score

    # Step 4b. Endgame tables: an answer that settles this node's window ends it. In the principal
    # variation any other answer bounds the score, and the line is searched on.
    floor = -np.int64(INFINITE)
    ceiling = np.int64(INFINITE)
    if worker.table_men and excluded == NO_MOVE:
        result = probe_tables(worker, depth)
        if result != UNKNOWN:
            score = score_of_result(worker, result, ply)
            bound = bound_of_result(worker, result)
            if settles_window(score, bound, alpha, beta):
                stored = to_table(score, ply)
                bonus_depth = min(depth + DEPTH_BONUS, DEEPEST)
                store(worker, key, NO_MOVE, stored, NO_SCORE, bonus_depth, bound, was_pv)
                return score
            if is_pv and bound == LOWER:
                floor = score
                alpha = max(alpha, score)
            elif is_pv:
                ceiling = score

    # What the nodes below begin with.
    below.excluded = NO_MOVE
    forget_siblings(stack_at(worker, ply + 2))

    # Step 5. The static evaluation: `raw` as the evaluation says it, which is stored; corrected by
    # experience, which later nodes are compared with; and the estimate, for which the hash score
    # stands where its bound is sharper.
    raw = np.int64(NO_SCORE)
    estimate = np.int64(NO_SCORE)
    improving = NO
    if in_check:
        here.evaluation = NO_SCORE
    else:
        if excluded != NO_MOVE:
            estimate = np.int64(here.evaluation)
        else:
            raw = known.evaluation if known.evaluation != NO_SCORE else evaluate(worker)
            estimate = corrected(worker, raw, ply)
            here.evaluation = estimate
            if known.found == NOT_FOUND:
                store(worker, key, NO_MOVE, NO_SCORE, raw, UNSEARCHED_DEPTH, NO_BOUND, was_pv)
        improving = is_improving(worker, ply, estimate)
        if is_sharper(known, estimate):
            estimate = known.score

    if not is_pv and not in_check and excluded == NO_MOVE:
        # Step 6. Razoring: so far below alpha that only captures could help; look at those.
        if depth <= RAZOR_DEPTH and estimate < alpha - razor_margin(params, depth):
            score = quiescence(worker, alpha, alpha + 1, ply, slot, NON_PV)
            if worker.stopped:
                return STOPPED
            if score <= alpha and not is_decided(score):
                return score

        # Step 7. Reverse futility: so far above beta that the opponent would need a margin for
        # every remaining ply to come back. An improving node may need none, but never less than
        # beta.
        if (
            depth <= params.reverse_depth
            and estimate >= beta
            and estimate - reverse_margin(params, depth, improving) >= beta
            and not was_pv
            and not is_loss(beta)
            and not is_win(estimate)
        ):
            return beta + (estimate - beta) // REVERSE_DIVISOR

        # Step 8. Null move: if passing still fails high, a real move will too, unless the last move
        # has a good record. At great depth a search without passes must confirm it, against
        # zugzwang.
        if (
            estimate >= beta
            and here.evaluation >= beta + pass_margin(params, depth)
            and may_pass(worker, ply)
            and not is_loss(beta)
        ):
            passed_depth = depth - null_reduction(params, depth, estimate - beta)
            play_null(worker, ply)
            score = -search(
                worker, -beta, -beta + 1, passed_depth, ply + 1, slot + 1, NON_PV, child
            )
            unmake_null(pos)
            if worker.stopped:
                return STOPPED
            if score >= beta and not is_win(score):
                if worker.null_allowed_from > 0 or depth < params.null_verify_depth:
                    return score
                worker.null_allowed_from = ply + passed_depth * NO_NULL_QUARTERS // QUARTERS
                verified = search(
                    worker, beta - 1, beta, passed_depth, ply, slot + 1, NON_PV, NOT_CUT_NODE
                )
                worker.null_allowed_from = 0
                if worker.stopped:
                    return STOPPED
                if verified >= beta:
                    return score

    # Step 9. Internal iterative reduction: without a hash move the node is worth less effort now,
    # and will have one when it comes back. A singular search has one, but leaves it out.
    if (
        depth >= params.iir_depth
        and hash_move == NO_MOVE
        and excluded == NO_MOVE
        and (is_pv or cut_node)
    ):
        depth -= 1

    # Step 10. ProbCut: a capture that beats beta by a margin in a shallow search will very likely
    # beat beta in a deep one.
    probcut_beta = beta + params.probcut_margin - params.probcut_improving * improving
    if (
        not is_pv
        and not in_check
        and excluded == NO_MOVE
        and depth >= params.probcut_depth
        and not is_decided(beta)
        and not (
            known.score != NO_SCORE
            and known.depth >= depth - TRUSTED_DEPTH_GAP
            and known.score < probcut_beta
        )
    ):
        candidate = np.int64(NO_MOVE)
        needed_gain = probcut_beta - np.int64(here.evaluation)
        if (
            hash_move != NO_MOVE
            and is_noisy(pos, hash_move)
            and exchange_reaches(pos, hash_move, needed_gain)
        ):
            candidate = hash_move
        confirming_depth = depth - PROBCUT_REDUCTION
        # What the nodes below see of these moves: nothing is known of them.
        here.number = 0
        here.history = 0
        begin_noisy(picker, candidate, needed_gain)
        while True:
            move = next_move(worker, picker, ply)
            if move == NO_MOVE:
                break
            prefetch_after(worker, move)
            play(worker, ply, move)
            score = -quiescence(worker, -probcut_beta, -probcut_beta + 1, ply + 1, slot + 1, NON_PV)
            # With no depth left a search would be this quiescence again.
            if score >= probcut_beta and confirming_depth > 0:
                score = -search(
                    worker,
                    -probcut_beta,
                    -probcut_beta + 1,
                    confirming_depth,
                    ply + 1,
                    slot + 1,
                    NON_PV,
                    child,
                )
            unmake(pos, move)
            if worker.stopped:
                return STOPPED
            if score >= probcut_beta:
                stored = to_table(score, ply)
                store(worker, key, move, stored, raw, confirming_depth + 1, LOWER, was_pv)
                return score if is_decided(score) else score - (probcut_beta - beta)

    # Step 11. The moves, best first.
    begin_main(worker, picker, hash_move)
    best = floor
    best_move = np.int64(NO_MOVE)
    number = 0
    less_for_window = window_reduction(worker, beta - alpha)
    # In a singular search the hash move is the one that is left out.
    usual_move = hash_move if excluded == NO_MOVE else excluded
    hash_is_noisy = np.int64(usual_move != NO_MOVE and is_noisy(pos, usual_move))
    # The picker notes threats when it comes to quiet moves; the hash move is there before.
    if hash_move != NO_MOVE and not hash_is_noisy:
        note_threats(pos, here.threats)
    while True:
        move = next_move(worker, picker, ply)
        if move == NO_MOVE:
            break
        if move == excluded:
            continue
        prefetch_after(worker, move)
        number += 1
        noisy = is_noisy(pos, move)
        checks = gives_check(pos, move)
        if noisy:
            history = np.int64(worker.noisy_history[noisy_index(pos, move)])
        else:
            history = quiet_score(worker, ply, move)
        reduction = base_reduction(worker, depth, number) - less_for_window

        # Step 12. Pruning, once a move is known that does not lose, and not in pawn endings, where
        # zugzwang makes every move count.
        if not is_loss(best) and has_pieces(pos, pos.side):
            if number >= late_move_limit(params, depth, improving):
                picker.skip_quiets = 1
            pruning_depth = max(depth - reduction // PLY, np.int64(0))
            shortfall = -np.int64(INFINITE) if in_check else alpha - here.evaluation
            if noisy or checks:
                # Captures that win too little, or lose too much.
                if (
                    noisy
                    and not checks
                    and is_futile_capture(worker, move, history, pruning_depth, shortfall)
                ):
                    continue
                least = -params.see_capture * depth
                if not exchange_is_known(picker, least) and not exchange_reaches(pos, move, least):
                    continue
            # Quiet moves with a bad record, without hope, or that lose material.
            elif (
                has_bad_record(params, history, pruning_depth)
                or is_futile_quiet(params, pruning_depth, shortfall)
                or loses_material(pos, params, move, pruning_depth, here.threats[BY_ALL])
            ):
                continue

        # Step 13. Singular extension: if all other moves fail well below the hash score, the hash
        # move is the only one, and deserves depth. If one of them reaches beta as well, this is a
        # cut. If only the hash score promises a cut, or the parent does, the move gets less.
        # Checks deserve depth, too, where much of it is left.
        extension = np.int64(0)
        if (
            move == hash_move
            and excluded == NO_MOVE
            and depth >= params.singular_depth
            and known.depth >= depth - TRUSTED_DEPTH_GAP
            and known.bound & LOWER
            and not is_decided(known.score)
            and ply < EXTENDED_ROOT_DEPTHS * worker.root_depth
        ):
            singular_beta = known.score - singular_margin(params, depth, is_pv, was_pv)
            half = (depth - 1) // SINGULAR_DIVISOR
            here.excluded = move
            score = search(
                worker, singular_beta - 1, singular_beta, half, ply, slot + 1, NON_PV, cut_node
            )
            here.excluded = NO_MOVE
            if worker.stopped:
                return STOPPED
            if score < singular_beta:
                is_quiet = 1 - hash_is_noisy
                extension = singular_extension(params, singular_beta - score, is_pv, is_quiet)
            elif score >= beta and not is_decided(score):
                return score
            elif known.score >= beta:
                extension = -NOT_SINGULAR_REDUCTION - (1 - is_pv)
            elif cut_node:
                extension = -NOT_SINGULAR_REDUCTION
        elif (
            checks
            and depth >= params.check_depth
            and not in_check
            and abs(np.int64(here.evaluation)) > BALANCED
            and ply < EXTENDED_ROOT_DEPTHS * worker.root_depth
        ):
            extension = np.int64(1)

        # Step 14. Make the move.
        here.number = number
        here.history = 0 if noisy else history
        play(worker, ply, move)
        new_depth = depth - 1 + extension

        # Step 15. Late moves are searched shallower first: the more so, the less they promise.
        # Captures where a principal variation once was are not, unless a cut is expected and the
        # move before was not the first of its node.
        score = np.int64(0)
        is_spared = was_pv and noisy and not (cut_node and before.number > 1)
        if depth >= params.reduce_depth and number > 1 + is_pv and not is_spared:
            reduction += node_reduction(params, is_pv, cut_node, improving, hash_is_noisy, was_pv)
            reduction += move_reduction(params, checks, history, below.cutoffs)
            reduced = max(LEAST_DEPTH, min(new_depth - reduction // PLY, new_depth + 1))
            score = -search(
                worker, -alpha - 1, -alpha, reduced, ply + 1, slot + 1, NON_PV, CUT_NODE
            )
            if score > alpha and reduced < new_depth:
                # It promises more than thought: look again, a little deeper if it surprised.
                new_depth += np.int64(score > best + params.deeper_margin)
                new_depth -= np.int64(score < best + new_depth)
                if reduced < new_depth:
                    score = -search(
                        worker, -alpha - 1, -alpha, new_depth, ply + 1, slot + 1, NON_PV, child
                    )
                if not noisy and not worker.stopped:
                    bonus = np.int64(params.research_bonus)
                    learn_continuations(worker, ply, np.int64(here.piece_to), bonus)
        elif not is_pv or number > 1:
            # Without a hash move, the first move of an expected cut node is only a guess. So it is
            # in a singular search, which leaves the hash move out.
            is_guess = np.int64(number == 1 and cut_node and hash_move == NO_MOVE)
            score = -search(
                worker, -alpha - 1, -alpha, new_depth - is_guess, ply + 1, slot + 1, NON_PV, child
            )
        if is_pv and (number == 1 or score > alpha):
            score = -search(worker, -beta, -alpha, new_depth, ply + 1, slot + 1, PV, NOT_CUT_NODE)
        unmake(pos, move)
        if worker.stopped:
            return STOPPED

        # Step 16. A new best move?
        if score > best:
            best = score
            if score > alpha:
                best_move = move
                if is_pv:
                    extend_pv(worker, ply, move)
                if score >= beta:
                    # After a long extension a cut says little of the nodes beside this one.
                    if is_pv or extension <= SHORT_EXTENSION:
                        here.cutoffs += 1
                    break
                alpha = score
                less_for_window = window_reduction(worker, beta - alpha)
                # Another improvement is unlikely, and not worth as much.
                if RAISED_DEPTH <= depth < RAISED_BELOW_DEPTH and not is_decided(score):
                    depth = max(depth - params.raised_reduction, LEAST_DEPTH)
        if move != best_move:
            note_tried(picker, move, noisy)

    # Step 17. No legal move: mate or stalemate; in a singular search, the excluded move was all.
    if number == 0:
        if excluded != NO_MOVE:
            return alpha
        return mated_in(ply) if in_check else np.int64(DRAW)

    # Step 18. A score above beta is only as good as the search below it was deep: blend it with
    # beta, the more the shallower that was.
    if best >= beta and not is_decided(best) and not is_decided(alpha):
        best = (best * depth + beta) // (depth + 1)

    # Step 19. Learn from the result, and store it. No line beats what the tables say.
    best = min(best, ceiling)
    if best_move != NO_MOVE:
        learn_cutoff(worker, picker, ply, best_move, depth)
        if not is_noisy(pos, best_move):
            note_killer(here, best_move)
    if excluded != NO_MOVE:
        return best
    bound = LOWER if best >= beta else EXACT if is_pv and best_move != NO_MOVE else UPPER
    store(worker, key, best_move, to_table(best, ply), raw, depth, bound, was_pv)
    # A capture tells of the exchange, not of the evaluation; a bound only if it contradicts it.
    if (
        not in_check
        and not (best_move != NO_MOVE and is_noisy(pos, best_move))
        and not (bound == LOWER and best <= here.evaluation)
        and not (bound == UPPER and best >= here.evaluation)
    ):
        learn_correction(worker, ply, best - np.int64(here.evaluation), depth)
    return best
