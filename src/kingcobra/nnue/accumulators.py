# SPDX-License-Identifier: GPL-3.0-or-later
"""Accumulators: the sums of the rows of all men, for each side's view, by ply.

Nothing happens when a move is made. An accumulator carries the key of the position it was computed
for; when an evaluation asks for one whose key does not match, it is computed from the nearest
ancestor's whose key does, by the rows of the men that moved in between. A move of the view's own
king changes every row: then the sums last seen with the king on that square are brought up to date
instead, by the difference of the two boards.
"""

from math import gcd

import numpy as np

from kingcobra.board.basics import COLOURS, KING, NO_PIECE, NO_SQUARE, SQUARES, piece_of
from kingcobra.board.layout import Position
from kingcobra.kernel.bits import load_u8, load_u64, lsb, store_u64, without_lsb
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.levels import target_level
from kingcobra.kernel.simd import BYTE, LONG, WORD, add, differing, loader, store, subtract
from kingcobra.nnue.input_rows import row_finder
from kingcobra.nnue.network_layout import KEY_BYTES, WORD_BYTES, Plan

# Sums that are worked on at a time fill so many registers.
TILE_REGISTERS = 8
# An ancestor further away than so many changed men is no help: the remembered sums are nearer.
MOST_CHANGES = 12
NO_ANCESTOR = -1
NO_KEY = np.uint64(0)
BOARD_AT = Position.board.offset

load_board = loader(BYTE, SQUARES, aligned=False)


