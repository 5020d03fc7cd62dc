# SPDX-License-Identifier: GPL-3.0-or-later
"""Proofs of mate for `go mate`: every move is tried, so a mate that is found is the shortest one,
and a mate that is not found does not exist.

The ordinary search prunes and may miss a mate. It takes turns with the proof and often finds a long
mate sooner.
"""

import numpy as np

from kingcobra.core.rules.basics import FIFTY_MOVES_PLIES, NO_MOVE
from kingcobra.core.rules.checks import gives_check
from kingcobra.core.rules.draws import (
    SHORTEST_REPETITION_PLIES,
    is_fifty_moves,
    reversible_plies,
)
from kingcobra.core.rules.movegen import generate_all, generate_evasions
from kingcobra.core.rules.position import present, unmake
from kingcobra.core.search.flags import FIRST_PLY, NO, ROOT_PLY, YES
from kingcobra.core.search.histories import quiet_index
from kingcobra.core.search.layout import COLOURS, EXACT, FROM_TO, PROOFS, UPPER
from kingcobra.core.search.ordering import keyed, take_best
from kingcobra.core.search.root import bring_to_front
from kingcobra.core.search.scores import MAX_PLY, mated_in, mating_in
from kingcobra.core.search.steps import play
from kingcobra.kernel.compiled import compiled

NO_INDEX = np.int64(-1)
MOST_MOVES = (MAX_PLY - 2) // 2
# The order of moves: what the table knows, then checks, then what decided other nodes.
KNOWN_FIRST = 1 << 20
CHECKS_FIRST = 1 << 19
HISTORY_LIMIT = 1 << 18
# The table of proofs is used from this many plies on.
LEAST_TABLE_PLIES = 2
PROOF_MASK = np.uint64(PROOFS - 1)
PROOF_SHIFT = np.uint64(20)
SIDE_BIT = np.uint64(1)
# A proof may take this many nodes, and PROOF_SHARE times those of the ordinary search on top, so
# neither waits for the other for ever.
PROOF_NODES = 30_000_000
PROOF_SHARE = 4
NO_NODE_LIMIT = np.int64(1 << 62)
# Beyond this many reversible plies a result also depends on the moves before the position. So does
# that of a mate so long that the fifty-move draw may come first.
TABLE_FIFTY_PLIES = 60


@compiled
def stood_twice_in_the_game(pos, ply):
    """Whether the position is a draw because it stood twice on the board before the search began.
    Repetitions inside the search need no test: they never shorten a mate."""
    if reversible_plies(pos) <= ply:
        return False
    key = present(pos).key
    found = 0
    for back in range(SHORTEST_REPETITION_PLIES, reversible_plies(pos) + 1, 2):
        if back >= ply and pos.states[pos.ply - back].key == key:
            found += 1
    return found >= 2


@compiled
def order_moves(worker, picker, count, known_move, attacking):
    """Scores the moves of the picker's list."""
    pos = worker.position
    for index in range(count):
        move = np.int64(picker.list.moves[index])
        score = np.int64(worker.proof_history[quiet_index(pos.side, move)])
        if move == known_move:
            score += KNOWN_FIRST
        if attacking and gives_check(pos, move):
            score += CHECKS_FIRST
        picker.keys[index] = keyed(score, index)
    picker.next = 0


@compiled
def note_proof(worker, key, plies, is_mate, move):
    """Remembers a result; what was known of another position in this place is lost."""
    proof = worker.proofs[np.int64((key >> PROOF_SHIFT) & PROOF_MASK)]
    if proof.key != key:
        proof.key = key
        proof.mate_plies = 0
        proof.refuted_plies = 0
    proof.move = move
    if is_mate:
        proof.mate_plies = plies
    else:
        proof.refuted_plies = plies


@compiled
def prove(worker, plies, ply):
    """YES if mate is forced in `plies` plies at most: by the side to move where they are odd,
    against it where they are even. Meaningless once `stopped` or `proof_given_up` is set."""
    pos = worker.position
    state = present(pos)
    picker = worker.pickers[ply]
    if plies == 0:
        return np.int64(state.checkers != 0 and generate_evasions(pos, picker.list) == 0)
    if worker.stopped:
        return NO
    if stood_twice_in_the_game(pos, ply) or is_fifty_moves(pos, picker.list):
        return NO
    attacking = plies & 1
    known_move = np.int64(NO_MOVE)
    key = (state.key & ~SIDE_BIT) | np.uint64(attacking)
    if plies >= LEAST_TABLE_PLIES and worker.nodes >= worker.proof_node_limit:
        worker.proof_given_up = 1
        return NO
    uses_table = (
        plies >= LEAST_TABLE_PLIES
        and state.fifty_plies < TABLE_FIFTY_PLIES
        and state.fifty_plies + plies < FIFTY_MOVES_PLIES
    )
    if uses_table:
        proof = worker.proofs[np.int64((key >> PROOF_SHIFT) & PROOF_MASK)]
        if proof.key == key:
            if proof.mate_plies != 0 and proof.mate_plies <= plies:
                return YES
            if proof.refuted_plies >= plies:
                return NO
            known_move = np.int64(proof.move)
    count = generate_all(pos, picker.list)
    if count == 0:
        return np.int64(attacking == 0 and state.checkers != 0)
    order_moves(worker, picker, count, known_move, attacking)
    for _ in range(count):
        move = take_best(picker, count)
        # Only a check can mate at once.
        if plies == 1 and picker.score < CHECKS_FIRST:
            break
        play(worker, ply, move)
        result = prove(worker, plies - 1, ply + 1)
        unmake(pos, move)
        if worker.stopped or worker.proof_given_up:
            return NO
        if result == attacking:
            place = quiet_index(pos.side, move)
            history = worker.proof_history[place] + plies * plies
            worker.proof_history[place] = min(history, HISTORY_LIMIT)
            if uses_table:
                note_proof(worker, key, plies, result, move)
            return result
    if uses_table:
        note_proof(worker, key, plies, 1 - attacking, known_move)
    return np.int64(1 - attacking)


