# SPDX-License-Identifier: GPL-3.0-or-later
"""A network of one architecture as the search and plain Python call it."""

import numpy as np

from kingcobra.core.evaluation.layout import PAWN_UNITS, Evaluated
from kingcobra.core.network.accumulators import accumulator_finder, forgetter
from kingcobra.core.network.architectures import MEN_PER_BUCKET
from kingcobra.core.network.layers import first_layer, later_layers, transformer, truncated_quotient
from kingcobra.core.network.layout import NetworkThread, Plan, architecture_named
from kingcobra.core.rules.basics import KING, NO_PIECE, PAWN
from kingcobra.core.rules.layout import Position
from kingcobra.kernel.compiled import compiled, entry
from kingcobra.kernel.instructions.bits import call_address, load_i32, popcount
from kingcobra.kernel.levels import target_level
from kingcobra.kernel.records import record_at

# Men by type, in internal units: only a hint of how lopsided a position is.
ROUGH_VALUES = np.array([0, 100, 375, 400, 610, 1220, 0], np.int64)
# In internal units: from this imbalance on the small network is asked first, and its answer stands
# if it is at least this far from zero.
SMALL_FROM, SMALL_SURE = 700, 110

position_at = record_at(Position)
evaluated_at = record_at(Evaluated)
thread_at = record_at(NetworkThread)


@compiled
def lopsidedness(pos):
    """How far material is from balance, in internal units, for either side."""
    balance = 0
    for kind in range(PAWN, KING):
        ours = popcount(pos.by_type[kind] & pos.by_colour[pos.side])
        all_of_them = popcount(pos.by_type[kind])
        balance += ROUGH_VALUES[kind] * (2 * ours - all_of_them)
    return abs(balance)


def evaluator(plan: Plan):
    """A compiled function `answer(thread, pos, bucket)` that writes the two parts of the network's
    answer into the thread's record."""
    architecture = plan.architecture
    accumulator = accumulator_finder(plan)
    transform = transformer(plan)
    dense = first_layer(plan)
    finish = later_layers(plan)
    inputs_at = plan.memory_offsets.inputs
    active_at = plan.memory_offsets.active
    hidden_at = plan.memory_offsets.hidden
    second_half = architecture.transformed * plan.activation_bytes // 2
    first_biases_at = plan.stack_offsets.first_biases
    first_weights_at = plan.stack_offsets.first_weights
    stacks_at, stack_bytes = plan.stacks_at, plan.stack_bytes
    psqt_at = plan.sums_bytes
    has_psqt = architecture.psqt_buckets > 0

    @compiled
    def answer(thread, pos, bucket):
        own = accumulator(thread, pos, pos.side)
        other = accumulator(thread, pos, pos.side ^ 1)
        inputs = thread.memory + inputs_at
        transform(own, inputs)
        transform(other, inputs + second_half)
        stack = thread.weights + stacks_at + bucket * stack_bytes
        active = thread.memory + active_at
        sums = dense(inputs, active, stack + first_biases_at, stack + first_weights_at)
        thread.positional = finish(sums, thread.memory + hidden_at, stack)
        if has_psqt:
            difference = load_i32(own + psqt_at, bucket) - load_i32(other + psqt_at, bucket)
            thread.psqt = truncated_quotient(difference, 2)

    return answer


def specialise(parameters):
    """The entry points for the architecture that the parameters name."""
    architecture = architecture_named(parameters["name"], parameters["width"])
    plan = Plan(architecture, target_level().multiplies_bytes)
    answer = evaluator(plan)
    forget = forgetter(plan)
    has_buckets = architecture.stacks > 1

    @compiled
    def value(thread, pos):
        """What the network says in internal units."""
        men = popcount(pos.by_type[NO_PIECE])
        answer(thread, pos, (men - 1) // MEN_PER_BUCKET if has_buckets else np.int64(0))
        raw = thread.psqt + thread.positional
        return truncated_quotient(raw * PAWN_UNITS, thread.raw_per_pawn)

    @compiled
    def consult(thread, pos, address):
        """What the network says, or the evaluation that is asked before it."""
        if thread.classical_evaluate != 0 or thread.small_evaluate != 0:
            lopsided = lopsidedness(pos)
            if thread.classical_evaluate != 0 and lopsided >= thread.classical_from:
                return call_address(thread.classical_evaluate, address)
            if thread.small_evaluate != 0 and lopsided >= SMALL_FROM:
                first_say = call_address(thread.small_evaluate, thread.small_thread)
                if abs(first_say) >= SMALL_SURE:
                    return first_say
        return value(thread, pos)

    @entry
    def forget_positions(thread_address):
        """Clears a thread's memory of positions. Must be called before anything else."""
        forget(thread_at(thread_address))
        return 0

    @entry
    def answer_raw(thread_address, bucket):
        """Leaves both parts of the network's answer for a bucket in the thread's record."""
        thread = thread_at(thread_address)
        answer(thread, position_at(thread.position), bucket)
        return 0

    @entry
    def evaluate_small(thread_address):
        """The value of the thread's position for the side to move, in internal units."""
        thread = thread_at(thread_address)
        return value(thread, position_at(thread.position))

    @entry
    def evaluate_network(address):
        """The value of an Evaluated record's position for the side to move, in internal units.
        Like any evaluation it knows nothing of the fifty-move rule: the search damps it."""
        evaluated = evaluated_at(address)
        return consult(thread_at(evaluated.network), evaluated.position, address)

    return {
        "forget_positions": forget_positions,
        "answer_raw": answer_raw,
        "evaluate_small": evaluate_small,
        "evaluate_network": evaluate_network,
    }
