# SPDX-License-Identifier: GPL-3.0-or-later
"""Accumulators: the sums of the rows of all men, for each side's view, by ply.

Nothing happens when a move is made. An accumulator carries the key of the position it was computed
for. When an evaluation finds another key, it computes the accumulator from the nearest ancestor
whose key matches, by the rows of the men that moved in between. A move of the view's own king to
another bucket or half of the board changes every row: then the sums last computed with the king on
that square are updated instead, by the difference between the two boards.
"""

from collections.abc import Callable
from math import gcd
from typing import NamedTuple

import numpy as np

from kingcobra.core.network.input_rows import row_finder
from kingcobra.core.network.layout import KEY_BYTES, LONG_BYTES, WORD_BYTES, Plan
from kingcobra.core.rules.basics import COLOURS, KING, NO_PIECE, NO_SQUARE, SQUARES, piece_of
from kingcobra.core.rules.layout import Position
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import load_u8, load_u64, lsb, store_u64, without_lsb
from kingcobra.kernel.instructions.simd import (
    BYTE,
    LONG,
    WORD,
    add,
    differing,
    loader,
    store,
    subtract,
)
from kingcobra.kernel.levels import target_level

# How many registers hold the sums that are updated together.
TILE_REGISTERS = 8
# Beyond this many changed men the remembered sums are nearer than the ancestor's.
MOST_CHANGES = 12
NO_ANCESTOR = -1
NO_KEY = np.uint64(0)
BOARD_AT = Position.board.offset

load_board = loader(BYTE, SQUARES, aligned=False)


