# SPDX-License-Identifier: GPL-3.0-or-later
"""The threads that search together: each searches the whole tree, all share the hash table."""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any

from kingcobra.core.search.layout import AGE_CYCLE, AGE_STEP
from kingcobra.engine.background import Action
from kingcobra.engine.clock import ClockTuning
from kingcobra.engine.search_thread import SearchThread
from kingcobra.engine.skill import DEFAULT_SEED
from kingcobra.kernel.objects import LoadedObject
from kingcobra.kernel.system.memory import Memory

# From this size on, threads clear a table together.
SHARED_BYTES = 256 * 1024 * 1024


class SearchThreads:
    """The memory of all threads of one engine, and what they have in common. It outlives searches;
    all methods are called from one thread, between two searches, unless they say otherwise."""

    def __init__(self, core: LoadedObject, evaluate_address: int) -> None:
        self._core = core
        self._evaluate = evaluate_address
        self._connect: Callable[[SearchThread], None] = lambda _thread: None
        self.members: list[SearchThread] = []
        self._tunables: dict[str, int] = {}
        self._position_values: dict[int, int] = {}
        self._age = 0
        # Entered by each thread with its number around its work: where it may run.
        self.placement: Callable[[int], AbstractContextManager[Any]] = nullcontext
        self.set_count(1)

    @property
    def main(self) -> SearchThread:
        """The thread that watches the limits and reports."""
        return self.members[0]

    @property
    def helpers(self) -> list[SearchThread]:
        """All others."""
        return self.members[1:]

    def set_count(self, count: int) -> None:
        """Keeps that many threads, with what they have learnt. On OutOfMemory nothing changes."""
        added = [self._new_thread(number) for number in range(len(self.members), count)]
        self.members = [*self.members[:count], *added]

    def _new_thread(self, number: int) -> SearchThread:
        thread = SearchThread(self._core, number, self._evaluate)
        thread.set_tunables(self._tunables)
        self._connect(thread)
        thread.set_position_values(self._position_values)
        thread.record.random_state = DEFAULT_SEED
        return thread

    def replace(self, count: int) -> Action:
        """Puts that many fresh threads in the place of those in use; returns what restores these
        as they were."""
        kept, kept_age = self.members, self._age
        self.members = [self._new_thread(number) for number in range(count)]
        self._age = 0

        def restore() -> None:
            self.members, self._age = kept, kept_age

        return restore

    def release(self) -> None:
        """Returns the memory of all threads at once: nothing searches any more."""
        self.members = []

    # --- what each of them uses ---------------------------------------------------------------

    def use_evaluation(self, connect: Callable[[SearchThread], None]) -> None:
        """Has `connect` give each thread its evaluation, also later ones."""
        for thread in self.members:
            connect(thread)
        self._connect = connect

    def set_tunable(self, name: str, value: int) -> None:
        """Sets one parameter of the search for all threads, also later ones."""
        self._tunables[name] = value
        for thread in self.members:
            thread.set_tunables(self._tunables)

    @property
    def clock_tuning(self) -> ClockTuning:
        """The tunables of time that are not the search's."""
        params = self.main.record.params
        return ClockTuning(params.time_share, params.time_growth, params.time_most)

    def set_position_values(self, values: dict[int, int]) -> None:
        """Replaces the scores that the user gave to positions, for their side to move."""
        self._position_values = dict(values)
        for thread in self.members:
            thread.set_position_values(values)

    def seed(self, seed: int) -> None:
        """Sets the generator of random choices; not zero. The same seed, the same choices."""
        self.main.record.random_state = seed

    def forget(self, table: Memory) -> None:
        """Clears all that the threads have learnt, and a hash table."""
        for thread in self.members:
            thread.forget()
        if table.size < SHARED_BYTES:
            table.clear()
        else:
            self._clear_together(table)

    def _clear_together(self, table: Memory) -> None:
        """Each thread clears a part, where it runs: alone, one would take seconds for tens of
        gigabytes."""
        parts = len(self.members)

        def clear(number: int) -> None:
            with self.placement(number):
                table.clear(number, parts)

        helpers: list[threading.Thread] = []
        with suppress(RuntimeError):  # the system may give no more threads
            for number in range(1, parts):
                helper = threading.Thread(target=clear, args=(number,))
                helper.start()
                helpers.append(helper)
        for number in (0, *range(1 + len(helpers), parts)):
            clear(number)
        for helper in helpers:
            helper.join()

    # --- the hash table -----------------------------------------------------------------------

    def connect_table(self, table: Memory) -> None:
        """A search begins: its entries are younger than all there are."""
        self._age = (self._age + AGE_STEP) % AGE_CYCLE
        for thread in self.members:
            thread.use_table(table, self._age)

    def disconnect_table(self) -> None:
        """The table is about to be released; the next search connects another one."""
        for thread in self.members:
            thread.record.table = 0

    def hashfull_permille(self) -> int:
        """How full the table of the last search is; zero before the first search. From any
        thread."""
        if not self.main.record.table:
            return 0
        return self._core.fullness_permille(self.main.address)

    # --- the present search: from any thread --------------------------------------------------

    @property
    def nodes(self) -> int:
        """Moves made in the present search."""
        return sum(thread.record.nodes for thread in self.members)

    @property
    def table_hits(self) -> int:
        """How often endgame tables have answered in this search."""
        return sum(thread.record.table_hits for thread in self.members)

    @property
    def quiescence_nodes(self) -> int:
        """Those of them that quiescence made."""
        return sum(thread.record.quiescence_nodes for thread in self.members)

    def stop(self) -> None:
        """Ends the search of every thread within a moment."""
        for thread in self.members:
            thread.stop()
