# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws by repetition, by the fifty-move rule and by insufficient material."""

from kingcobra.core.rules.basics import BISHOP, FIFTY_MOVES_PLIES, KNIGHT, PAWN, QUEEN, ROOK
from kingcobra.core.rules.bitboards import EMPTY, LIGHT_SQUARES
from kingcobra.core.rules.movegen import generate_all
from kingcobra.core.rules.position import occupied, present
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import popcount

# The soonest that a position can return: each side moves a piece away and back.
SHORTEST_REPETITION_PLIES = 4
KINGS_AND_ONE_PIECE = 3


@compiled
def reversible_plies(pos):
    """How many plies back an equal position may lie."""
    state = present(pos)
    return min(state.fifty_plies, state.plies_since_null, pos.ply)


@compiled
def earlier_occurrences(pos):
    """How often the present position has stood on the board before."""
    key = present(pos).key
    found = 0
    for back in range(SHORTEST_REPETITION_PLIES, reversible_plies(pos) + 1, 2):
        if pos.states[pos.ply - back].key == key:
            found += 1
    return found


@compiled
def is_repetition(pos, plies_from_root):
    """Whether the present position counts as a draw for a search: it has stood once since the
    root, or twice in all."""
    key = present(pos).key
    found = 0
    for back in range(SHORTEST_REPETITION_PLIES, reversible_plies(pos) + 1, 2):
        if pos.states[pos.ply - back].key == key:
            found += 1
            if back < plies_from_root or found == 2:
                return True
    return False


@compiled
def is_fifty_moves(pos, moves):
    """Whether fifty moves of each side without a capture or a pawn move make a draw: a mate by
    the last of them counts. Uses the list."""
    return present(pos).fifty_plies >= FIFTY_MOVES_PLIES and generate_all(pos, moves) > 0


@compiled
def is_insufficient_material(pos):
    """Whether no sequence of legal moves can mate: bare kings, one knight or bishop, or any
    number of bishops on squares of one colour."""
    if pos.by_type[PAWN] | pos.by_type[ROOK] | pos.by_type[QUEEN]:
        return False
    if pos.by_type[KNIGHT]:
        return popcount(occupied(pos)) <= KINGS_AND_ONE_PIECE
    on_light = pos.by_type[BISHOP] & LIGHT_SQUARES
    return on_light == EMPTY or on_light == pos.by_type[BISHOP]
