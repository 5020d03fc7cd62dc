# SPDX-License-Identifier: GPL-3.0-or-later
"""Repetitions that one move can bring about.

The keys of two positions that differ by one reversible move differ by that move's own key. All
such keys fit into a cuckoo table: each lies in one of two slots, so a lookup is two comparisons.
"""

import numpy as np

from kingcobra.core.rules.attacks import (
    BETWEEN,
    BISHOP_RAYS,
    KING_ATTACKS,
    KNIGHT_ATTACKS,
    ROOK_RAYS,
)
from kingcobra.core.rules.basics import (
    BISHOP,
    COLOURS,
    KING,
    KNIGHT,
    NO_MOVE,
    NO_PIECE,
    QUEEN,
    ROOK,
    SQUARES,
    colour_of,
    move_from,
    move_to,
    piece_of,
    plain_move,
)
from kingcobra.core.rules.bitboards import EMPTY
from kingcobra.core.rules.draws import SHORTEST_REPETITION_PLIES, reversible_plies
from kingcobra.core.rules.position import occupied, present
from kingcobra.core.rules.zobrist import PIECE_KEYS, SIDE_KEY
from kingcobra.kernel.compiled import compiled

CUCKOO_SLOTS = 8192
SLOT_MASK = np.uint64(CUCKOO_SLOTS - 1)
SECOND_SHIFT = np.uint64(16)
SHORTEST_CYCLE_PLIES = 3

_REACH = {
    KNIGHT: KNIGHT_ATTACKS,
    BISHOP: BISHOP_RAYS,
    ROOK: ROOK_RAYS,
    QUEEN: BISHOP_RAYS | ROOK_RAYS,
    KING: KING_ATTACKS,
}


def _slots(key):
    return key & (CUCKOO_SLOTS - 1), key >> 16 & (CUCKOO_SLOTS - 1)


def _cuckoo():
    """The table: a key that finds its slot taken moves the occupant to that one's other slot."""
    keys = [0] * CUCKOO_SLOTS
    moves = [0] * CUCKOO_SLOTS
    for colour in range(COLOURS):
        for piece_type, reach in _REACH.items():
            words = PIECE_KEYS[piece_of(colour, piece_type)]
            for one in range(SQUARES):
                for other in range(one + 1, SQUARES):
                    if not int(reach[one]) >> other & 1:
                        continue
                    key = int(words[one] ^ words[other] ^ SIDE_KEY)
                    move = plain_move(one, other)
                    slot = _slots(key)[0]
                    while move:
                        keys[slot], key = key, keys[slot]
                        moves[slot], move = move, moves[slot]
                        slot = sum(_slots(key)) - slot
    return np.array(keys, np.uint64), np.array(moves, np.int64)


CUCKOO_KEYS, CUCKOO_MOVES = _cuckoo()


@compiled
def reversible_move(difference):
    """The move whose key this is, or NO_MOVE."""
    first = np.int64(difference & SLOT_MASK)
    if CUCKOO_KEYS[first] == difference:
        return CUCKOO_MOVES[first]
    second = np.int64((difference >> SECOND_SHIFT) & SLOT_MASK)
    if CUCKOO_KEYS[second] == difference:
        return CUCKOO_MOVES[second]
    return NO_MOVE


@compiled
def stood_before(pos, ply):
    """Whether the position of an earlier ply had itself occurred before."""
    key = pos.states[ply].key
    reach = min(pos.states[ply].fifty_plies, pos.states[ply].plies_since_null, ply)
    for back in range(SHORTEST_REPETITION_PLIES, reach + 1, 2):
        if pos.states[ply - back].key == key:
            return True
    return False


@compiled
def can_repeat(pos, plies_from_root):
    """Whether the side to move has a move that draws by repetition: back to a position of this
    search, or to one of the game that has occurred twice already. Inside the search the
    opponent's move from the earlier position to the present one counts as well: all moves between
    the two were then a detour."""
    key = present(pos).key
    for back in range(SHORTEST_CYCLE_PLIES, reversible_plies(pos) + 1, 2):
        move = reversible_move(key ^ pos.states[pos.ply - back].key)
        if move == NO_MOVE:
            continue
        origin = move_from(move)
        target = move_to(move)
        if BETWEEN[origin, target] & occupied(pos) != EMPTY:
            continue
        if back < plies_from_root:
            return True
        # Either square may hold the piece; before the root it must be ours to move.
        piece = pos.board[origin] if pos.board[origin] != NO_PIECE else pos.board[target]
        if colour_of(piece) == pos.side and stood_before(pos, pos.ply - back):
            return True
    return False
