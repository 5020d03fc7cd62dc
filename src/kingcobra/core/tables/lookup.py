# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of a position, and what it says of it."""

import numpy as np

from kingcobra.core.rules.position import occupied, present
from kingcobra.core.tables.file_layout import (
    LOSS_PLIES_FLAG,
    MAPPED_FLAG,
    OTHER_SIDE_FLAG,
    SINGLE_VALUE_FLAG,
    SLOT_BITS,
    SLOTS,
    UNOPENED,
    UNUSABLE,
    WIDE_FLAG,
    WIN_PLIES_FLAG,
)
from kingcobra.core.tables.indexing import index_in_part, leading_pawn_numbers, part_number
from kingcobra.core.tables.layout import (
    ANSWERED,
    CASTLING_RIGHTS,
    DAMAGED,
    DTZ,
    LOSS,
    MISSING,
    UNKNOWN,
    WDL,
    WIN,
)
from kingcobra.core.tables.material import material_key
from kingcobra.core.tables.parts import DAMAGED_VALUE, value_at
from kingcobra.core.tables.views import PART_BYTES, file_at, part_at, tables_at
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import call_address, load_u8, multiply_low, popcount
from kingcobra.kernel.instructions.file_words import little_u16, published

BARE_KINGS = 2
HASH_MULTIPLIER = np.uint64(0x9E37_79B9_7F4A_7C15)
HASH_SHIFT = np.uint64(64 - SLOT_BITS)
WORD_BYTES = 2

# The table for this side to move does not exist; the other one's answers for it.
ASK_THE_OTHER_SIDE = UNKNOWN + 1
# Below every result.
NOTHING_YET = LOSS - 1
# Of the prober's lists. Typed: a literal would make another version of a recursive function.
FIRST_LIST = np.int64(0)
# Which map of distances belongs to LOSS, BLESSED_LOSS, DRAW, CURSED_WIN, WIN.
MAP_OF_RESULT = np.array([1, 3, 0, 2, 0], np.int64)


# --- finding the table ------------------------------------------------------------------------


@compiled
def first_slot(key):
    """Where the search for a key begins."""
    return np.int64(multiply_low(np.uint64(key), HASH_MULTIPLIER) >> HASH_SHIFT)


@compiled
def find_file(tables, key, kind):
    """The address of the file for a material key, zero where there is none."""
    slot = first_slot(key)
    while tables.slots[slot].key != 0:
        if tables.slots[slot].key == key:
            return tables.slots[slot].files[kind]
        slot = (slot + 1) & (SLOTS - 1)
    return 0


@compiled
def no_answer(prober, reason, key, kind):
    """UNKNOWN, and why."""
    prober.reason = reason
    prober.wanted = key
    prober.wanted_kind = kind
    return UNKNOWN


@compiled
def opened_file(prober, key, kind):
    """The address of a file that can be probed, zero where there is none. Opens it if this is its
    first use."""
    tables = tables_at(prober.tables)
    address = find_file(tables, key, kind)
    if address == 0:
        no_answer(prober, MISSING, key, kind)
        return 0
    parts = published(address)
    if parts == UNOPENED:
        call_address(tables.open, address)
        parts = published(address)
    if parts == UNOPENED or parts == UNUSABLE:
        no_answer(prober, DAMAGED, key, kind)
        return 0
    return address


# --- one value --------------------------------------------------------------------------------


@compiled
def table_value(prober, pos, kind, result):
    """What the file of that kind says of a position, captures apart. DTZ needs the position's
    result, and gives a distance, or ASK_THE_OTHER_SIDE. UNKNOWN where there is no answer."""
    key = material_key(pos)
    address = opened_file(prober, key, kind)
    if address == 0:
        return UNKNOWN
    table = file_at(address)
    swapped = pos.side if table.symmetric else np.int64(key != table.key)
    side = pos.side ^ swapped
    numbers = leading_pawn_numbers(pos, table, swapped)
    part = part_at(table.parts + part_number(table, numbers, side) * PART_BYTES)
    if kind == DTZ and not table.symmetric and part.features & OTHER_SIDE_FLAG != side:
        return ASK_THE_OTHER_SIDE

    value = part.value
    if part.features & SINGLE_VALUE_FLAG == 0:
        index = index_in_part(pos, table, part, swapped, numbers)
        value = value_at(part, index) if index < np.int64(part.positions) else DAMAGED_VALUE
    value = wdl_of_value(value) if kind == WDL else distance_of_value(part, value, result)
    if value == UNKNOWN:
        table.damaged = 1
        return no_answer(prober, DAMAGED, key, kind)
    return value


@compiled
def wdl_of_value(value):
    """LOSS to WIN from a stored value."""
    if value < 0 or value > WIN - LOSS:
        return UNKNOWN
    return value + LOSS


@compiled
def distance_of_value(part, value, result):
    """Plies to the next irreversible move from a stored value of a position with that result."""
    if value < 0:
        return UNKNOWN
    if part.features & MAPPED_FLAG:
        chosen = MAP_OF_RESULT[result - LOSS]
        if value >= part.map_length[chosen]:
            return UNKNOWN
        at = part.map_at[chosen]
        if part.features & WIDE_FLAG:
            value = np.int64(little_u16(at + value * WORD_BYTES))
        else:
            value = np.int64(load_u8(at, value))
    in_plies = (result == WIN and part.features & WIN_PLIES_FLAG != 0) or (
        result == LOSS and part.features & LOSS_PLIES_FLAG != 0
    )
    return (value if in_plies else 2 * value) + 1


@compiled
def can_probe(prober, pos):
    """Whether there may be tables for a position."""
    prober.reason = ANSWERED
    men = popcount(occupied(pos))
    if men == BARE_KINGS:
        return True
    if present(pos).castling_rights:
        no_answer(prober, CASTLING_RIGHTS, material_key(pos), WDL)
        return False
    if prober.tables == 0 or men > tables_at(prober.tables).largest:
        no_answer(prober, MISSING, material_key(pos), WDL)
        return False
    return True