def tile_lanes(plan: Plan) -> int:
    """How many sums are worked on at a time: a divisor of the width."""
    return gcd(plan.architecture.width, TILE_REGISTERS * target_level().vector_bits // WORD)


def row_kernels(plan: Plan):
    """Compiled functions on rows: `apply(source, target, added, more, removed, fewer)` makes the
    target of the source and of lists of `more` rows to add and `fewer` rows to subtract; `copy`
    copies one."""
    load_tile = loader(WORD, tile_lanes(plan))
    tile_bytes = tile_lanes(plan) * WORD_BYTES
    sums_bytes = plan.sums_bytes
    psqt_buckets = plan.architecture.psqt_buckets
    load_psqt = loader(LONG, psqt_buckets) if psqt_buckets else None
    has_psqt = psqt_buckets > 0

    @compiled
    def copy(source, target):
        for at in range(0, sums_bytes, tile_bytes):
            store(target, at, load_tile(source, at))
        if has_psqt:
            store(target, sums_bytes, load_psqt(source, sums_bytes))

    @compiled
    def one_and_one(source, target, come, gone):
        for at in range(0, sums_bytes, tile_bytes):
            tile = add(load_tile(source, at), load_tile(come, at))
            store(target, at, subtract(tile, load_tile(gone, at)))
        if has_psqt:
            psqt = add(load_psqt(source, sums_bytes), load_psqt(come, sums_bytes))
            store(target, sums_bytes, subtract(psqt, load_psqt(gone, sums_bytes)))

    @compiled
    def one_and_two(source, target, come, gone, taken):
        for at in range(0, sums_bytes, tile_bytes):
            tile = add(load_tile(source, at), load_tile(come, at))
            tile = subtract(tile, load_tile(gone, at))
            store(target, at, subtract(tile, load_tile(taken, at)))
        if has_psqt:
            psqt = add(load_psqt(source, sums_bytes), load_psqt(come, sums_bytes))
            psqt = subtract(psqt, load_psqt(gone, sums_bytes))
            store(target, sums_bytes, subtract(psqt, load_psqt(taken, sums_bytes)))

    @compiled
    def two_and_two(source, target, come, gone, also_come, also_gone):
        for at in range(0, sums_bytes, tile_bytes):
            tile = add(load_tile(source, at), load_tile(come, at))
            tile = subtract(tile, load_tile(gone, at))
            tile = add(tile, load_tile(also_come, at))
            store(target, at, subtract(tile, load_tile(also_gone, at)))
        if has_psqt:
            psqt = add(load_psqt(source, sums_bytes), load_psqt(come, sums_bytes))
            psqt = subtract(psqt, load_psqt(gone, sums_bytes))
            psqt = add(psqt, load_psqt(also_come, sums_bytes))
            store(target, sums_bytes, subtract(psqt, load_psqt(also_gone, sums_bytes)))

    @compiled
    def any_number(source, target, added, more, removed, fewer):
        for at in range(0, sums_bytes, tile_bytes):
            tile = load_tile(source, at)
            for index in range(more):
                tile = add(tile, load_tile(np.int64(load_u64(added, index)), at))
            for index in range(fewer):
                tile = subtract(tile, load_tile(np.int64(load_u64(removed, index)), at))
            store(target, at, tile)
        if has_psqt:
            psqt = load_psqt(source, sums_bytes)
            for index in range(more):
                psqt = add(psqt, load_psqt(np.int64(load_u64(added, index)), sums_bytes))
            for index in range(fewer):
                psqt = subtract(psqt, load_psqt(np.int64(load_u64(removed, index)), sums_bytes))
            store(target, sums_bytes, psqt)

    @compiled
    def apply(source, target, added, more, removed, fewer):
        come = np.int64(load_u64(added, 0))
        gone = np.int64(load_u64(removed, 0))
        if more == 1 and fewer == 1:
            one_and_one(source, target, come, gone)
        elif more == 1 and fewer == 2:
            one_and_two(source, target, come, gone, np.int64(load_u64(removed, 1)))
        elif more == 2 and fewer == 2:
            also_come = np.int64(load_u64(added, 1))
            also_gone = np.int64(load_u64(removed, 1))
            two_and_two(source, target, come, gone, also_come, also_gone)
        else:
            any_number(source, target, added, more, removed, fewer)

    return apply, copy


def accumulator_finder(plan: Plan):
    """Two compiled functions. `accumulator(thread, pos, view)` is the address of an accumulator of
    the present position, computed if need be; `forget(thread)` makes a thread's memory that of one
    that has seen no position."""
    apply, copy = row_kernels(plan)
    first_row, turn_of, row_of = row_finder(plan)
    keys_at, sums_at, remembered_at, added_at, removed_at, *_ = plan.memory_offsets
    row_bytes = plan.row_bytes
    remembered_bytes = plan.remembered_bytes

    @compiled
    def sums(thread, ply, view):
        return thread.memory + sums_at + (ply * COLOURS + view) * row_bytes

    @compiled
    def key_of(thread, ply, view):
        return load_u64(thread.memory + keys_at, ply * COLOURS + view)

    @compiled
    def king_of(pos, view):
        return lsb(pos.by_type[KING] & pos.by_colour[view])

    @compiled
    def ancestor(thread, pos, view):
        """The nearest ply with sums that lead here by changes alone."""
        king = piece_of(view, KING)
        changes = 0
        ply = pos.ply
        while ply > 0:
            state = pos.states[ply]
            count = np.int64(state.dirty_count)
            changes += count
            if changes > MOST_CHANGES or (count > 0 and state.dirty_piece[0] == king):
                return np.int64(NO_ANCESTOR)
            ply -= 1
            if key_of(thread, ply, view) == pos.states[ply].key:
                return ply
        return np.int64(NO_ANCESTOR)

    @compiled
    def advance(thread, pos, view, source, target):
        """Computes the sums of a ply from those of an earlier one."""
        king = king_of(pos, view)
        first = first_row(thread.weights, view, king)
        turn = turn_of(view, king)
        added = thread.memory + added_at
        removed = thread.memory + removed_at
        more = 0
        fewer = 0
        for ply in range(source + 1, target + 1):
            state = pos.states[ply]
            for number in range(np.int64(state.dirty_count)):
                piece = np.int64(state.dirty_piece[number])
                origin = np.int64(state.dirty_from[number])
                goal = np.int64(state.dirty_to[number])
                if origin != NO_SQUARE:
                    row = row_of(first, turn, view, piece, origin)
                    store_u64(removed, fewer, np.uint64(row))
                    fewer += row > 0
                if goal != NO_SQUARE:
                    row = row_of(first, turn, view, piece, goal)
                    store_u64(added, more, np.uint64(row))
                    more += row > 0
        apply(sums(thread, source, view), sums(thread, target, view), added, more, removed, fewer)
        store_u64(
            thread.memory + keys_at, target * COLOURS + view, np.uint64(pos.states[target].key)
        )

    @compiled
    def refresh(thread, pos, view):
        """Computes the sums of the present ply from those remembered for the king's square."""
        king = king_of(pos, view)
        first = first_row(thread.weights, view, king)
        turn = turn_of(view, king)
        remembered = thread.memory + remembered_at + (view * SQUARES + king) * remembered_bytes
        remembered_sums = remembered + SQUARES
        added = thread.memory + added_at
        removed = thread.memory + removed_at
        more = 0
        fewer = 0
        board = load_board(thread.position, BOARD_AT)
        changed = differing(board, load_board(remembered, 0))
        while changed:
            square = lsb(changed)
            changed = without_lsb(changed)
            old = np.int64(load_u8(remembered, square))
            new = np.int64(pos.board[square])
            if old != NO_PIECE:
                row = row_of(first, turn, view, old, square)
                store_u64(removed, fewer, np.uint64(row))
                fewer += row > 0
            if new != NO_PIECE:
                row = row_of(first, turn, view, new, square)
                store_u64(added, more, np.uint64(row))
                more += row > 0
        store(remembered, 0, board)
        apply(remembered_sums, remembered_sums, added, more, removed, fewer)
        copy(remembered_sums, sums(thread, pos.ply, view))
        store_u64(
            thread.memory + keys_at, pos.ply * COLOURS + view, np.uint64(pos.states[pos.ply].key)
        )

    @compiled
    def accumulator(thread, pos, view):
        ply = pos.ply
        if key_of(thread, ply, view) == pos.states[ply].key:
            return sums(thread, ply, view)
        source = ancestor(thread, pos, view)
        if source == NO_ANCESTOR:
            refresh(thread, pos, view)
        else:
            if pos.states[ply].dirty_count == 0 and source == ply - 1:
                return sums(thread, source, view)
            if source < ply - 1:
                # What follows the parent's other moves will start from the parent.
                advance(thread, pos, view, source, ply - 1)
            advance(thread, pos, view, ply - 1, ply)
        return sums(thread, ply, view)

    @compiled
    def forget(thread):
        memory = thread.memory
        for index in range((sums_at - keys_at) // KEY_BYTES):
            store_u64(memory + keys_at, index, NO_KEY)
        for index in range(COLOURS * SQUARES):
            remembered = memory + remembered_at + index * remembered_bytes
            for part in range(SQUARES // KEY_BYTES):
                store_u64(remembered, part, np.uint64(0))
            copy(thread.weights, remembered + SQUARES)

    return accumulator, forget
