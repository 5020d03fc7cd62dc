# SPDX-License-Identifier: GPL-3.0-or-later
"""What evaluations say of packed records. They are named by a network's file, or they are "default"
or "classical"."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kingcobra.api.batches import PACKED
from kingcobra.api.errors import EngineError
from kingcobra.api.evaluation import NETWORK, RAW, evaluate
from kingcobra.core.evaluation.layout import PAWN_UNITS
from kingcobra.core.rules.basics import NO_SQUARE
from kingcobra.networks.default_network import DEFAULT_NETWORK
from kingcobra.training.data.blocks import DataError
from kingcobra.training.data.expectations import Pawns
from kingcobra.training.data.packed import RECORD
from kingcobra.training.selfplay.player import CLASSICAL, CLASSICAL_RAW_PER_PAWN, DEFAULT

# What `evaluate` calls those that are named without a file.
NETWORKS = {DEFAULT: DEFAULT_NETWORK, CLASSICAL: ""}


def values_in_pawns(records: NDArray[Any], evaluation: str) -> Pawns:
    """Values for the movers. DataError if there is no such network, or a record is no position."""
    pawns: Pawns = _evaluated(records, evaluation, RAW) / PAWN_UNITS
    return pawns


def raw_values(records: NDArray[Any], evaluation: str) -> NDArray[np.int64]:
    """Values as labels have them: a network's own integers; the classical evaluation's values in
    the unit of a typical network. DataError as above."""
    if evaluation == CLASSICAL:
        values = _evaluated(records, evaluation, RAW).astype(np.int64)
        return values * CLASSICAL_RAW_PER_PAWN // PAWN_UNITS
    return _evaluated(records, evaluation, NETWORK).astype(np.int64)


def undamped(records: NDArray[Any]) -> NDArray[Any]:
    """The positions as the evaluation takes them, without rights to castle, and as if something
    irreversible had just happened: labels know nothing of the fifty moves."""
    packed = np.zeros(len(records), PACKED)
    for name in RECORD.names or ():
        packed[name] = records[name]
    packed["fifty_plies"] = 0
    packed["castling_rooks"] = NO_SQUARE
    packed["en_passant"] = NO_SQUARE
    return packed


def _evaluated(records: NDArray[Any], evaluation: str, unit: str) -> NDArray[np.int32]:
    network = NETWORKS.get(evaluation, evaluation)
    try:
        return evaluate(undamped(records), network=network, unit=unit)
    except (EngineError, ValueError) as error:
        raise DataError(str(error)) from None
