# SPDX-License-Identifier: GPL-3.0-or-later
"""The memory of one search thread, as plain Python sees it."""

import ctypes
import math
from typing import Any

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.search import layout
from kingcobra.core.search.scores import INFINITE
from kingcobra.core.search.tunables import TUNABLES
from kingcobra.engine.clock import Budget
from kingcobra.engine.limits import SearchLimits
from kingcobra.kernel.objects import LoadedObject
from kingcobra.kernel.system.memory import Memory

FIRST_LEARNT_FIELD = "quiet_history"


class SearchThread:
    """Owns one `SearchWorker` record of the search. Used by one thread at a time, except `stop`."""

    def __init__(
        self, core: LoadedObject, number: int, evaluate_address: int, memory: Memory | None = None
    ) -> None:
        """In memory of its own, or at the start of the memory given."""
        self._core = core
        self._memory = memory or Memory.anonymous(ctypes.sizeof(layout.SearchWorker))
        self.address = self._memory.address
        self.record = self._memory.record(layout.SearchWorker)
        self.record.address = self.address
        self.record.number = number
        self.use_evaluation(evaluate_address)
        self.set_tunables({tunable.name: tunable.default for tunable in TUNABLES})

    def use_evaluation(
        self, evaluate_address: int, network_address: int = 0, kept_alive: Any = None
    ) -> None:
        """Evaluates through that address from now on; `network_address` is what the evaluation
        finds in the record."""
        self.record.evaluate = evaluate_address
        self.record.network = network_address
        self._evaluation = kept_alive

    def set_tunables(self, values: dict[str, int]) -> None:
        """Sets parameters of the search, and the tables made from them."""
        for name, value in values.items():
            setattr(self.record.params, name, value)
        # The product of two entries is slope * log(depth) * log(number), in parts of a ply.
        scale = math.sqrt(self.record.params.reduce_slope * layout.PLY)
        for index in range(1, layout.REDUCTIONS):
            self.record.reductions[index] = round(scale * math.log(index))

    def forget(self) -> None:
        """Clears everything learnt in earlier searches."""
        first = getattr(layout.SearchWorker, FIRST_LEARNT_FIELD).offset
        ctypes.memset(self.address + first, 0, ctypes.sizeof(layout.SearchWorker) - first)

    def prepare(self, board: PositionHandle, root_moves: list[int], lines: int) -> None:
        """Copies the position, and sets the root moves to search."""
        record = self.record
        board.copy_to(self.address)
        record.stop = 0
        # Sums over all threads must not include the nodes of the last search.
        record.nodes = record.quiescence_nodes = record.completed_depth = 0
        record.lines = lines
        record.reports_written = record.reports_read = 0
        self.set_root_moves([(move, 0) for move in root_moves])

    def set_root_moves(self, ranked_moves: list[tuple[int, int]]) -> None:
        """The moves to search, each with its rank, highest first."""
        record = self.record
        record.root_count = len(ranked_moves)
        for index, (move, rank) in enumerate(ranked_moves):
            root = record.root[index]
            root.move = root.pv[0] = move
            root.pv_length = 1
            root.rank = rank
            root.score = root.previous_score = root.line_score = root.mean_score = -INFINITE
            root.mean_square = root.depth = root.deepest = root.bound = root.reply = 0

    def set_limits(self, limits: SearchLimits, budget: Budget, started_ns: int) -> None:
        """When to stop; all limits but the depth concern only the main thread."""
        record = self.record.limits
        record.depth = limits.depth
        record.nodes = limits.nodes
        if budget.most_nodes:
            record.nodes = min(record.nodes or budget.most_nodes, budget.most_nodes)
        record.mate = limits.mate
        record.started_ns = started_ns
        record.soft_ns = budget.soft_ns
        record.hard_ns = budget.hard_ns
        record.nodes_per_ms = budget.nodes_per_ms

    def set_position_values(self, values: dict[int, int]) -> None:
        """Replaces the scores that the user gave to positions, by their keys."""
        record = self.record
        if not values and not record.given_count:
            return
        ctypes.memset(ctypes.addressof(record.given), 0, ctypes.sizeof(record.given))
        record.given_count = len(values)
        for key, score in values.items():
            slot = key % layout.GIVEN_SLOTS
            while record.given[slot].key:
                slot = (slot + 1) % layout.GIVEN_SLOTS
            record.given[slot].key = key
            record.given[slot].score = score

    def use_table(self, table: Memory, age: int) -> None:
        """Connects the shared hash table."""
        self.record.table = table.address
        self.record.buckets = table.size // layout.BUCKET_BYTES
        self.record.age = age

    def think(self) -> None:
        """Searches; other Python threads run in the meantime."""
        self._core.think(self.address)

    def stop(self) -> None:
        """Ends `think` within a moment; callable from any thread."""
        self.record.stop = 1
