# SPDX-License-Identifier: GPL-3.0-or-later
"""What Python calls of this room. Records cross as addresses."""

import ctypes

import numpy as np

from kingcobra.core.rules import setup
from kingcobra.core.rules.layout import Position, Setup
from kingcobra.core.tables import checking, checksum, choosing, distances, lookup, parse, results
from kingcobra.core.tables.file_layout import SLOTS, Checksum
from kingcobra.core.tables.layout import IMPOSSIBLE, UNKNOWN, WDL
from kingcobra.core.tables.views import PART_BYTES, file_at, part_at, prober_at, tables_at
from kingcobra.kernel.compiled import entry
from kingcobra.kernel.instructions.bits import store_u64
from kingcobra.kernel.instructions.file_words import publish
from kingcobra.kernel.records import record_at

POSITION_BYTES = ctypes.sizeof(Position)
SETUP_BYTES = ctypes.sizeof(Setup)

position_at = record_at(Position)
setup_at = record_at(Setup)
checksum_at = record_at(Checksum)


@entry
def add_table_file(tables_address, key, kind, file_address):
    """Enters a file under a material key. 1, or 0 where that key has a file already."""
    tables = tables_at(tables_address)
    slot = lookup.first_slot(key)
    while tables.slots[slot].key != 0 and tables.slots[slot].key != key:
        slot = (slot + 1) & (SLOTS - 1)
    if tables.slots[slot].files[kind] != 0:
        return 0
    tables.slots[slot].key = key
    tables.slots[slot].files[kind] = file_address
    return 1


@entry
def parse_table(file_address):
    """SOUND, or what is wrong with a mapped file."""
    return parse.parse(file_at(file_address))


@entry
def count_symbols(file_address):
    """How many bytes `size_symbols` needs, twice."""
    return parse.count_symbols(file_at(file_address))


@entry
def size_symbols(file_address, memory):
    """SOUND, or WRONG_SYMBOLS. The memory is zero and has twice count_symbols bytes."""
    return parse.size_symbols(file_at(file_address), memory)


@entry
def publish_table(file_address):
    """Lets probes use a file whose parts are complete."""
    publish(file_address, file_at(file_address).memory)
    return 0


@entry
def probe_wdl(prober_address, position_address):
    """LOSS to WIN, or UNKNOWN."""
    return results.probe_wdl(prober_at(prober_address), position_at(position_address))


@entry
def probe_dtz(prober_address, position_address):
    """A distance, or UNKNOWN."""
    return distances.probe_dtz(prober_at(prober_address), position_at(position_address))


@entry
def wdl_after(prober_address, position_address, move):
    """The WDL of a position for the side to move if it plays this legal move, or UNKNOWN."""
    return results.wdl_after(prober_at(prober_address), position_at(position_address), move)


@entry
def dtz_after(prober_address, position_address, move):
    """The same for the DTZ: plies to the next irreversible move, this one counted."""
    prober = prober_at(prober_address)
    return distances.probe_dtz_after(prober, position_at(position_address), move)


@entry
def best_table_move(prober_address, position_address):
    """The move that the tables would play, or NO_MOVE: see core.tables.choosing."""
    return choosing.best_move(prober_at(prober_address), position_at(position_address))


@entry
def probe_many(prober_address, position_address, setups_address, count, kind, results_address):
    """Sets up one position after the other and writes each one's WDL or DTZ, 64 bits, or UNKNOWN,
    or IMPOSSIBLE. How many were answered."""
    prober = prober_at(prober_address)
    pos = position_at(position_address)
    answered = 0
    for number in range(count):
        result = np.int64(IMPOSSIBLE)
        if setup.set_up(pos, setup_at(setups_address + number * SETUP_BYTES)):
            if kind == WDL:
                result = results.probe_wdl(prober, pos)
            else:
                result = distances.probe_dtz(prober, pos)
        store_u64(results_address, number, np.uint64(result))
        answered += result < UNKNOWN
    return answered


@entry
def find_damaged_block(file_address, number, first, count):
    """The first damaged one of so many blocks of an open file's part; -1 where all are whole."""
    part = part_at(file_at(file_address).parts + number * PART_BYTES)
    return checking.first_damaged_block(part, first, count)


@entry
def are_spans_right(file_address, number):
    """Whether the spans of an open file's part lead to the right blocks."""
    part = part_at(file_at(file_address).parts + number * PART_BYTES)
    return np.int64(checking.are_spans_right(part))


@entry
def absorb_bytes(checksum_address, address, length):
    """Carries a checksum on over bytes, see core.tables.checksum.absorb_all."""
    checksum.absorb_all(checksum_at(checksum_address), address, length)
    return 0


@entry
def probe_again(prober_address, positions_address, count, rounds):
    """Probes the WDL of positions that lie one after the other, again and again: for measuring.
    The sum of all results."""
    prober = prober_at(prober_address)
    total = np.int64(0)
    for _ in range(rounds):
        for number in range(count):
            pos = position_at(positions_address + number * POSITION_BYTES)
            total += results.probe_wdl(prober, pos)
    return total
