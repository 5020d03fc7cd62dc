# SPDX-License-Identifier: GPL-3.0-or-later
"""What an engine says outside its searches, in values."""

from typing import TYPE_CHECKING

from kingcobra.engine.clock import Budget

if TYPE_CHECKING:
    from kingcobra.networks.loading import LoadedNetwork


class EngineListener:
    """Receives what an engine does, possibly from its own threads. These methods do nothing."""

    def on_threads(self, count: int) -> None:
        """So many threads will search."""

    def on_thread_bound(self, number: int, cpus: frozenset[int], error: OSError | None) -> None:
        """A thread runs on these CPUs or, if there is an error, could not be bound to them."""

    def on_hash(self, size_mb: int) -> None:
        """There is a new, empty hash table."""

    def on_network(self, network: "LoadedNetwork") -> None:
        """A network was read."""

    def on_no_network(self) -> None:
        """The user asked for no network: the classical evaluation is in use."""

    def on_compiling(self, text: str) -> None:
        """Machine code for a network is being compiled, which takes long."""

    def on_tables(self, text: str) -> None:
        """Which endgame tables there are, or what is wrong with one."""

    def on_budget(self, budget: Budget) -> None:
        """A search begins; this is the time it has."""

    def on_fault(self, error: Exception) -> None:
        """An internal error; the engine goes on."""

    def on_idle(self) -> None:
        """A job has ended."""
