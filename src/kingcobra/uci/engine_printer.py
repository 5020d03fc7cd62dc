# SPDX-License-Identifier: GPL-3.0-or-later
"""What the engine does outside its searches, as lines of text."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from kingcobra.engine.clock import NS_PER_MS, Budget
from kingcobra.engine.engine_listener import EngineListener
from kingcobra.engine.evaluator import HYBRID, Evaluator
from kingcobra.networks.default_network import DEFAULT_PATH
from kingcobra.uci.protocol import internal_error

if TYPE_CHECKING:
    from kingcobra.networks.loading import LoadedNetwork

Send = Callable[[str], None]


class EnginePrinter(EngineListener):
    """Prints what the user should know with `announce`, answers to his commands with `info`, and
    what only helps debugging with `note`. `on_compiling` and `on_idle` are passed on."""

    def __init__(
        self,
        announce: Send,
        info: Send,
        note: Send,
        on_compiling: Send,
        on_idle: Callable[[], None],
    ) -> None:
        self._announce = announce
        self._info = info
        self._note = note
        self._on_compiling = on_compiling
        self._on_idle = on_idle

    def on_threads(self, count: int) -> None:
        """For debugging."""
        self._note(f"searching with {count} threads")

    def on_thread_bound(self, number: int, cpus: frozenset[int], error: OSError | None) -> None:
        """For debugging; without the binding a search is slower, but not wrong."""
        from kingcobra.kernel.system.numa import format_cpus  # a single thread does without

        if error is None:
            self._note(f"thread {number} runs on CPUs {format_cpus(cpus)}")
        else:
            self._note(f"cannot bind thread {number} to CPUs {format_cpus(cpus)}: {error}")

    def on_hash(self, size_mb: int) -> None:
        """For debugging."""
        self._note(f"hash table of {size_mb} MiB")

    def on_network(self, network: "LoadedNetwork") -> None:
        """For debugging, unless the header alone does not say what a network of the user is."""
        from kingcobra.core.network.architectures import NO_STOCKFISH
        from kingcobra.networks.network_files import IDENTIFIED_BY_CONTENT

        architecture = network.architecture
        text = f"{network.name} read as {architecture.name}"
        if architecture.stockfish != NO_STOCKFISH:
            text += f": Stockfish {architecture.stockfish}"
        if network.identified_by == IDENTIFIED_BY_CONTENT and network.path != DEFAULT_PATH:
            self._announce(f"{text}, by its content: another version has the same header")
        else:
            self._note(text)

    def on_no_network(self) -> None:
        """What an empty file name means."""
        self._info("EvalFile is empty: using the classical evaluation")

    def on_compiling(self, text: str) -> None:
        """Called from the thread that compiles."""
        self._on_compiling(text)

    def on_tables(self, text: str) -> None:
        """When the path is set, or while a search probes a file."""
        self._info(text)

    def on_budget(self, budget: Budget) -> None:
        """For debugging."""
        self._note(
            f"time: soft limit {_in_ms(budget.soft_ns)}, hard limit {_in_ms(budget.hard_ns)}"
        )

    def on_fault(self, error: Exception) -> None:
        """Something to report to the developers."""
        self._announce(internal_error("at work", error))

    def on_idle(self) -> None:
        """Called from the thread that has worked."""
        self._on_idle()


def evaluation_lines(evaluator: Evaluator) -> list[str]:
    """Which evaluation is in use, as a search announces it."""
    network, small = evaluator.network, evaluator.small
    if network is None or not evaluator.uses_network:
        lines = ["classical evaluation enabled"]
        if network is None and small is not None:
            lines.append(f"{small.name} (EvalFileSmall) is not used without EvalFile")
        return lines
    networks = [network, small] if small else [network]
    lines = [f"NNUE evaluation using {network.name} enabled" for network in networks]
    if evaluator.mode == HYBRID:
        lines.append("classical evaluation enabled for lopsided positions")
    return lines


def _in_ms(time_ns: int) -> str:
    return f"{time_ns // NS_PER_MS} ms" if time_ns else "none"
