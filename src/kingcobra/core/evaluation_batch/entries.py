# SPDX-License-Identifier: GPL-3.0-or-later
"""Static evaluations of many positions, as plain Python asks for them."""

import numpy as np

from kingcobra.core.evaluation.layout import Evaluated
from kingcobra.core.evaluation_batch.layout import NO_VALUE, EvaluationBatch
from kingcobra.core.notation.games.layout import PACKED_BYTES
from kingcobra.core.notation.games.packing import pack, unpack
from kingcobra.core.rules import attacks
from kingcobra.core.rules.layout import Position
from kingcobra.kernel.compiled import entry
from kingcobra.kernel.instructions.bits import call_address, load_u64, store_u64
from kingcobra.kernel.records import record_at

batch_at = record_at(EvaluationBatch)
position_at = record_at(Position)
evaluated_at = record_at(Evaluated)


@entry
def initialise_evaluation_batch():
    """Fills this object's own attack table."""
    attacks.fill_slider_table()
    return 0


@entry
def pack_records(records_address, count, packed_address):
    """Packs positions from an array of their addresses."""
    for item in range(count):
        record = np.int64(load_u64(records_address, item))
        pack(position_at(record), packed_address + item * PACKED_BYTES)
    return 0


@entry
def evaluate_packed(batch_address):
    """Writes the value of each position for its side to move, in internal units; NO_VALUE where a
    record is no position. An evaluation knows by a position's key whether it is another one."""
    batch = batch_at(batch_address)
    evaluated = evaluated_at(batch.evaluated)
    for item in range(batch.count):
        value = np.int64(NO_VALUE)
        if unpack(evaluated.position, batch.setup, batch.packed + item * PACKED_BYTES):
            value = call_address(batch.evaluate, batch.evaluated)
        store_u64(batch.values, item, np.uint64(value))
    return 0