def tile_lanes(plan: Plan) -> int:
    """How many sums are updated together: a divisor of the width."""
    return gcd(plan.architecture.width, TILE_REGISTERS * target_level().vector_bits // WORD)


# --- rows -------------------------------------------------------------------------------------


def applier(load, first, last, step):
    """Compiled functions on the part of rows from byte `first` to `last`, `step` bytes at a time:
    `apply(source, target, added, more, removed, fewer)` makes the target of the source and of lists
    of `more` rows to add and `fewer` rows to subtract. Each does with one pass over memory."""

    @compiled
    def one_and_one(source, target, come, gone):
        for at in range(first, last, step):
            store(target, at, subtract(add(load(source, at), load(come, at)), load(gone, at)))

    @compiled
    def one_and_two(source, target, come, gone, taken):
        for at in range(first, last, step):
            tile = subtract(add(load(source, at), load(come, at)), load(gone, at))
            store(target, at, subtract(tile, load(taken, at)))

    @compiled
    def two_and_two(source, target, come, gone, also_come, also_gone):
        for at in range(first, last, step):
            tile = subtract(add(load(source, at), load(come, at)), load(gone, at))
            store(target, at, subtract(add(tile, load(also_come, at)), load(also_gone, at)))

    @compiled
    def any_number(source, target, added, more, removed, fewer):
        for at in range(first, last, step):
            tile = load(source, at)
            for index in range(more):
                tile = add(tile, load(row_listed(added, index), at))
            for index in range(fewer):
                tile = subtract(tile, load(row_listed(removed, index), at))
            store(target, at, tile)

    @compiled
    def apply(source, target, added, more, removed, fewer):
        come = row_listed(added, 0)
        gone = row_listed(removed, 0)
        if more == 1 and fewer == 1:
            one_and_one(source, target, come, gone)
        elif more == 1 and fewer == 2:
            one_and_two(source, target, come, gone, row_listed(removed, 1))
        elif more == 2 and fewer == 2:
            also_come = row_listed(added, 1)
            two_and_two(source, target, come, gone, also_come, row_listed(removed, 1))
        else:
            any_number(source, target, added, more, removed, fewer)

    return apply


@compiled
def row_listed(rows, index):
    """The address of a row in a list of them."""
    return np.int64(load_u64(rows, index))


class RowKernels(NamedTuple):
    """Compiled functions on whole rows: `apply` as `applier` describes it, and
    `copy(source, target)`."""

    apply: Callable
    copy: Callable


def row_kernels(plan: Plan):
    """The functions on rows of this plan."""
    load_tile = loader(WORD, tile_lanes(plan))
    tile_bytes = tile_lanes(plan) * WORD_BYTES
    sums_bytes = plan.sums_bytes
    apply_sums = applier(load_tile, 0, sums_bytes, tile_bytes)
    psqt_buckets = plan.architecture.psqt_buckets
    has_psqt = psqt_buckets > 0
    psqt_bytes = psqt_buckets * LONG_BYTES
    load_psqt = loader(LONG, psqt_buckets) if has_psqt else None
    apply_psqt = applier(load_psqt, sums_bytes, sums_bytes + psqt_bytes, psqt_bytes)

    @compiled
    def apply(source, target, added, more, removed, fewer):
        apply_sums(source, target, added, more, removed, fewer)
        if has_psqt:
            apply_psqt(source, target, added, more, removed, fewer)

    @compiled
    def copy(source, target):
        for at in range(0, sums_bytes, tile_bytes):
            store(target, at, load_tile(source, at))
        if has_psqt:
            store(target, sums_bytes, load_psqt(source, sums_bytes))

    return RowKernels(apply, copy)


# --- what has changed -------------------------------------------------------------------------


@compiled
def king_of(pos, view):
    """The square of the king whose view it is."""
    return lsb(pos.by_type[KING] & pos.by_colour[view])


def row_listers(plan: Plan):
    """Two compiled functions that write lists of rows into a thread's memory, and return how many
    are to be added and how many to be subtracted: `list_moved(thread, pos, view, source, target)`
    for the men that moved between two plies, and `list_differing(thread, pos, view, remembered)`
    for those in which the board differs from a remembered one."""
    first_row, turn_of, row_of = row_finder(plan)
    added_at, removed_at = plan.memory_offsets.added, plan.memory_offsets.removed

    @compiled
    def note(rows, count, row):
        """Appends a row, if it is one; returns the new length."""
        store_u64(rows, count, np.uint64(row))
        return count + (row > 0)

    @compiled
    def placing(thread, pos, view):
        """Where the rows of the king's square begin, and how its view is turned."""
        king = king_of(pos, view)
        return first_row(thread.weights, view, king), turn_of(view, king)

    @compiled
    def list_moved(thread, pos, view, source, target):
        first, turn = placing(thread, pos, view)
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
                    fewer = note(thread.memory + removed_at, fewer, row)
                if goal != NO_SQUARE:
                    row = row_of(first, turn, view, piece, goal)
                    more = note(thread.memory + added_at, more, row)
        return more, fewer

    @compiled
    def list_differing(thread, pos, view, remembered):
        first, turn = placing(thread, pos, view)
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
                fewer = note(thread.memory + removed_at, fewer, row)
            if new != NO_PIECE:
                row = row_of(first, turn, view, new, square)
                more = note(thread.memory + added_at, more, row)
        store(remembered, 0, board)
        return more, fewer

    return list_moved, list_differing


# --- accumulators -----------------------------------------------------------------------------


def stack_of(plan: Plan):
    """Compiled functions on the stack of accumulators: `sums(thread, ply, view)` is the address of
    one; `is_right(thread, pos, ply, view)` whether it belongs to the position's ply, which
    `make_right` says from then on; `ancestor(thread, pos, view)` the nearest ply with one that
    leads to the present by changes alone."""
    keys_at, sums_at = plan.memory_offsets.keys, plan.memory_offsets.sums
    row_bytes = plan.row_bytes
    shares_buckets = bool(plan.architecture.features.king_regions)
    first_row, turn_of, _ = row_finder(plan)

    @compiled
    def changes_all_rows(thread, view, state):
        """Whether the move of the own king that led to this state did."""
        if not shares_buckets:
            return True
        origin, goal = np.int64(state.dirty_from[0]), np.int64(state.dirty_to[0])
        old_first = first_row(thread.weights, view, origin)
        if old_first != first_row(thread.weights, view, goal):
            return True
        return turn_of(view, origin) != turn_of(view, goal)

    @compiled
    def sums(thread, ply, view):
        return thread.memory + sums_at + (ply * COLOURS + view) * row_bytes

    @compiled
    def is_right(thread, pos, ply, view):
        return load_u64(thread.memory + keys_at, ply * COLOURS + view) == pos.states[ply].key

    @compiled
    def make_right(thread, pos, ply, view):
        key = np.uint64(pos.states[ply].key)
        store_u64(thread.memory + keys_at, ply * COLOURS + view, key)

    @compiled
    def ancestor(thread, pos, view):
        king = piece_of(view, KING)
        changes = 0
        ply = pos.ply
        while ply > 0:
            state = pos.states[ply]
            count = np.int64(state.dirty_count)
            changes += count
            if changes > MOST_CHANGES:
                break
            if count > 0 and state.dirty_piece[0] == king and changes_all_rows(thread, view, state):
                break
            ply -= 1
            if is_right(thread, pos, ply, view):
                return ply
        return np.int64(NO_ANCESTOR)

    return sums, is_right, make_right, ancestor


def accumulator_finder(plan: Plan):
    """A compiled function `accumulator(thread, pos, view)`: the address of an accumulator of the
    present position, computed if need be."""
    apply, copy = row_kernels(plan)
    list_moved, list_differing = row_listers(plan)
    sums, is_right, make_right, ancestor = stack_of(plan)
    remembered_at = plan.memory_offsets.remembered
    added_at, removed_at = plan.memory_offsets.added, plan.memory_offsets.removed
    remembered_bytes = plan.remembered_bytes

    @compiled
    def advance(thread, pos, view, source, target):
        """Computes the sums of a ply from those of an earlier one."""
        more, fewer = list_moved(thread, pos, view, source, target)
        from_sums = sums(thread, source, view)
        added = thread.memory + added_at
        removed = thread.memory + removed_at
        apply(from_sums, sums(thread, target, view), added, more, removed, fewer)
        make_right(thread, pos, target, view)

    @compiled
    def refresh(thread, pos, view):
        """Computes the sums of the present ply from those remembered for the king's square."""
        place = view * SQUARES + king_of(pos, view)
        remembered = thread.memory + remembered_at + place * remembered_bytes
        more, fewer = list_differing(thread, pos, view, remembered)
        kept = remembered + SQUARES
        apply(kept, kept, thread.memory + added_at, more, thread.memory + removed_at, fewer)
        copy(kept, sums(thread, pos.ply, view))
        make_right(thread, pos, pos.ply, view)

    @compiled
    def accumulator(thread, pos, view):
        ply = pos.ply
        if is_right(thread, pos, ply, view):
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

    return accumulator


def forgetter(plan: Plan):
    """A compiled function `forget(thread)` that clears a thread's memory: no key is right, and all
    remembered accumulators are those of an empty board, the biases alone."""
    copy = row_kernels(plan).copy
    keys_at, sums_at = plan.memory_offsets.keys, plan.memory_offsets.sums
    remembered_at = plan.memory_offsets.remembered
    remembered_bytes = plan.remembered_bytes

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

    return forget