@compiled
def is_exact(worker, plies, ply):
    """Whether mate is forced in this number of plies and in no fewer."""
    return prove(worker, plies, ply) and not (plies >= 2 and prove(worker, plies - 2, ply))


@compiled
def write_line(worker, plies, ply):
    """Writes the moves of an exact mate, from this ply on, into the spare root move."""
    if plies == 0:
        return
    pos = worker.position
    picker = worker.pickers[ply]
    count = generate_all(pos, picker.list)
    for index in range(count):
        move = np.int64(picker.list.moves[index])
        play(worker, ply, move)
        fits = is_exact(worker, plies - 1, ply + 1)
        if fits:
            worker.spare_root.pv[ply] = move
            write_line(worker, plies - 1, ply + 1)
        unmake(pos, move)
        if fits or worker.stopped:
            return


@compiled
def claim(worker, index, plies):
    """Puts a root move with a proved mate in front, with its score and its whole line. NO if the
    search was stopped before the line was known."""
    root_move = worker.root[index]
    move = np.int64(root_move.move)
    worker.proof_node_limit = NO_NODE_LIMIT
    play(worker, ROOT_PLY, move)
    write_line(worker, plies - 1, FIRST_PLY)
    unmake(worker.position, move)
    if worker.stopped:
        return NO
    for ply in range(1, plies):
        root_move.pv[ply] = worker.spare_root.pv[ply]
    root_move.pv_length = plies
    root_move.depth = worker.root_depth
    root_move.deepest = plies
    root_move.bound = EXACT
    if plies & 1:
        root_move.score = mating_in(plies)
    else:
        # All moves are lost, none of the others later.
        for other in range(worker.root_count):
            worker.root[other].score = mated_in(plies)
            worker.root[other].depth = worker.root_depth
            if other != index:
                worker.root[other].bound = UPPER
    # The next search on the clock compares its score with this.
    root_move.mean_score = root_move.score
    bring_to_front(worker, index)
    return YES


@compiled
def prove_root(worker, plies):
    """As `prove`, over the moves of the root's list; on success the list is ranked accordingly."""
    pos = worker.position
    attacking = plies & 1
    slowest = NO_INDEX
    for index in range(worker.root_count):
        move = np.int64(worker.root[index].move)
        play(worker, ROOT_PLY, move)
        result = prove(worker, plies - 1, FIRST_PLY)
        if slowest == NO_INDEX and result and is_exact(worker, plies - 1, FIRST_PLY):
            slowest = np.int64(index)
        unmake(pos, move)
        if worker.stopped or worker.proof_given_up:
            return NO
        if result == attacking:
            return claim(worker, slowest, plies) if attacking else NO
    return NO if attacking else claim(worker, slowest, plies)


@compiled
def begin_proofs(worker):
    """Forgets the proofs of another search."""
    worker.refuted_mate_plies = 0
    worker.proof_nodes = 0
    for index in range(PROOFS):
        worker.proofs[index].key = 0
    for index in range(COLOURS * FROM_TO):
        worker.proof_history[index] = 0


@compiled
def look_for_mate(worker, depth):
    """YES if a mate in as many moves as were asked for has been proved, and the root ranked. With
    each call it looks as deep as the ordinary search, unless it gives up for now."""
    before = worker.nodes
    worker.proof_given_up = 0
    worker.proof_node_limit = before + PROOF_NODES + PROOF_SHARE * (before - worker.proof_nodes)
    most = min(2 * min(worker.limits.mate, MOST_MOVES), depth + 1)
    found = NO
    while worker.refuted_mate_plies < most:
        plies = worker.refuted_mate_plies + 1
        found = prove_root(worker, plies)
        if found or worker.stopped or worker.proof_given_up:
            break
        worker.refuted_mate_plies = plies
    worker.proof_nodes += worker.nodes - before
    return found


@compiled
def is_mate_refuted(worker):
    """Whether it is proved that there is no mate in as many moves as were asked for."""
    return worker.refuted_mate_plies >= 2 * min(worker.limits.mate, MOST_MOVES)
