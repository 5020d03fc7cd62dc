# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiled networks for tests: any network, any level, asked about one position or along a game."""

import ctypes

import pytest

from kingcobra.core.network.architectures import bucket_of
from kingcobra.core.rules.basics import COLOURS
from kingcobra.kernel.levels import LEVEL_VARIABLE
from kingcobra.networks.loading import ThreadMemory, from_memory


def compile_network(network, level):
    """A network ready to use, compiled for a level."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(LEVEL_VARIABLE, level.name)
        return from_memory(network, "test.nnue", report=lambda _text: None)


class CompiledNetwork:
    """A compiled network that is asked about boards. It remembers what it has seen, unless told
    otherwise."""

    def __init__(self, compiled):
        self.compiled = compiled
        self.memory = ThreadMemory(compiled, 0)

    def answers(self, board, buckets=None):
        """(bucket in use, PSQT part of each bucket, positional part of each), as the twin says."""
        self.memory.record.position = board.address
        stacks = self.compiled.architecture.stacks
        men = board.record.by_type[0].bit_count()
        buckets = range(stacks) if buckets is None else buckets
        found = [self.memory.evaluate(bucket) for bucket in buckets]
        return (
            bucket_of(men, stacks),
            [psqt for psqt, _ in found],
            [positional for _, positional in found],
        )

    def forget(self):
        """Everything is computed anew."""
        self.memory.forget()

    def sums(self, ply, view):
        """The accumulator of a ply as bytes, without looking whether it is up to date."""
        return ctypes.string_at(self._sums_address(ply, view), self.compiled.plan.row_bytes)

    def shift_sums(self, ply, view):
        """Adds one to the first sum of an accumulator, and so to all that are computed from it."""
        ctypes.c_int16.from_address(self._sums_address(ply, view)).value += 1

    def first_sum(self, ply, view):
        """The first sum of an accumulator."""
        return ctypes.c_int16.from_address(self._sums_address(ply, view)).value

    def _sums_address(self, ply, view):
        plan = self.compiled.plan
        start = self.memory.record.memory + plan.memory_offsets.sums
        return start + (ply * COLOURS + view) * plan.row_bytes
