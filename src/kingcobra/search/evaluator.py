# SPDX-License-Identifier: GPL-3.0-or-later
"""Which evaluation the workers use: the classical one, a network, two of them, or a mixture."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kingcobra.kernel.memory import OutOfMemory
from kingcobra.kernel.objects import Core
from kingcobra.search.pool import Pool
from kingcobra.search.worker import Worker

if TYPE_CHECKING:
    from kingcobra.nnue.loading import LoadedNetwork

NNUE, HYBRID, CLASSICAL = "nnue", "hybrid", "classical"
MODES = (NNUE, HYBRID, CLASSICAL)
# In hybrid mode, positions this lopsided are the classical evaluation's.
HYBRID_FROM = 700

Report = Callable[[str], None]


class EvaluatorError(Exception):
    """An evaluation that cannot be had; the one in use stays."""


class Evaluator:
    """What is used, and how workers get it. Loads networks; nothing of them is imported before."""

    def __init__(self, core: Core) -> None:
        self._classical = core.addresses["evaluate_classical"]
        self.mode = NNUE
        self.network: LoadedNetwork | None = None
        self.small: LoadedNetwork | None = None

    def load(self, name: str, report: Report) -> "LoadedNetwork | None":
        """The network of that name, None for no name. EvaluatorError for one that is none."""
        if not name:
            return None
        from kingcobra.nnue.finding import NetworkError, find_network
        from kingcobra.nnue.loading import EvaluationError, load

        try:
            return load(find_network(name), report)
        except (EvaluationError, NetworkError) as error:
            raise EvaluatorError(str(error)) from error

    def change(self, pool: Pool, **changes: Any) -> None:
        """Sets `mode`, `network` or `small` for all workers, also those to come. On OutOfMemory
        all stays as it was."""
        before = {name: getattr(self, name) for name in changes}
        self.__dict__.update(changes)
        try:
            pool.use_evaluation(self.connect)
        except OutOfMemory as error:
            self.__dict__.update(before)
            pool.use_evaluation(self.connect)
            raise EvaluatorError(f"no memory for the network: {error}") from error

    @property
    def uses_network(self) -> bool:
        """Whether a network evaluates positions that are not lopsided."""
        return self.network is not None and self.mode != CLASSICAL

    def announcements(self) -> list[str]:
        """What is in use, a line for each."""
        if self.network is None or not self.uses_network:
            return ["classical evaluation enabled"]
        networks = [self.network, self.small] if self.small else [self.network]
        lines = [f"NNUE evaluation using {network.name} enabled" for network in networks]
        if self.mode == HYBRID:
            lines.append("classical evaluation enabled for lopsided positions")
        return lines

    def connect(self, worker: Worker) -> None:
        """Gives a worker what it evaluates with."""
        if self.network is None or not self.uses_network:
            worker.use_evaluation(self._classical, 0, None)
            return
        from kingcobra.nnue.loading import ThreadMemory

        main = ThreadMemory(self.network, worker.address)
        kept: list[ThreadMemory] = [main]
        if self.small is not None:
            small = ThreadMemory(self.small, worker.address)
            main.record.small_evaluate = self.small.core.addresses["evaluate_small"]
            main.record.small_thread = small.address
            kept.append(small)
        if self.mode == HYBRID:
            main.record.classical_evaluate = self._classical
            main.record.classical_from = HYBRID_FROM
        evaluate = self.network.core.addresses["evaluate_network"]
        worker.use_evaluation(evaluate, main.address, kept)
