# SPDX-License-Identifier: GPL-3.0-or-later
"""kingcobra.evaluate: static evaluations of many positions as an array."""

import ctypes
import os
import threading
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kingcobra.api.batches import PACKED, Packed, own_boards, pack
from kingcobra.api.board import Board
from kingcobra.api.core import loaded_core, loaded_evaluation_batch, print_on_stderr
from kingcobra.api.views import MOVER, WHITE, require_view
from kingcobra.core.evaluation.layout import PAWN_UNITS
from kingcobra.core.evaluation_batch.layout import NO_VALUE, EvaluationBatch
from kingcobra.engine.evaluator import EvaluationChoice, Evaluator, EvaluatorError, StaticEvaluator
from kingcobra.networks.default_network import DEFAULT_NETWORK
from kingcobra.networks.scale import CENTIPAWNS

if TYPE_CHECKING:
    import chess

SHOWN, RAW, NETWORK = "centipawns", "raw", "network"
UNITS = (SHOWN, RAW, NETWORK)
BLACK_TO_MOVE = 1
# A move changes one to four squares between empty and occupied.
ALIKE_SQUARES = 6
PAIRS_LOOKED_AT = 1000
# Ctrl-C takes effect between two calls: after a fraction of a second.
AT_A_TIME = 1 << 16


def evaluate(
    positions: "Iterable[str | Board | chess.Board] | NDArray[Any]",
    *,
    network: str | os.PathLike[str] | None = None,
    unit: str = SHOWN,
    view: str = MOVER,
    chess960: bool = False,
) -> NDArray[np.int32]:
    """The static evaluation of each position, without any search: of the network that is named, of
    the engine's default one, or with `network=""` the classical one. Positions are FEN text,
    boards of both kinds, or an array that `kingcobra.batches.pack` has made, which is fastest.
    FenError or ValueError names the first that is not one.

    Values are centipawns or, with `unit="raw"`, the search's internal units; of the side to move
    or, with `view="white"`, of White. They are those that a search starts from: nearer to zero the
    longer nothing irreversible has happened. With `unit="network"` they are the network's own
    integers, the raw values of `kingcobra net eval`; no rule shrinks those, and the classical
    evaluation has none.

    >>> up = "4k3/8/8/8/8/8/8/4KQ2 {} - - 0 1"
    >>> (evaluate([up.format("w"), up.format("b")]) > 0).tolist()
    [True, False]
    """
    require_view(view)
    if unit not in UNITS:
        raise ValueError(f"unit {unit!r}, expected one of {', '.join(UNITS)}")
    name = DEFAULT_NETWORK if network is None else os.fspath(network)
    if unit == NETWORK and not name:
        raise ValueError(f"unit {unit!r}: the classical evaluation is not a network")
    evaluator = _evaluator(name, in_integers=unit == NETWORK)
    packed = _packed(positions, chess960)
    values = evaluator.undamped(packed) if unit == NETWORK else evaluator.values(packed)
    if unit == SHOWN:
        values = np.rint(values * CENTIPAWNS / evaluator.units_per_pawn).astype(np.int64)
    if view == WHITE:
        values = np.where(packed["flags"] & BLACK_TO_MOVE, -values, values)
    return values.astype(np.int32)


def _packed(positions: Iterable[Any] | NDArray[Any], chess960: bool) -> Packed:
    if isinstance(positions, np.ndarray) and positions.dtype == PACKED:
        return np.ascontiguousarray(positions).reshape(-1)
    if isinstance(positions, np.ndarray) and positions.dtype.kind in "SU":
        return pack(positions, chess960=chess960)
    items = own_boards(positions)
    if not all(isinstance(item, Board) for item in items):
        return pack(items, chess960=chess960)
    addresses = np.fromiter((board.address for board in items), np.int64, len(items))
    packed = np.zeros(len(items), PACKED)
    batch = loaded_evaluation_batch()
    batch.pack_records(addresses.ctypes.data, len(items), packed.ctypes.data)
    return packed


class BatchEvaluator(StaticEvaluator):
    """Evaluates packed positions; for one thread at a time. A network may answer in its own
    integers."""

    def __init__(self, evaluator: Evaluator, in_integers: bool = False) -> None:
        self._in_integers = in_integers
        super().__init__(evaluator)
        self.units_per_pawn = evaluator.scale.units_per_pawn

    def use_evaluation(
        self, evaluate_address: int, network_address: int = 0, kept_alive: Any = None
    ) -> None:
        """As a search thread does."""
        super().use_evaluation(evaluate_address, network_address, kept_alive)
        self._evaluate = evaluate_address
        if self._in_integers:
            for memory in kept_alive:
                memory.record.raw_per_pawn = PAWN_UNITS

    def values(self, packed: Packed) -> NDArray[np.int64]:
        """For the side to move, nearer to zero the longer nothing irreversible has happened.
        ValueError names a record that is no position."""
        from kingcobra.core.search.histories import FIFTY_SCALE  # with all that it needs

        fifty_plies = packed["fifty_plies"].astype(np.int64)
        return self.undamped(packed) * (FIFTY_SCALE - fifty_plies) // FIFTY_SCALE

    def undamped(self, packed: Packed) -> NDArray[np.int64]:
        """What the evaluation itself says, for the side to move. ValueError as `values`."""
        if are_neighbours_alike(packed):
            values = self._in_order(packed)
        else:
            order = np.argsort(packed["occupancy"])
            values = np.empty(len(packed), np.int64)
            values[order] = self._in_order(packed[order])
        for index in np.flatnonzero(values == NO_VALUE)[:1]:
            raise ValueError(f"packed position {index} is not one that can be played")
        return values

    def _in_order(self, packed: Packed) -> NDArray[np.int64]:
        values = np.empty(len(packed), np.int64)
        batch = EvaluationBatch()
        batch.evaluate = self._evaluate
        batch.evaluated = self.address
        for first in range(0, len(packed), AT_A_TIME):
            part, found = packed[first : first + AT_A_TIME], values[first : first + AT_A_TIME]
            batch.count = len(part)
            batch.packed = part.ctypes.data
            batch.values = found.ctypes.data
            loaded_evaluation_batch().evaluate_packed(ctypes.addressof(batch))
        return values


def are_neighbours_alike(packed: Packed) -> bool:
    """Whether most positions are a few moves from the one before, as in games. A network then has
    little to compute anew; otherwise sorting them by their occupied squares makes it twice as
    fast."""
    pairs = np.arange(0, len(packed) - 1, max(len(packed) // PAIRS_LOOKED_AT, 1))
    if not len(pairs):
        return True
    squares = packed["occupancy"]
    differing = np.ascontiguousarray(squares[pairs] ^ squares[pairs + 1])
    return int(np.unpackbits(differing.view(np.uint8)).sum()) <= ALIKE_SQUARES * len(pairs)


_of_this_thread = threading.local()


def _evaluator(network: str, in_integers: bool = False) -> BatchEvaluator:
    """The evaluator of this thread for a network, by its name; the weights are shared."""
    known: dict[tuple[str, bool], BatchEvaluator] = _of_this_thread.__dict__.setdefault("known", {})
    key = network, in_integers
    if key not in known:
        known[key] = BatchEvaluator(_connected(network), in_integers)
    return known[key]


@cache
def _connected(network: str) -> Evaluator:
    evaluator = Evaluator(loaded_core())
    try:
        evaluator.choice = EvaluationChoice(network=evaluator.load(network, print_on_stderr))
    except EvaluatorError as error:
        from kingcobra.api.errors import EngineError  # brings python-chess with it

        raise EngineError(f"network {error}") from None
    return evaluator
