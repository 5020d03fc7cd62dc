# SPDX-License-Identifier: GPL-3.0-or-later
"""Which evaluation the threads use: the classical one, a network, two of them, or a mixture."""

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.evaluation.layout import Evaluated
from kingcobra.core.rules.basics import WHITE
from kingcobra.engine.search_thread import SearchThread
from kingcobra.engine.search_threads import SearchThreads
from kingcobra.kernel.objects import LoadedObject
from kingcobra.kernel.system.memory import OutOfMemory
from kingcobra.networks.classical_scale import CLASSICAL_SCALE
from kingcobra.networks.scale import CENTIPAWNS, Scale

if TYPE_CHECKING:
    from kingcobra.kernel.build import Builder
    from kingcobra.networks.loading import LoadedNetwork

NNUE, HYBRID, CLASSICAL = "nnue", "hybrid", "classical"
MODES = (NNUE, HYBRID, CLASSICAL)
# In hybrid mode, positions this lopsided are the classical evaluation's.
HYBRID_FROM = 1500

OnProgress = Callable[[str], None]


class EvaluatorError(Exception):
    """An evaluation that cannot be used; the present one stays in use."""


class EvaluationChoice(NamedTuple):
    """What evaluates. Without a network it is the classical evaluation, whatever the mode."""

    mode: str = NNUE
    network: "LoadedNetwork | None" = None
    # Asked first in lopsided positions.
    small: "LoadedNetwork | None" = None


class Evaluator:
    """The evaluation in use, and how threads get it. The modules of networks are imported when the
    first one is loaded."""

    def __init__(self, core: LoadedObject) -> None:
        self._classical = core.addresses["evaluate_classical"]
        self.choice = EvaluationChoice()
        self._builder: Builder | None = None
        self._cancelled = False

    def load(self, name: str, on_progress: OnProgress) -> "LoadedNetwork | None":
        """The network of that name, None for an empty name. EvaluatorError if it cannot be read."""
        if not name:
            return None
        from kingcobra.networks.loading import EvaluationError, load
        from kingcobra.networks.network_files import NetworkError, find_network

        try:
            return load(find_network(name), on_progress, self._on_builder)
        except (EvaluationError, NetworkError) as error:
            raise EvaluatorError(str(error)) from error

    def _on_builder(self, builder: "Builder") -> None:
        """Called when a compilation begins. First stored, then checked: `cancel` does it the other
        way round, so neither misses the other."""
        self._builder = builder
        if self._cancelled:
            builder.cancel()

    def cancel(self) -> None:
        """From any thread: a compilation under way ends with EvaluatorError, and so does any
        later one."""
        self._cancelled = True
        if self._builder is not None:
            self._builder.cancel()

    def use(self, choice: EvaluationChoice, threads: SearchThreads) -> None:
        """Has all threads use it, also later ones. On EvaluatorError nothing changes."""
        before, self.choice = self.choice, choice
        try:
            threads.use_evaluation(self.connect)
        except OutOfMemory as error:
            self.choice = before
            threads.use_evaluation(self.connect)
            raise EvaluatorError(f"no memory for the network: {error}") from error

    @property
    def mode(self) -> str:
        """One of MODES."""
        return self.choice.mode

    @property
    def network(self) -> "LoadedNetwork | None":
        """The network that evaluates, whatever the mode."""
        return self.choice.network

    @property
    def small(self) -> "LoadedNetwork | None":
        """The network for lopsided positions."""
        return self.choice.small

    @property
    def uses_network(self) -> bool:
        """Whether a network evaluates positions that are not lopsided."""
        return self.network is not None and self.mode != CLASSICAL

    @property
    def scale(self) -> Scale:
        """What its values mean in pawns and in chances."""
        if self.network is None or not self.uses_network:
            return CLASSICAL_SCALE
        from kingcobra.networks.network_scales import network_scale

        return network_scale(self.network.architecture, self.network.digest)

    def connect(self, user: "SearchThread | StaticEvaluator") -> None:
        """Gives a thread, or a static evaluator, what it evaluates with."""
        if self.network is None or not self.uses_network:
            user.use_evaluation(self._classical, 0, None)
            return
        from kingcobra.networks.loading import ThreadMemory

        main = ThreadMemory(self.network, user.address)
        kept: list[ThreadMemory] = [main]
        if self.small is not None:
            small = ThreadMemory(self.small, user.address)
            main.record.small_evaluate = self.small.code.addresses["evaluate_small"]
            main.record.small_thread = small.address
            kept.append(small)
        if self.mode == HYBRID:
            main.record.classical_evaluate = self._classical
            main.record.classical_from = HYBRID_FROM
        evaluate = self.network.code.addresses["evaluate_network"]
        user.use_evaluation(evaluate, main.address, kept)


class StaticEvaluator:
    """Evaluates positions one by one, outside any search."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._record = Evaluated()
        self.address = ctypes.addressof(self._record)
        self._call: Callable[[int], int]
        self._scale = evaluator.scale
        evaluator.connect(self)

    def use_evaluation(
        self, evaluate_address: int, network_address: int = 0, kept_alive: Any = None
    ) -> None:
        """As a search thread does."""
        self._record.network = network_address
        self._kept_alive = kept_alive
        self._call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(evaluate_address)

    def value(self, board: PositionHandle) -> int:
        """For the side to move, in internal units: as the search takes it before it has learnt
        anything, nearer to a draw the longer nothing irreversible has happened."""
        from kingcobra.core.search.histories import (
            FIFTY_SCALE,  # a compiled module, with all it needs
        )

        board.copy_to(self.address)
        fifty_plies = board.record.states[board.record.ply].fifty_plies
        return int(self._call(self.address) * (FIFTY_SCALE - fifty_plies) // FIFTY_SCALE)

    def white_pawns(self, board: PositionHandle) -> float:
        """The same for people: White's view, on the scale of the scores that a search tells."""
        value = self.value(board)
        return self._scale.centipawns(value if board.record.side == WHITE else -value) / CENTIPAWNS
