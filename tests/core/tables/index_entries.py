# SPDX-License-Identifier: GPL-3.0-or-later
"""Entry points for the numbers of positions, which only probes need."""

import numpy as np

from kingcobra.core.rules import attacks, setup
from kingcobra.core.rules.layout import Position, Setup
from kingcobra.core.tables.indexing import index_in_part, leading_pawn_numbers, part_number
from kingcobra.core.tables.material import material_key
from kingcobra.core.tables.views import PART_BYTES, file_at, part_at
from kingcobra.kernel.compiled import entry
from kingcobra.kernel.instructions.bits import store_u64
from kingcobra.kernel.records import record_at

position_at = record_at(Position)
setup_at = record_at(Setup)


@entry
def prepare_indices():
    """Fills this object's own attack table."""
    attacks.fill_slider_table()
    return 0


@entry
def index_of(file_address, position_address, setup_address, part_address):
    """The number of a described position in the open table of its men; stores which part."""
    pos = position_at(position_address)
    setup.set_up(pos, setup_at(setup_address))
    table = file_at(file_address)
    swapped = pos.side if table.symmetric else np.int64(material_key(pos) != table.key)
    numbers = leading_pawn_numbers(pos, table, swapped)
    number = part_number(table, numbers, pos.side ^ swapped)
    store_u64(part_address, 0, np.uint64(number))
    part = part_at(table.parts + number * PART_BYTES)
    return index_in_part(pos, table, part, swapped, numbers)
